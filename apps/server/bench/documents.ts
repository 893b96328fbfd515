import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { ratio, type Results, type Run } from "./run.js";

// The figures of results.json in the documents: they quote one run, and nothing else.

/** The rows of a table by their first cell, with the cells after it. */
type Rows = ReadonlyMap<string, readonly string[]>;

export interface Document {
  /** Path in the repository. */
  readonly path: string;
  readonly rows: (results: Results) => Rows;
}

const readmeJobs = [
  ["List 100 of 10,000 events, cached", "J1-cached"],
  ["List 100 of 10,000 events, uncached", "J1-uncached"],
  ["Create an event, durable", "J3"],
  ["Save an event, durable", "J4"],
  ["Feed of 1,000 events, gzip", "J7"],
  ["Feed, unchanged (304)", "J8"],
] as const;

const capacityJobs = [
  ["An unchanged feed (304), J8", "J8"],
  ["A cached feed of 1,000 events, gzip, J7", "J7"],
  ["A page of 100 events, cached, J1", "J1-cached"],
  ["A page of 100 events, uncached, J1", "J1-uncached"],
  ["A durable create, J3", "J3"],
] as const;

export const documents: readonly Document[] = [
  {
    path: "README.md",
    rows: ({ sqlite }) =>
      new Map(
        readmeJobs.map(([title, id]) => [
          title,
          [
            speedOf(sqlite, id),
            ...(["bare", "express", "tutorial"] as const).map((other) => ratioOf(sqlite, id, other)),
          ],
        ]),
      ),
  },
  {
    path: "docs/capacity.md",
    rows: ({ sqlite, postgres }) =>
      new Map(capacityJobs.map(([title, id]) => [title, [costOf(sqlite, id), costOf(postgres, id)]])),
  },
];

function speedOf(run: Run | undefined, id: string): string {
  const speed = run?.jobs[id]?.ours?.requestsPerSecond;
  return speed === undefined ? "" : Math.round(speed).toLocaleString("en");
}

function costOf(run: Run | undefined, id: string): string {
  const cpu = run?.jobs[id]?.ours?.cpuMicros;
  if (cpu === undefined) return "not measured";
  return `${speedOf(run, id)} requests/s, ${Math.round(cpu).toLocaleString("en")} us`;
}

/** Formats a ratio with two significant digits, or three from 100 on. */
function ratioOf(run: Run | undefined, id: string, other: "bare" | "express" | "tutorial"): string {
  if (run === undefined) return "";
  const value = ratio(run, id, other);
  if (value < 10) return value.toFixed(value < 1 ? 2 : 1);
  return Number(value.toPrecision(value < 100 ? 2 : 3)).toLocaleString("en");
}

/** Returns the page with the rows in its table. */
export function withRows(page: string, rows: Rows): string {
  const row = (line: string): string => {
    const [, title = ""] = line.split("|").map((cell) => cell.trim());
    const cells = rows.get(title);
    return cells === undefined ? line : `| ${[title, ...cells].join(" | ")} |`;
  };
  return page.split("\n").map(row).join("\n");
}

/** Writes the figures into the documents; `npm run format` aligns their tables. */
export function writeDocuments(results: Results): void {
  for (const { path, rows } of documents) {
    const file = fileURLToPath(new URL(`../../../${path}`, import.meta.url));
    writeFileSync(file, withRows(readFileSync(file, "utf8"), rows(results)));
  }
}
