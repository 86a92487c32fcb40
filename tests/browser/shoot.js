/*
 * Takes pictures of a page, for a README and for the eye.
 *   node shoot.js PAGE PICTURE [WIDTHxHEIGHT] [dark] [TOP]
 * TOP: a selector, that the picture begins at.
 */
"use strict";

const path = require("node:path");
const {createRequire} = require("node:module");

const root = path.resolve(__dirname, "../..");
const puppeteer = createRequire(
	path.join(root, "build/browser/"))("puppeteer-core");

const main = async () => {
	const [file, picture, ...words] = process.argv.slice(2);
	const size = words.find((w) => /^\d+x\d+$/.test(w)) || "1280x960";
	const top = words.find((w) => /^[.#]/.test(w));
	const [width, height] = size.split("x").map(Number);
	const browser = await puppeteer.launch({
		executablePath: process.env.CHROMIUM || "/usr/bin/chromium",
		args: ["--no-sandbox", "--disable-gpu",
			"--disable-dev-shm-usage", "--force-color-profile=srgb"],
	});
	try {
		const page = await browser.newPage();
		await page.setViewport({width, height, deviceScaleFactor: 1.5});
		await page.emulateMediaFeatures([
			{name: "prefers-color-scheme",
				value: words.includes("dark") ? "dark" : "light"},
			{name: "prefers-reduced-motion", value: "reduce"}]);
		await page.goto(`file://${path.resolve(file)}`);
		if (top)
			await page.$eval(top, (e) => e.scrollIntoView());
		await page.screenshot({path: picture});
	} finally {
		await browser.close();
	}
};

main().catch((e) => {
	console.error(e.message || e);
	process.exit(1);
});
