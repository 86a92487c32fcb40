/* What any program linked with our libraries costs. */
#include <cjson/cJSON.h>
#include <git2.h>
#include <math.h>
#include <yaml.h>
#include <zlib.h>

int
main(int argc, char **argv)
{
	int major, minor, patch;

	/* Never so: each library is linked and none is called. */
	if (argc > 1000000) {
		git_libgit2_version(&major, &minor, &patch);
		return (int)log2(argc) + *cJSON_Version() + *zlibVersion() +
		    *yaml_get_version_string() + *argv[0];
	}
	return 0;
}
