import { expect, test } from "vitest";
import { makeFollowers, pollApps, pollsOf } from "../bench/poll-apps.js";
import { schemaStatements } from "../src/db/schema.js";
import { readPage } from "./pages.js";

const page = readPage("docs/capacity.md");
const [, section = ""] = page.split("## Sharding by account\n");
const number = (text = ""): number => Number(text.replaceAll(",", ""));

const tables = schemaStatements("postgres").flatMap((sql) => {
  const [, name = "", columns = ""] = /^create table (\w+) \((.*)\)/s.exec(sql) ?? [];
  return name === "" ? [] : [{ name, hasAccount: /\baccount_id bigint\b/.test(columns) }];
});

/** Names in backticks of the first cell of each row. */
const named = section
  .split("\n")
  .filter((line) => line.startsWith("|"))
  .flatMap((line) => [...(line.split("|")[1] ?? "").matchAll(/`(\w+)`/g)].map(([, name = ""]) => name));

test("docs/capacity.md has each table without account_id once, and no other", () => {
  const without = tables.filter(({ hasAccount }) => !hasAccount).map(({ name }) => name);
  expect(without.length).toBeGreaterThan(10);
  expect(named.toSorted()).toEqual(without.toSorted());
});

test("docs/capacity.md has the number of tables that have one", () => {
  const count = tables.filter(({ hasAccount }) => hasAccount).length;
  expect(section).toContain(`${count} of ${tables.length} tables have an \`account_id\``);
});

test("docs/capacity.md has the apps of the simulation, and the polls that they cause", () => {
  const compact = page.replace(/ +/g, " ");
  for (const { name, percent, everyMinutes, atHourPercent, isConditional } of pollApps)
    expect(compact).toContain(
      `| ${name} | ${percent} % | ${everyMinutes} min | ${atHourPercent} % | ${isConditional ? "yes" : "no"} |`,
    );
  const polls = pollsOf(makeFollowers(100_000, 10_000), 60);
  const peak = polls.filter(({ at }) => at < 60);
  const [, average, most] = /([\d,]+) polls\/s on average, and ([\d,]+) polls\/s in/.exec(page) ?? [];
  expect([number(average), number(most)]).toEqual([
    Math.round((polls.length / 3600) * 100),
    Math.round((peak.length / 60) * 100),
  ]);
});

test("docs/capacity.md plans as many processes and cores as the first minute of an hour takes", () => {
  const [, most] = /([\d,]+) polls\/s in the first/.exec(page) ?? [];
  const [, server, postgres] =
    /took ([\d.]+) ms of the server and ([\d.]+) ms of PostgreSQL/.exec(page) ?? [];
  const cores = (ms = ""): number => Math.ceil((number(most) * Number(ms)) / 1000);
  expect(page).toContain(`**${cores(server)} processes** and ${cores(postgres)} cores of PostgreSQL`);
});

test("docs/capacity.md computes the sizes of tables from those of their rows", () => {
  const bytes = [...page.matchAll(/^\| .* \| +([\d,]+) bytes \|$/gm)].map(([, size]) => number(size));
  const [, rows = ""] = page.split("## Rows\n");
  const tables = [...rows.matchAll(/^\| (\w[\w, ]*?) +\| (?:at most )?([\d,]+)\b.* \| (\d+) GB +\|$/gm)];
  const sizes = new Map(
    tables.map(([, name = "", count, size]) => [name, { count: number(count), size: Number(size) }]),
  );
  const order = [
    "Events",
    "Their texts, for searches",
    "Categories",
    "History",
    "Followers",
    "Event counts",
    "Polls of a day",
  ];
  for (const [index, name] of order.entries()) {
    const { count = NaN, size } = sizes.get(name) ?? {};
    expect([name, size]).toEqual([name, Math.round((count * (bytes[index] ?? NaN)) / 1e9)]);
  }
});
