import { expect, test } from "vitest";
import { schemaStatements } from "../src/db/schema.js";
import { readPage } from "./pages.js";

// docs/capacity.md says of each table without account_id what follows for a sharded installation.

const [, section = ""] = readPage("docs/capacity.md").split("## Sharding by account\n");

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
