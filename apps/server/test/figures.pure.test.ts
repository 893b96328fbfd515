import { expect, test } from "vitest";
import { documents, withRows } from "../bench/documents.js";
import { readResults } from "../bench/run.js";
import { kilobytes } from "../src/public/views/static-files.js";
import { readPage } from "./pages.js";

// README.md and docs/capacity.md quote the run of bench/results.json. After another run: `npm run bench:documents` there.

/** Without the spaces that align a table. */
const compact = (page: string): readonly string[] =>
  page.split("\n").map((line) => (line.startsWith("|") ? line.replace(/ +/g, " ") : line));

const results = readResults();

test.each(documents)("$path has the figures of the last run, and each once", ({ path, rows }) => {
  const page = readPage(path);
  expect(compact(page)).toEqual(compact(withRows(page, rows(results))));
  const titles = page.split("\n").map((line) => line.split("|")[1]?.trim());
  for (const title of rows(results).keys())
    expect([title, titles.filter((one) => one === title).length]).toEqual([title, 1]);
});

test("another figure changes the page, so the comparison can fail", () => {
  const { path, rows } = documents[0] ?? { path: "", rows: () => new Map() };
  const { sqlite } = results;
  const job = sqlite?.jobs.J8;
  if (sqlite === undefined || job?.ours === undefined) throw new Error("J8 was not measured");
  const other = {
    ...sqlite,
    jobs: { ...sqlite.jobs, J8: { ...job, ours: { ...job.ours, requestsPerSecond: 1 } } },
  };
  const page = readPage(path);
  expect(compact(withRows(page, rows({ ...results, sqlite: other })))).not.toEqual(compact(page));
});

test("docs/embed.md has the sizes of the two scripts as they are served", () => {
  const { component, list } = kilobytes;
  expect([component, list].every((size) => size > 0)).toBe(true);
  expect(readPage("docs/embed.md").replace(/\s+/g, " ")).toContain(
    `the button has ${component} kB, the list ${list} kB`,
  );
});
