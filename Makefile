# evalgate: the only build file.  GNU make 3.81 suffices.
#
# Each kind of build lives in a directory of its own below build/, so that a
# sanitized build never mixes with a plain one: `make sanitize` calls
# `make KIND=sanitize CC=clang test`.

PREFIX  = /usr/local
BINDIR  = $(PREFIX)/bin
DATADIR = $(PREFIX)/share
MANDIR  = $(DATADIR)/man
KIND    = plain
WERROR  =
VERSION = 0.1.0

B       = build/$(KIND)
PROGRAM = $(B)/evalgate

# Some compilers set _FORTIFY_SOURCE of their own accord.
OPT_plain    = -O2 -g -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2
OPT_clang    = $(OPT_plain)
OPT_fuzz     = $(OPT_sanitize) -fsanitize=fuzzer-no-link
OPT_sanitize = -O1 -g -U_FORTIFY_SOURCE -fno-omit-frame-pointer \
	-fsanitize=address,undefined -fno-sanitize-recover=all
LINK_fuzz     = -fsanitize=fuzzer,address,undefined
LINK_sanitize = -fsanitize=address,undefined

# -ffp-contract=off: the same bits on every machine.
WARN = -Wall -Wextra -Wpedantic -Wshadow -Wstrict-prototypes \
	-Wmissing-prototypes -Wpointer-arith -Wcast-qual -Wwrite-strings \
	-Wformat=2 -Wundef -Wvla $(if $(WERROR),-Werror)
HARDEN = -fstack-protector-strong -fPIE
LINK_Linux = -pie -Wl,-z,relro,-z,now
FEATURES = -D_POSIX_C_SOURCE=200809L -D_XOPEN_SOURCE=700
CFLAGS   = $(OPT_$(KIND))
LANGUAGE = -std=c11 $(FEATURES) -Iinclude @build/deps.cflags
ALL_CFLAGS = $(LANGUAGE) -ffp-contract=off $(WARN) $(HARDEN) \
	-DEVALGATE_VERSION='"$(VERSION)"' $(CFLAGS)
ALL_LDFLAGS = $(LINK_$(shell uname -s)) $(LINK_$(KIND)) $(LDFLAGS)

# V=1 shows whole commands.
Q       = $(if $(V),,@)
say     = $(if $(V),,@echo '  $(1)  $(2)')

LAYERS  = base codec metric input history gate report cli
SOURCES = $(foreach l,$(LAYERS),$(sort $(wildcard src/$(l)/*.c)))
# What goes into a page as it is, each file an array of its name.
# What the HTML report brings along, as arrays; the style in this order.
STYLE   = $(patsubst %,src/report/html_%.css,base first charts tables paper)
PARTS   = html_css html_js
OBJECTS = $(SOURCES:src/%.c=$(B)/%.o) $(PARTS:%=$(B)/report/%.o)
LIBRARY = $(B)/libevalgate.a
REPLAYS = $(patsubst tests/fuzz/fuzz_%.c,$(B)/unit/test_replay_%,$(wildcard tests/fuzz/fuzz_*.c))
FUZZERS = $(patsubst tests/fuzz/fuzz_%.c,build/fuzz/fuzz_%,$(wildcard tests/fuzz/fuzz_*.c))
BENCH   = $(patsubst tests/bench/%.c,build/bench/%,$(wildcard tests/bench/*.c))
UNITS   = $(patsubst tests/unit/%.c,$(B)/unit/%,$(wildcard tests/unit/test_*.c))

.PHONY: always all help demo test dist sanitize clang soak fuzz fuzzers bench lint analyze valgrind install clean
.DEFAULT_GOAL = all
# A file half written, such as flags that pkg-config did not know, is none.
.DELETE_ON_ERROR:

all: build/evalgate ## build the program, build/evalgate

help: ## say what there is
	@sed -n 's/^\([a-z][a-z-]*\):.*## \(.*\)/  make \1|\2/p' Makefile | \
	awk -F'|' '{ printf "%-16s %s\n", $$1, $$2 }'

demo: build/evalgate ## the main job on real data: a gate that fails, and why
	@sh examples/forge-16a/demo.sh

test: $(PROGRAM) $(UNITS) $(REPLAYS) build/deps.test ## run all tests (TESTS='FILE...' only some)
	@ci/install-browser || echo 'the tests of the HTML report are skipped'
	@KIND=$(KIND) UPDATE=$(UPDATE) tests/run $(TESTS)

# What clang has sanitized starts in two thirds of the time.
SANITIZER = clang

sanitize: build/deps.lint ## the same tests under ASan and UBSan (SANITIZER=gcc)
	@$(MAKE) KIND=sanitize CC=$(SANITIZER) test

clang: build/deps.lint ## the same tests, compiled by clang
	@$(MAKE) KIND=clang CC=clang test

# Seconds for each target.
FUZZ = 60

soak: $(PROGRAM) build/deps.test ## long tests: writers, clones, kills (SHORT=1: fewer)
	@KIND=$(KIND) ci/soak $(if $(SHORT),short)

fuzz: build/deps.lint ## every fuzz target with libFuzzer, FUZZ=60 seconds each
	@$(MAKE) KIND=fuzz CC=clang fuzzers
	@ci/fuzz $(FUZZ)

fuzzers: $(FUZZERS)

lint: build/deps.lint ## format, layers, shell scripts
	@ci/lint

analyze: build/deps.lint ## gcc -fanalyzer, clang-tidy, cppcheck
	@LANGUAGE='$(LANGUAGE)' ci/analyze

valgrind: $(PROGRAM) build/deps.lint ## the commands under valgrind
	@EVALGATE=$(PROGRAM) ci/valgrind

bench: $(BENCH) $(PROGRAM) ## what must be fast, measured (SHORT=1: its correctness only)
	@tests/bench/run $(if $(SHORT),short)

install: build/evalgate ## into PREFIX (/usr/local), DESTDIR honoured
	mkdir -p '$(DESTDIR)$(BINDIR)' '$(DESTDIR)$(MANDIR)/man1' \
	    '$(DESTDIR)$(MANDIR)/man5' '$(DESTDIR)$(DATADIR)/evalgate' \
	    '$(DESTDIR)$(DATADIR)/bash-completion/completions' \
	    '$(DESTDIR)$(DATADIR)/zsh/site-functions' \
	    '$(DESTDIR)$(DATADIR)/fish/vendor_completions.d'
	install -m 755 build/evalgate '$(DESTDIR)$(BINDIR)/evalgate'
	install -m 644 src/cli/evalgate.1 '$(DESTDIR)$(MANDIR)/man1'
	install -m 644 src/cli/evalgate.yaml.5 src/cli/evalgate-formats.5 \
	    '$(DESTDIR)$(MANDIR)/man5'
	build/evalgate schema >'$(DESTDIR)$(DATADIR)/evalgate/evalgate.schema.json'
	build/evalgate completion bash \
	    >'$(DESTDIR)$(DATADIR)/bash-completion/completions/evalgate'
	build/evalgate completion zsh \
	    >'$(DESTDIR)$(DATADIR)/zsh/site-functions/_evalgate'
	build/evalgate completion fish \
	    >'$(DESTDIR)$(DATADIR)/fish/vendor_completions.d/evalgate.fish'

# Where `make dist` puts its tarball.
DIST = build

dist: ## a tarball of the last commit's source, the same bytes every time
	@mkdir -p '$(DIST)'
	git -c core.autocrlf=false -c tar.umask=0022 archive --format=tar \
	    --prefix=evalgate-$(VERSION)/ HEAD \
	    >'$(DIST)/evalgate-$(VERSION).tar' || \
	    { rm '$(DIST)/evalgate-$(VERSION).tar' && exit 1; }
	gzip -9nf '$(DIST)/evalgate-$(VERSION).tar'

clean: ## remove build/
	rm -rf build

build/evalgate: build/plain/evalgate
	@cp -f build/plain/evalgate $@

$(B)/evalgate: $(LIBRARY) build/deps.libs
	$(call say,LD,$@)
	$(Q)$(CC) $(ALL_LDFLAGS) -o $@ $(B)/cli/main.o $(LIBRARY) @build/deps.libs -lm

# main.o stays outside, so that a test program can bring a main of its own.
$(LIBRARY): $(OBJECTS)
	@rm -f $@
	@$(AR) rcs $@ $(filter-out $(B)/cli/main.o,$(OBJECTS))

# Nor do two compilers mix.
$(B)/compiler: always
	@mkdir -p $(@D)
	@echo '$(CC)' | cmp -s - $@ || echo '$(CC)' > $@

$(B)/%.o: src/%.c $(B)/compiler build/deps.cflags Makefile
	@mkdir -p $(@D)
	$(call say,CC,$<)
	$(Q)$(CC) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<

$(B)/report/html_css.c: $(STYLE) Makefile
$(B)/report/html_js.c: src/report/html.js Makefile
$(PARTS:%=$(B)/report/%.c):
	@mkdir -p $(@D)
	@{ echo '/* Made from $(filter src/%,$^). */' && \
	    echo 'extern const char $(basename $(@F))[];' && \
	    echo 'const char $(basename $(@F))[] = {' && \
	    cat $(filter src/%,$^) | od -An -v -tx1 | \
	    sed 's/ *\([0-9a-f][0-9a-f]\)/0x\1,/g' && \
	    echo '0};'; } > $@

$(PARTS:%=$(B)/report/%.o): %.o: %.c $(B)/compiler
	$(call say,CC,$<)
	$(Q)$(CC) $(ALL_CFLAGS) -c -o $@ $<

$(B)/unit/%: tests/unit/%.c $(LIBRARY) build/deps.libs build/deps.test
	@mkdir -p $(@D)
	$(call say,CC,$<)
	$(Q)$(CC) $(ALL_CFLAGS) -Itests/unit $(ALL_LDFLAGS) -MMD -MP -MF $@.d \
	    -o $@ $< $(LIBRARY) @build/deps.libs -lcmocka -lm

$(B)/unit/test_replay_%: tests/fuzz/fuzz_%.c tests/fuzz/replay.c $(LIBRARY) \
    build/deps.libs
	@mkdir -p $(@D)
	$(call say,CC,$<)
	$(Q)$(CC) $(ALL_CFLAGS) -DCORPUS='"tests/fuzz/corpus/$*"' $(ALL_LDFLAGS) \
	    -o $@ $< tests/fuzz/replay.c $(LIBRARY) @build/deps.libs -lm

build/fuzz/fuzz_%: tests/fuzz/fuzz_%.c $(LIBRARY) build/deps.libs
	@mkdir -p $(@D)
	$(call say,CC,$<)
	$(Q)$(CC) $(ALL_CFLAGS) $(ALL_LDFLAGS) -o $@ $< $(LIBRARY) \
	    @build/deps.libs -lm

build/bench/%: tests/bench/%.c build/deps.cflags build/deps.libs
	@mkdir -p $(@D)
	$(call say,CC,$<)
	$(Q)$(CC) $(filter-out -D_POSIX_%,$(ALL_CFLAGS)) -D_DEFAULT_SOURCE \
	    $(ALL_LDFLAGS) -o $@ $< @build/deps.libs -lm

build/bench/permutation: tests/bench/permutation.c $(LIBRARY)
	@mkdir -p $(@D)
	$(call say,CC,$<)
	$(Q)$(CC) $(ALL_CFLAGS) $(ALL_LDFLAGS) -o $@ $< $(LIBRARY) -lm

# What is missing is installed once; afterwards these files stand for it.  One
# after the other, since two packagers at a time get into each other's way.
DEPS = libgit2 libcjson yaml-0.1 zlib

build/deps.cflags: ci/install-deps
	@mkdir -p build
	@ci/install-deps build
	@pkg-config --cflags $(DEPS) > $@

build/deps.libs: build/deps.cflags
	@pkg-config --libs $(DEPS) > $@

build/deps.test: build/deps.cflags
	@ci/install-deps test
	@touch $@

build/deps.lint: build/deps.test
	@ci/install-deps lint
	@touch $@

-include $(OBJECTS:.o=.d) $(UNITS:%=%.d)
