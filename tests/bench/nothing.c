/* What any program linked with our libraries costs. */
#include <cjson/cJSON.h>
#include <git2.h>
#include <yaml.h>
#include <zlib.h>

int
main(void)
{
	const void *volatile used[] = {(const void *)cJSON_Version(),
	    (const void *)zlibVersion(),
	    (const void *)yaml_get_version_string()};
	int major, minor, patch;

	return used[0] && git_libgit2_version(&major, &minor, &patch) == 0 ? 0
									   : 0;
}
