#!/usr/bin/env bats
# bats file_tags=plain
# The tarball: the same bytes whatever the user's settings are, and none where
# there is nothing to make it of.

load helper

dist() {
	mkdir -p "$T/$1"
	env -u MAKEFLAGS -u MFLAGS make -s -C "$2" dist DIST="$T/$1"
}

@test "the tarball is the same under other settings, and holds the source" {
	git -C "$ROOT" rev-parse HEAD 2> "$T/why" ||
	    skip 'made of a repository alone'
	dist one "$ROOT"
	(
		umask 077
		export GIT_CONFIG_GLOBAL=$T/config TZ=Asia/Tokyo
		git config --global core.autocrlf true
		git config --global tar.umask user
		dist two "$ROOT"
	)
	cmp "$T"/one/*.tar.gz "$T"/two/*.tar.gz
	tar -tzf "$T"/one/*.tar.gz > "$T/names"
	grep -q '^evalgate-[0-9.]*/src/gate/verdict.c$' "$T/names"
	grep -q '/Makefile$' "$T/names"
}

@test "outside a repository there is no tarball, and no success" {
	mkdir bare
	cp -r "$ROOT"/{Makefile,ci,src,include} bare
	export GIT_CEILING_DIRECTORIES=$T
	never dist three "$T/bare" 2> "$T/why"
	[ -z "$(ls "$T/three")" ]
}
