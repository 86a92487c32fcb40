/*
 * Opens a page in the browser that launch.js has started, BROWSER_AT being
 * its FILE, and runs a test's own lines on it.
 *   node look.js FILE [WIDTH] [dark] [noscript] < LINES
 * LINES are the body of an async function with page (puppeteer's), assert,
 * axe() and texts(selector).  Whatever the page writes to the console, each
 * request but for the file itself, and each error fails it.
 */
"use strict";

const assert = require("node:assert").strict;
const fs = require("node:fs");
const path = require("node:path");
const {createRequire} = require("node:module");

const root = path.resolve(__dirname, "../..");
const require_ = createRequire(path.join(root, "build/browser/"));
const puppeteer = require_("puppeteer-core");

/* Violations that keep somebody from using the page. */
const axe = async (page) => {
	const source = fs.readFileSync(
		require_.resolve("axe-core/axe.min.js"), "utf8");
	await page.evaluate(source);
	const found = await page.evaluate(() => window.axe.run(document));
	return found.violations
		.filter((v) => ["serious", "critical"].includes(v.impact))
		.map((v) => `${v.id}: ${v.nodes.slice(0, 3)
			.map((n) => n.html.slice(0, 200)).join(" | ")}`);
};

const main = async () => {
	const [file, ...words] = process.argv.slice(2);
	const lines = fs.readFileSync(0, "utf8");
	const complaints = [];
	const browser = await puppeteer.connect({browserWSEndpoint:
		fs.readFileSync(process.env.BROWSER_AT, "utf8")});
	const page = await browser.newPage();
	try {
		const width = Number(words.find((w) => /^\d+$/.test(w))) || 1280;
		page.on("console", (m) => complaints.push(`console: ${m.text()}`));
		page.on("pageerror", (e) => complaints.push(`error: ${e.message}`));
		page.on("request", (r) => {
			if (!r.url().startsWith("file:") &&
			    !r.url().startsWith("data:"))
				complaints.push(`request: ${r.url()}`);
		});
		await page.setViewport({width, height: 900});
		await page.emulateMediaFeatures([{name: "prefers-color-scheme",
			value: words.includes("dark") ? "dark" : "light"},
		/* What moves slowly is not where a test looks for it. */
		{name: "prefers-reduced-motion", value: "reduce"}]);
		await page.setJavaScriptEnabled(!words.includes("noscript"));
		await page.goto(`file://${path.resolve(file)}`);
		const texts = (selector) => page.$$eval(selector, (all) => all
			.filter((e) => e.offsetParent !== null)
			.map((e) => e.textContent.trim()));
		const run = new (async () => {}).constructor(
			"page", "assert", "axe", "texts", lines);
		await run(page, assert, () => axe(page), texts);
		assert.deepEqual(complaints, []);
	} finally {
		await page.close();
		await browser.disconnect();
	}
};

main().catch((e) => {
	console.error(e.message || e);
	process.exit(1);
});
