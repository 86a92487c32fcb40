#!/usr/bin/env bats
# bats file_tags=plain
# The HTML report, as headless Chromium sees it: complete without a network,
# usable by keys alone and without a script, and nothing of a user's text
# becomes markup.

load helper

# One browser for all tests.
setup_file() {
	export BROWSER_AT=$BATS_FILE_TMPDIR/at
	can_start || return 0
	HOME=$BATS_FILE_TMPDIR TMPDIR=$BATS_FILE_TMPDIR \
	    node "$BATS_TEST_DIRNAME/../browser/launch.js" "$BROWSER_AT" \
	    > /dev/null 2> "$BATS_FILE_TMPDIR/browser" 3>&- &
	echo $! > "$BATS_FILE_TMPDIR/pid"
}

teardown_file() {
	[ ! -e "$BATS_FILE_TMPDIR/pid" ] ||
	    kill "$(< "$BATS_FILE_TMPDIR/pid")" 2> /dev/null || :
}

can_start() {
	command -v node > /dev/null &&
	    command -v "${CHROMIUM:-chromium}" > /dev/null &&
	    [ -e "$BATS_TEST_DIRNAME/../../build/browser/done" ]
}

# Where a browser can't be had, a test says so; where it can, it has to come.
can_look() {
	local i
	can_start || skip "no node, no chromium, or ci/install-browser failed"
	for ((i = 0; i < 300; i++)); do
		[ ! -e "$BROWSER_AT" ] || return 0
		sleep 0.1
	done
	cat "$BATS_FILE_TMPDIR/browser"
	return 1
}

# look FILE [WORD]... < LINES
look() {
	TMPDIR=$T node "$ROOT/tests/browser/look.js" "$@"
}

# The drilling reports: four retrieval methods, of which the last is judged.
# Made once, as $CHECK and $HISTORY.
forge() {
	CHECK=$BATS_FILE_TMPDIR/check.html
	HISTORY=$BATS_FILE_TMPDIR/history.html
	[ -e "$HISTORY" ] || make_forge
}

make_forge() {
	local method
	new_repo
	cp "$FORGE/questions.yaml" .
	{
		cat "$FORGE/evalgate.yaml"
		echo 'slices: [category]'
	} > evalgate.yaml
	git remote add origin git@github.com:example/retriever.git
	echo results.csv > .gitignore
	for method in keyword_and_stop bm25_doc dense_lsa_doc; do
		cp "$FORGE/runs/$method.csv" results.csv
		commit "search by $method"
		eg "$([ $method = dense_lsa_doc ] && echo 1 || echo 0)" \
		    record --quiet --now 2026-03-02T09:00:00Z results.csv
	done
	commit 'not recorded'
	cp "$FORGE/runs/rrf_bm25x2_dense05.csv" results.csv
	commit 'a hybrid of both'
	eg 1 check results.csv --format "html:$CHECK"
	eg 0 history --format "html:$HISTORY"
}

@test "a page of FORGE: no complaint, no request, charts, tables" {
	can_look
	forge
	look "$CHECK" <<-'END'
		assert.equal(await page.title(),
			"FAIL \u00b7 default \u00b7 evalgate");
		assert.equal((await texts(".verdict h1"))[0], "FAIL");
		/* Five tracked questions and two metrics. */
		assert.equal((await texts(".chart")).length, 7);
		assert.equal(await page.$$eval(".chart svg path.line",
			(all) => all.filter((p) => p.getBBox().width > 100).length), 7);
		/* hit@5 and mrr have lowest means that still pass. */
		assert.equal((await texts(".chart")).filter(
			(t) => t.includes("no lower than")).length, 2);
		/* What fell says where it was. */
		const falls = await texts(".findings .error h3");
		assert.ok(falls.some((t) => t.startsWith("T01")), falls);
		/* The 14 held out are counted and not listed. */
		assert.equal((await texts("table.questions tbody tr")).length, 64);
		assert.ok((await texts(".slices tbody th"))
			.includes("category=hole_problems"));
		/* Three records, and the run itself. */
		assert.equal((await texts("#records1 tbody tr")).length, 4);
		const links = await page.$$eval("main a[href^=https]",
			(all) => all.map((a) => a.href));
		assert.ok(links.length > 4);
		for (const link of links)
			assert.match(link, new RegExp("^https://github\\.com" +
				"/example/retriever/commit/[0-9a-f]{40}$"));
	END
	look "$HISTORY" <<-'END'
		assert.equal((await texts(".chart")).length, 7);
		assert.equal((await texts("table.questions tbody tr")).length, 59);
		assert.equal((await texts("#records1 tbody tr")).length, 3);
	END
}

@test "questions sort, filter and are searched, by keys alone too" {
	can_look
	forge
	look "$CHECK" <<-'END'
		const ranks = async () => (await page.$$eval(
			"table.questions tbody tr:not([hidden]) td:nth-child(2)",
			(all) => all.map((td) => td.textContent.trim())));
		const sorted = async () => page.$eval(
			"table.questions th:nth-child(2)",
			(th) => th.getAttribute("aria-sort"));
		await page.focus("table.questions th:nth-child(2) button");
		await page.keyboard.press("Enter");
		assert.equal(await sorted(), "descending");
		let all = (await ranks()).filter((t) => t).map(Number);
		assert.deepEqual(all, [...all].sort((a, b) => b - a));
		await page.keyboard.press("Space");
		assert.equal(await sorted(), "ascending");
		all = (await ranks()).filter((t) => t).map(Number);
		assert.equal(all[0], 1);
		/* What has no rank, since it has no answer, stands last. */
		assert.equal((await ranks()).pop(), "");
		assert.deepEqual(all, [...all].sort((a, b) => a - b));

		await page.keyboard.press("Slash");
		await page.keyboard.type("STUCK pipe");
		let ids = await texts("table.questions tbody tr th");
		assert.ok(ids.length > 0 && ids.length < 10, String(ids.length));
		assert.ok(ids.every((t) => /stuck/i.test(t) && /pipe/i.test(t)));
		assert.equal((await texts("[role=status]"))[0],
			`${ids.length} of 64 questions`);
		await page.keyboard.press("Escape");
		assert.equal((await texts("[role=status]"))[0], "64 questions");

		await page.click(".chips button[data-kind=tracked]");
		ids = await texts("table.questions tbody tr th");
		assert.equal(ids.length, 5);
		await page.click(".chips button[data-kind=fell]");
		for (const t of await texts(
			"table.questions tbody td:nth-child(4)"))
			assert.ok(t.startsWith("\u25bc"), t);
	END
}

@test "a chart tells of each commit, by pointer and by keys" {
	can_look
	forge
	look "$CHECK" <<-'END'
		const tip = async () => page.$eval(".tip",
			(t) => t.hidden ? "" : t.innerText);
		const t01 = await page.evaluateHandle(() =>
			[...document.querySelectorAll(".chart")].find((c) =>
				c.querySelector("h3").textContent === "T01")
				.querySelector(".plot"));
		const said = () => t01.evaluate(
			(p) => p.getAttribute("aria-valuetext"));
		await t01.focus();
		assert.match(await said(), /^rank 70, a hybrid of both, this run/);
		assert.match(await said(), /1 without a record before it$/);
		await page.keyboard.press("ArrowLeft");
		assert.match(await tip(), /^rank 69\nsearch by dense_lsa_doc\n/);
		await page.keyboard.press("Home");
		assert.match(await tip(), /^not found\nsearch by keyword_and_stop/);
		assert.match(await said(), /^not found, search by keyword_and_stop/);
		await page.keyboard.press("Escape");
		assert.equal(await tip(), "");

		const metric = await page.$(".chart .plot svg[data-kind=metric]");
		await metric.evaluate((m) => m.scrollIntoView());
		const box = await metric.boundingBox();
		await page.mouse.move(box.x + box.width * 0.88, box.y + 40);
		assert.match(await tip(), /^0\.8333\na hybrid of both/);
		await page.mouse.move(2, 2);
		assert.equal(await tip(), "");
	END
}

@test "axe finds nothing serious, in light, dark and on a phone" {
	can_look
	forge
	look "$CHECK" <<< 'assert.deepEqual(await axe(), []);'
	look "$CHECK" dark 390 <<-'END'
		assert.deepEqual(await axe(), []);
		assert.equal(await page.evaluate(
			() => document.documentElement.scrollWidth), 390);
	END
	look "$HISTORY" 390 <<-'END'
		assert.deepEqual(await axe(), []);
		assert.equal(await page.evaluate(
			() => document.documentElement.scrollWidth), 390);
	END
}

@test "without a script the page is whole, and has no dead controls" {
	can_look
	forge
	look "$CHECK" noscript <<-'END'
		assert.equal(await page.$$eval("button", (all) =>
			all.filter((b) => b.offsetParent).length), 0);
		assert.equal(await page.$$eval("input", (all) =>
			all.filter((b) => b.offsetParent).length), 0);
		assert.equal((await texts(".chart")).length, 7);
		assert.equal((await texts("table.questions tbody tr")).length, 64);
		assert.equal(await page.$$eval(".plot svg[role=img]",
			(all) => all.filter((s) => s.ariaLabel).length), 7);
	END
}

# A repository whose texts are $1's: ids, texts, slices, subjects, labels.
#   told WORD
told() {
	local evil=$1
	perl -MJSON::PP -MEncode -e '
		my $evil = decode("UTF-8", shift);
		my $json = JSON::PP->new->ascii;
		print $json->encode([map { {id => "$evil$_", text => "text $evil",
		    expected => "doc $evil$_", kind => $evil} } 1 .. 3]);
		open(my $run, ">", "run.jsonl") or die;
		for my $i (1 .. 3) {
			print $run $json->encode({id => "$evil$i",
			    results => ["x $evil", "doc $evil$i"]}), "\n";
		}
		open($run, ">", "worse.jsonl") or die;
		for my $i (1 .. 3) {
			print $run $json->encode({id => "$evil$i", results =>
			    ["x $evil", "y $evil", "doc $evil$i"]}), "\n";
		}
		open(my $config, ">", "evalgate.yaml") or die;
		print $config $json->encode({version => 1,
		    questions => "questions.json", metrics => ["mrr"],
		    slices => ["kind"], labels => {model => $evil},
		    tracked => [map { {question => "$evil$_", note => $evil} }
			1 .. 3],
		    waivers => [{question => "${evil}3", until => "2030-01-01",
			reason => $evil, issue => $evil}]}), "\n";
	' "$evil" > questions.json
	commit "subject $evil"
	eg 0 record run.jsonl --now 2026-01-01T00:00:00Z --allow-dirty
	commit "and $evil"
	eg 1 check worse.jsonl --now 2026-01-02T00:00:00Z \
	    --format "html:$T/$2-check.html"
	eg 0 history --format "html:$T/$2-history.html"
}

@test "nothing of a user's text becomes markup, script or a link" {
	local evil="x'\"><img src=x onerror=hit()><script>hit()</script>"
	evil+='</title></style><!--&lt;javascript:hit()${hit()}'
	can_look
	new_repo plain
	told aaaaaaaa plain
	new_repo evil
	told "$evil" evil
	for page in check history; do
		for kind in plain evil; do
			look "$T/$kind-$page.html" <<-'END' > "$T/$kind.n"
				console.log(await page.evaluate(() =>
					document.querySelectorAll("*").length));
				assert.equal((await page.$$("script")).length, 1);
				assert.equal((await page.$$("img")).length, 0);
				assert.equal((await page.$$("style")).length, 1);
				for (const href of await page.$$eval("[href], [src]",
					(all) => all.map((a) => a.getAttribute("href"))))
					assert.match(href, /^(#[a-z0-9]+|data:,)$/);
				assert.equal(await page.$$eval("*", (all) => all.filter(
					(e) => [...e.attributes].some((a) =>
						/^on|^style$/.test(a.name))).length), 0);
			END
		done
		[ -s "$T/plain.n" ]
		same "$(cat "$T/evil.n")" "$(cat "$T/plain.n")"
	done
	EVIL=$evil look "$T/evil-check.html" <<-'END'
		const ids = await texts("table.questions tbody th bdi");
		assert.equal(ids[0], `${process.env.EVIL}1`);
	END
}

@test "what reorders or hides text is shown as what it is" {
	can_look
	new_repo
	# As bytes: \u means something else to a bash of another locale.
	told $'a\xe2\x80\xaeb\xe2\x81\xa6c\xe2\x80\x8fd\xe2\x80\xa8e\x01f\xc2\x85g' odd
	look "$T/odd-check.html" <<-'END'
		const text = await page.evaluate(
			() => document.documentElement.outerHTML);
		assert.doesNotMatch(text,
			/[\u202a-\u202e\u2066-\u2069\u200e\u200f\u2028\u2029\x01\u0085]/);
		const ids = await texts("table.questions tbody th bdi");
		assert.match(ids[0], /^a\\u\{202E\}b\\u\{2066\}c/);
	END
}

@test "suites become one page, the worst first, and each is reached" {
	can_look
	new_repo
	config <<< 'metrics: [mrr]'
	ranks ../good.csv a=1 b=2
	ranks ../bad.csv a=4 b=2
	commit c1
	eg 0 record ../good.csv --suite north --now 2026-01-01T00:00:00Z
	eg 0 record ../good.csv --suite south --now 2026-01-01T00:00:00Z
	commit c2
	eg 0 check ../good.csv --suite north --format "json:$T/n.json"
	eg 1 check ../bad.csv --suite south --format "json:$T/s.json"
	eg 1 report "$T/n.json" "$T/s.json" --format "html:$T/all.html"
	look "$T/all.html" <<-'END'
		assert.deepEqual(await texts("nav tbody th"), ["south", "north"]);
		assert.deepEqual(await texts("h1"), ["FAIL", "PASS"]);
		const ids = await page.$$eval("[id]", (all) => all.map((e) => e.id));
		assert.equal(new Set(ids).size, ids.length);
		for (const href of await page.$$eval("nav a",
			(all) => all.map((a) => a.getAttribute("href"))))
			assert.ok(await page.$(href), href);
		assert.deepEqual(await axe(), []);
	END
}

# 1,000 questions and a record on each of 200 commits, all as one pack of
# lines: the set of questions and the rules are those of a real record.
big() {
	local i
	new_repo
	for ((i = 1000; i < 2000; i++)); do
		echo "{\"id\":\"q$i\",\"text\":\"what became of number $i, and" \
		    "which report tells of it?\",\"expected\":\"d$i\"}"
	done > questions.jsonl
	config <<-'END'
		questions: questions.jsonl
		metrics: [recall@5, mrr]
		tracked: [{question: q1000}, {question: q1001}, {question: q1002}]
	END
	awk 'BEGIN { srand(1); print "question,rank"
		for (i = 1000; i < 2000; i++)
			print "q" i "," 1 + int(rand() * 20) }' > ../run.csv
	commit c0
	eg 0 record ../run.csv --now 2024-12-31T00:00:00Z
	git notes --ref=evalgate/default show > "$T/line"
	many_commits | git fast-import --quiet --force
	git log --reverse --format='%H %T %P' main > "$T/commits"
	many_records | git fast-import --quiet
	git reset -q --hard
}

many_commits() {
	awk 'BEGIN {
		for (i = 1; i <= 200; i++) {
			subject = "retriever: weight " i " of the second stage"
			printf "commit refs/heads/main\ncommitter B <b@e> "
			printf "%d +0000\ndata %d\n%s\n", 1735700000 + i * 43200,
			    length(subject), subject
			if (i == 1)
				printf "from refs/heads/main^0\n"
			printf "M 100644 inline n\ndata %d\n%d\n\n", length(i) + 1, i
		}
	}'
}

many_records() {
	awk -v line="$(cat "$T/line")" '
	BEGIN {
		srand(7)
		printf "commit refs/notes/evalgate/default\ncommitter B <b@e> "
		printf "1735700000 +0000\ndata 1\nn\n"
		printf "from refs/notes/evalgate/default^0\n"
		tail = line
		sub(/.*"verdict":"[a-z]*"/, "", tail)
		sub(/"ranks":.*/, "", tail)
		for (i = 0; i < 1000; i++)
			rank[i] = 1 + int(rand() * 20)
	}
	NR > 1 {
		for (k = 0; k < 60; k++)
			rank[int(rand() * 1000)] = int(rand() * 30)
		text = "{\"evalgate\":1,\"suite\":\"default\",\"at\":\"2025-0" \
		    1 + int(NR / 25) "-0" 1 + NR % 9 "T00:00:00Z\",\"tool\":\"t\","
		text = text "\"rules\":1,\"commit\":\"" $1 "\",\"tree\":\"" $2
		text = text "\",\"parents\":[\"" $3 "\"],\"prev\":\"" $3
		text = text "\",\"verdict\":\"pass\"" tail "\"ranks\":["
		for (i = 0; i < 1000; i++)
			text = text (i ? "," : "") rank[i]
		text = text "]}"
		printf "N inline %s\ndata %d\n%s\n\n", $1, length(text) + 1, text
	}' "$T/commits"
}

@test "1,000 questions and 200 commits: a few hundred KiB, open in a moment" {
	can_look
	big
	commit c201
	"$EVALGATE" check ../run.csv --format "html:$T/big.html" > "$T/out" || :
	size=$(wc -c < "$T/big.html")
	[ "$size" -gt 150000 ]
	[ "$size" -lt 600000 ] || {
		echo "$size bytes"
		return 1
	}
	look "$T/big.html" <<-'END'
		assert.equal((await texts("table.questions tbody tr")).length, 1000);
		assert.equal((await texts("#records1 tbody tr")).length, 201);
		assert.equal((await texts(".chart")).length, 5);
		const values = await page.$eval(".plot svg[data-kind=rank]",
			(s) => s.dataset.v.split(",").length);
		assert.equal(values, 201);
		const begin = Date.now();
		await page.click("table.questions th:nth-child(2) button");
		await page.click(".chips button[data-kind=fell]");
		assert.ok(Date.now() - begin < 5000, `${Date.now() - begin} ms`);
		assert.deepEqual(await axe(), []);
	END
}

@test "the same input gives the same page, and no time but the records'" {
	new_repo
	config <<< 'metrics: [mrr]'
	ranks ../r.csv a=1 b=2
	commit c1
	eg 0 record ../r.csv --now 2026-01-01T00:00:00Z
	commit c2
	eg 0 check ../r.csv --format "html:$T/one.html"
	eg 0 check ../r.csv --format "html:$T/two.html" --now 2031-01-01T00:00:00Z
	cmp "$T/one.html" "$T/two.html"
}

@test "commits are links where the host is known, and no secret is in them" {
	new_repo
	config <<< 'metrics: [mrr]'
	ranks ../r.csv a=1 b=2
	commit c1
	eg 0 record ../r.csv --now 2026-01-01T00:00:00Z
	git remote add origin x
	id=$(git rev-parse HEAD)
	while read -r url web; do
		git config remote.origin.url "$url"
		eg 0 history --format html
		if [ -n "$web" ]; then
			says "href=\"$web$id\""
		else
			says_not "href=\"http"
		fi
		says_not hunter2
	done <<-'END'
		https://github.com/o/r.git https://github.com/o/r/commit/
		https://me:hunter2@github.com/o/r https://github.com/o/r/commit/
		git@gitlab.com:o/sub/r.git https://gitlab.com/o/sub/r/-/commit/
		ssh://git@bitbucket.org:22/o/r.git https://bitbucket.org/o/r/commits/
		git@codeberg.org:o/r https://codeberg.org/o/r/commit/
		https://gitlab.example.com/o/r/ https://gitlab.example.com/o/r/-/commit/
		https://hunter2.example.com/o/r.git
		https://github.com/o/r"><script>
		javascript:github.com/o/r
		file:///srv/github.com/o/r
		../github.com/o/r
	END
}
