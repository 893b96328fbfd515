#!/usr/bin/env node
// Stands in for jq where it is not installed, with the few forms of filter that the pages use. readme.sqlite.deep.test.ts compares the two.
import { readFileSync } from "node:fs";

const options = process.argv.slice(2, -1).join(" ");
const [first, ...rest] = process.argv.at(-1)?.split(" | ") ?? [];

/** @param {unknown[]} values @param {string} path such as .events[] */
const follow = (values, path) =>
  [...path.matchAll(/\.(\w+)|(\[\])/g)].reduce(
    (found, [, name]) => found.flatMap((value) => (name === undefined ? value : [value?.[name] ?? null])),
    values,
  );

/** @param {unknown} value @param {string} filter */
function apply(value, filter) {
  const fields = /^\{([\w, ]+)\}$/.exec(filter);
  if (fields) return [Object.fromEntries(fields[1].split(", ").map((name) => [name, value[name] ?? null]))];
  const text = /^"([^"\\]*)" \+ (\.\w+)$/.exec(filter);
  if (text) return [text[1] + follow([value], text[2])[0]];
  if (/^(\.\w+|\[\])+$/.test(filter)) return follow([value], filter);
  throw new Error(`test/jq.mjs does not know the filter ${filter}`);
}

let values = [JSON.parse(readFileSync(0, "utf8"))];
for (const filter of [first ?? ".", ...rest]) values = values.flatMap((value) => apply(value, filter));
const indent = options.includes("c") ? 0 : 2;
for (const value of values) {
  const text =
    options.includes("r") && typeof value === "string" ? value : JSON.stringify(value, null, indent);
  process.stdout.write(`${text}\n`);
}
