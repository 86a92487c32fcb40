/*
 * Starts one headless Chromium for a file of tests, writes where it listens
 * to FILE, and ends it when told to end.
 *   node launch.js FILE
 */
"use strict";

const fs = require("node:fs");
const path = require("node:path");
const {createRequire} = require("node:module");

const root = path.resolve(__dirname, "../..");
const puppeteer = createRequire(
	path.join(root, "build/browser/"))("puppeteer-core");

const main = async () => {
	const browser = await puppeteer.launch({
		executablePath: process.env.CHROMIUM || "/usr/bin/chromium",
		/* Tests run as root in containers, with little of /dev/shm. */
		args: ["--no-sandbox", "--disable-gpu",
			"--disable-dev-shm-usage", "--force-color-profile=srgb"],
	});
	const end = () => browser.close().then(() => process.exit(0));
	process.on("SIGTERM", end);
	process.on("SIGINT", end);
	fs.writeFileSync(process.argv[2] + ".new", browser.wsEndpoint());
	fs.renameSync(process.argv[2] + ".new", process.argv[2]);
};

main().catch((e) => {
	console.error(e.message || e);
	process.exit(1);
});
