import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { sources } from "./sources.js";

const longest = 250; // lines; docs/decisions/0010-what-simple-means.md

test(`no source file is longer than ${longest} lines`, () => {
  const long = sources("src").filter(({ text }) => text.trimEnd().split("\n").length > longest);
  expect(long.map(({ path }) => path)).toEqual([]);
});

test("no test is switched off, and none hides the others", () => {
  const mark = /\b(?:describe|it|suite|test)(?:\.\w+)*\.(?:only|skip|todo)\b/;
  const files = [...sources("src"), ...sources("test")].filter(({ path }) => path.endsWith(".test.ts"));
  expect(files.length).toBeGreaterThan(1);
  expect(files.filter(({ text }) => mark.test(text)).map(({ path }) => path)).toEqual([]);
});

test("every test that docs/rulings.md names is there", () => {
  const rulings = readFileSync(new URL("../../../docs/rulings.md", import.meta.url), "utf8");
  const named = new Set(rulings.match(/(?<= )[\w/.-]+\.test\.ts/g));
  expect(named.size).toBeGreaterThan(15);
  const path = (file: string): string => (file.startsWith("packages/") ? file : `apps/server/${file}`);
  expect(
    [...named].filter((file) => !existsSync(new URL(`../../../${path(file)}`, import.meta.url))),
  ).toEqual([]);
});
