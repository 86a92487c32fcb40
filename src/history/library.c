/*
 * How libgit2 is started: without what only its own network would need.  All
 * starts go through here, so that this file is always linked.
 */
#include "internal.h"

void
library_begin(void)
{
	git_libgit2_init();
}

void
library_end(void)
{
	git_libgit2_shutdown();
}

/*
 * Where libgit2 is built with mbed TLS, as Debian's is, its start reads every
 * certificate of the system, which takes as long as all that evalgate does.
 * Here git alone talks to remotes, so a function of the name that libgit2
 * calls for it stands in for the library's and reads none.  It is weak, to
 * give way where both are linked statically; elsewhere nobody calls it.
 */
__attribute__((weak)) int mbedtls_x509_crt_parse_file(void *, const char *);

int
mbedtls_x509_crt_parse_file(void *chain, const char *path)
{
	(void)chain;
	(void)path;
	return 0;
}
