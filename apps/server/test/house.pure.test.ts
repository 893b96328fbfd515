import { existsSync, readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { sources, textFiles } from "./sources.js";

test("no test is switched off, and none hides the others", () => {
  const mark = /\b(?:describe|it|suite|test)(?:\.\w+)*\.(?:only|skip|todo)\b/;
  const files = [...sources("src"), ...sources("test")].filter(({ path }) => path.endsWith(".test.ts"));
  expect(files.length).toBeGreaterThan(1);
  expect(files.filter(({ text }) => mark.test(text)).map(({ path }) => path)).toEqual([]);
});

test("the name of every test file says where and in which ring it runs", () => {
  const files = textFiles()
    .map(({ path }) => path)
    .filter((path) => path.endsWith(".test.ts"));
  const places = /^(?:(?:packages|examples|apps)\/[\w-]+\/(?:src|test)|tests\/\w+|deep\/\w+)\//;
  const names = /\/[\w-]+(?:\.deep)?\.test\.ts$/;
  const namesOfServer =
    /^apps\/server\/.*\/[\w-]+(?:\.slow|(?:\.(?:pure|sqlite|postgres|pooled))?(?:\.deep)?)\.test\.ts$/;
  expect(files.length).toBeGreaterThan(200);
  expect(
    files.filter((path) => !places.test(path) || !(names.test(path) || namesOfServer.test(path))),
  ).toEqual([]);
  const isDeep = /^deep\//;
  expect(files.filter((path) => isDeep.test(path) && !path.endsWith(".deep.test.ts"))).toEqual([]);
});

/** The sources of the server, without comments, by their path from its src. */
const server = sources("src").flatMap(({ path, text }) =>
  path.startsWith("apps/server/src/") && !path.endsWith(".test.ts")
    ? [{ path: path.replace("apps/server/src/", ""), text: withoutComments(text) }]
    : [],
);

test("config.ts alone reads the environment, and of the conformance suite its command", () => {
  const readers = sources("src")
    .filter(({ path, text }) => !path.endsWith(".test.ts") && /\bprocess\.env\b/.test(withoutComments(text)))
    .map(({ path }) => path);
  expect(readers).toEqual(["packages/conformance/src/cli.ts", "apps/server/src/settings/config.ts"]);
});

test("zod is imported so that a bundle leaves out what is not used of it (docs/decisions/0005)", () => {
  const importers = sources("src").filter(({ text }) => /from "zod"/.test(text));
  expect(importers.length).toBeGreaterThan(10);
  const whole = importers.filter(({ text }) => !/^import (?:type )?\* as z from "zod";$/m.test(text));
  expect(whole.map(({ path }) => path)).toEqual([]);
});

test("the clock is read where a process starts; everywhere else it is a parameter", () => {
  const readers = server.filter(({ text }) => /\bDate\.now\b|\bnew Date\(\s*\)/.test(text));
  expect(readers.length).toBeGreaterThan(0);
  expect(
    readers
      .filter(({ path }) => !/^(?:process\/(?:lifecycle|server|testing)\.ts|cli\/)/.test(path))
      .map(({ path }) => path),
  ).toEqual([]);
});

test("SQL is in db/, and in files that are named queries or job", () => {
  const sql =
    /(?<!express)\.raw\((?!\))|\.where\w*\(|<\w+Row>\("|\b(?:select [^"`]+ from|insert into|update \w+ set|delete from)\b/;
  const named = /^db\/|^[\w-]+\/(?:(?:[\w-]+-)?queries|[\w-]+-job)\.ts$/;
  const withSql = server.filter(({ text }) => sql.test(text)).map(({ path }) => path);
  expect(withSql.length).toBeGreaterThan(20);
  expect(withSql.filter((path) => !named.test(path))).toEqual([]);
});

test("every decision has a status and a date, and is in the index with both", () => {
  const folder = new URL("../../../docs/decisions/", import.meta.url);
  const read = (file: string): string => readFileSync(new URL(file, folder), "utf8");
  const pages = readdirSync(folder).filter((file) => file !== "README.md");
  const numbers = pages.map((file) => file.slice(0, 4));
  const status = `Proposed|Accepted|Superseded by (?:${numbers.join("|")})`;
  const lines = pages.toSorted().map((file) => {
    const head = `^# (${file.slice(0, 4)} .+)\\n\\nStatus: (${status})\\. Date: (\\d{4}-\\d\\d-\\d\\d)\\.\\n`;
    const [, title = "no title", state = "no status", date = "no date"] =
      new RegExp(head).exec(read(file)) ?? [];
    return `- [${title}](${file}): ${state}, ${date}`;
  });
  expect(new Set(numbers).size).toBe(pages.length);
  expect(lines.filter((line) => line.includes("no status"))).toEqual([]);
  expect(read("README.md").match(/^- .*$/gm)).toEqual(lines);
});

test("every decision that a file cites is there", () => {
  const pages = readdirSync(new URL("../../../docs/decisions/", import.meta.url));
  const cited = textFiles().flatMap(({ path, text }) =>
    [...text.matchAll(/\bdecision(?:s\/| )(\d{4}(?:-[\w-]+\.md)?)/g)].map(([, name = ""]) => ({
      path,
      name,
    })),
  );
  expect(cited.length).toBeGreaterThan(50);
  expect(cited.filter(({ name }) => !pages.some((page) => page.startsWith(name)))).toEqual([]);
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

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, "").replace(/(^|\s)\/\/.*$/gm, "$1");
}

test("what followers and the contract read of events comes from the view of the published ones (docs/decisions/0014)", () => {
  const isPublic =
    /^public\/|^files\/(csv|export-[\w-]+|files|subscribers-file)\.ts$|^events\/(page|part|change)-queries\.ts$|^calendars\/(public|category)-queries\.ts$/;
  const namesTable = /\("events(?: as \w+)?"|\b(?:from|join|into|update) events\b/;
  const files = server.filter(({ path }) => isPublic.test(path));
  expect(files.filter(({ text }) => /published_events/.test(text)).length).toBeGreaterThan(4);
  expect(files.filter(({ text }) => namesTable.test(withoutComments(text))).map(({ path }) => path)).toEqual(
    [],
  );
  expect(namesTable.test('db<EventRow>("events").where({ uid })')).toBe(true);
});

test("events are removed for good where there is no trash, by syncs and by purges (docs/decisions/0014)", () => {
  const deletes =
    /\bdelete from events\b|\btrx\(table\)\.whereIn\("id", ids\)\.delete\(\)|(?:events\(\w+\)|<EventRow>\("events"\))[^;]*\.(?:delete|del)\(/;
  const places = server.filter(({ path, text }) => !path.startsWith("db/") && deletes.test(text));
  expect(places.map(({ path }) => path).toSorted()).toEqual([
    "events/calendar-purge-job.ts",
    "events/queries.ts",
    "files/store-queries.ts",
  ]);
});
