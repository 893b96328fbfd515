import { operations } from "@kalends/spec";
import { expect, test } from "vitest";
import { readPage } from "../../test/pages.js";
import {
  bodyBytes,
  type Budget,
  budgets,
  type Exception,
  exceptions,
  file,
  heavyWork,
  mostEvents,
  page,
  strangerBytes,
  unsentBytes,
} from "./limits.js";

// docs/limits.md prints the tables of limits.ts.

test("the rules for proxies in docs/self-hosting.md and their examples let the largest bodies pass", () => {
  const rules = readPage("docs/self-hosting.md");
  const [, rule = ""] = /^4\. ([^]*?)^5\. /m.exec(rules) ?? [];
  expect(rule).toContain(`bodies of ${budgets.write.bytesIn / 2 ** 20} MiB`);
  expect(rule).toContain(`calendar files of ${budgets.import.bytesIn / 1e6} MB`);
  expect(rule).toContain(operations.importCalendar.path);
  const nginx = readPage("examples/nginx/kalends.conf");
  const sizes = [...nginx.matchAll(/client_max_body_size (\d+)k;/g)].map(([, size]) => Number(size) * 1024);
  expect(sizes).toHaveLength(2);
  const needed = [budgets.write.bytesIn, budgets.import.bytesIn];
  for (const [index, least] of needed.entries()) expect(sizes[index]).toBeGreaterThan(least);
});

const number = (value: number | undefined): string =>
  value === undefined ? "" : value === Infinity ? "no limit" : value.toLocaleString("en-US");

const costs = ({ bytesIn, rowsWritten, bytesWritten, bytesAnswered }: Partial<Budget>): readonly string[] =>
  [bytesIn, rowsWritten, bytesWritten, bytesAnswered].map(number);

function cells(line: string): string {
  return line
    .split("|")
    .map((cell) => cell.trim())
    .join("|");
}

test("docs/limits.md has each class with its budget, and each exception with its reason", () => {
  const lines = readPage("docs/limits.md").split("\n").map(cells);
  const classes = Object.entries(budgets).map(([name, budget]) => {
    const { writerMs, loopMs }: Budget = budget;
    const times = [`${writerMs} ms`, `${loopMs} ms`];
    return `|${[`\`${name}\``, ...costs(budget), ...times].join("|")}|`;
  });
  const row = (name: string, { reason, ...budget }: Exception) =>
    `|${[name, ...costs(budget), reason].join("|")}|`;
  const others = Object.entries(exceptions).map(([id, exception]) => row(`\`${id}\``, exception));
  expect(lines.filter((line) => line.startsWith("|`"))).toStrictEqual([...classes, ...others]);
  expect(lines).toEqual(expect.arrayContaining([row("a list with `page`", page), row("a file", file)]));
});

test("docs/limits.md has the other limits of the table", () => {
  const page = readPage("docs/limits.md");
  const { ofSeries, ofFile } = mostEvents;
  expect(page).toContain(
    `A series has at most ${number(ofSeries)} events, and a file at most ${number(ofFile)}`,
  );
  const flat = page.replaceAll(/\s+/g, " ");
  const mega = ({ ofOne: one, ofAll: all }: { readonly ofOne: number; readonly ofAll: number }) =>
    [one, all].map((bytes) => bytes / 1024 / 1024);
  const [ofOne, ofAll] = mega(unsentBytes);
  expect(flat).toContain(`one of any size or ${ofOne} MB of an account, and ${ofAll} MB of all`);
  const [ofAccount, ofBodies] = mega(bodyBytes);
  expect(flat).toContain(`names no valid token may send ${strangerBytes / 1024} KiB`);
  expect(flat).toContain(
    `at most ${ofAccount} MB of an account, or of all callers without a token, and ${ofBodies} MB of all`,
  );
  expect(flat).toContain(`runs ${heavyWork.ofOne} of an account and ${heavyWork.ofAll} of all at once`);
  expect(flat).toContain(
    `Up to ${heavyWork.mostWaiting} of an account wait, for at most ${heavyWork.waitMs / 1000} seconds`,
  );
});
