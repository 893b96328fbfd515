import type { Knex } from "knex";
import { afterAll, beforeAll, expect, test } from "vitest";
import { findCalendars } from "../src/calendars/find-queries.js";
import type { Db } from "../src/db/database.js";
import { findIds, type FindOptions } from "../src/events/find-queries.js";
import { onPostgres } from "./databases.js";
import { startTestServer, type TestServer } from "./harness.js";

// Each filter and order of the finds, on tables that have mostly rows of other accounts: what is read is what belongs to the calendar or
// the account of the request. The plans are those that the database chooses; PostgreSQL knows how many rows there are.

const accounts = 20;
const calendarsOfEach = 20;
const eventsOfEach = 100;

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
  await server.db.transaction(fill);
  if (onPostgres) for (const table of Object.keys(owners)) await server.db.read.raw(`analyze ${table}`);
});
afterAll(() => server.stop());

/** What each table may be searched by: a row, or all of an owner. */
const owners = {
  events: ["calendar_id", "id", "rowid", "series_id"], // a series has at most 366
  event_values: ["calendar_id", "event_id"],
  event_categories: ["calendar_id", "event_id"],
  event_search: ["calendar_id", "event_id"],
  calendars: ["account_id", "id", "rowid"],
  calendar_values: ["account_id", "calendar_id"],
} as const;

/** Makes accounts with calendars, whose events have two values each: one that all have, and one that few have. */
async function fill(trx: Db): Promise<void> {
  const numbers = (count: number) =>
    `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${count})`;
  const insert = async (table: string, columns: Readonly<Record<string, string>>, count: number) => {
    const names = Object.keys(columns).join(", ");
    await trx.raw(
      `insert into ${table} (${names}) ${numbers(count)} select ${Object.values(columns).join(", ")} from n`,
    );
  };
  await insert("accounts", { id: "1000 + i", name: "'x'", created_at: "1" }, accounts);
  const times = { created_at: "1", modified_at: "i" };
  const texts = { title: "'x'", description: "''", timezone: "'UTC'" };
  const accountOf = (calendar: string) => `1001 + (${calendar} - 1) / ${calendarsOfEach}`;
  await insert(
    "calendars",
    {
      id: "1000 + i",
      account_id: accountOf("i"),
      uniquekey: "'key' || i",
      calendarname: "'x'",
      palette_id: "'1'",
      save_order: "i",
      ...texts,
      ...times,
    },
    accounts * calendarsOfEach,
  );
  const calendarOfEvent = `(i - 1) / ${eventsOfEach} + 1`;
  const local = {
    start_local: "i * 3600",
    end_local: "i * 3600 + 60",
    start_at: "i * 3600",
    end_at: "i * 3600 + 60",
  };
  await insert(
    "events",
    {
      id: "1000 + i",
      account_id: accountOf(`(${calendarOfEvent})`),
      calendar_id: `1000 + ${calendarOfEvent}`,
      uid: "'uid' || i",
      ...Object.fromEntries(
        ["location", "organizer", "organizer_email", "color_id", "reminder", "json"].map((name) => [
          name,
          "''",
        ]),
      ),
      ...local,
      start_month: "i / 720",
      all_day: "0",
      feed_version: "1",
      ...texts,
      ...times,
    },
    accounts * calendarsOfEach * eventsOfEach,
  );
  const ofEvent = { calendar_id: `1000 + ${calendarOfEvent}`, event_id: "1000 + i" };
  const total = accounts * calendarsOfEach * eventsOfEach;
  await insert("event_categories", { ...ofEvent, name: "'Music'" }, total);
  const letters = { letters_1: "i", letters_2: "i", letters_3: "i", letters_4: "i" };
  await insert("event_search", { ...ofEvent, ...letters, folded: "'concert ' || i" }, total);
  for (const [name, hash] of [
    ["common", "'same'"],
    ["rare", "'h' || i % 5000"],
  ] as const) {
    await insert("event_values", { ...ofEvent, name: `'${name}'`, value_hash: hash }, total);
    await insert(
      "calendar_values",
      { account_id: accountOf("i"), calendar_id: "1000 + i", name: `'${name}'`, value_hash: hash },
      accounts * calendarsOfEach,
    );
  }
}

/** Runs a find and returns, for each read of its queries, the table and the columns that it is searched by. */
async function readsOf(find: (trx: Db) => Promise<unknown>): Promise<readonly Read[]> {
  const queries: { readonly sql: string; readonly bindings: readonly Knex.RawBinding[] }[] = [];
  return server.db.snapshot(async (trx) => {
    const note = (query: (typeof queries)[number]): void => void queries.push(query);
    trx.on("query", note);
    await find(trx);
    trx.removeListener("query", note);
    const reads: Read[] = [];
    for (const { sql, bindings } of queries)
      reads.push(
        ...(onPostgres ? await readsOnPostgres(trx, sql, bindings) : await readsOnSqlite(trx, sql, bindings)),
      );
    return reads;
  });
}

interface Read {
  readonly table: string;
  readonly by: readonly string[];
}

async function readsOnSqlite(
  trx: Db,
  sql: string,
  bindings: readonly Knex.RawBinding[],
): Promise<readonly Read[]> {
  const rows: readonly { detail: string }[] = await trx.raw(`explain query plan ${sql}`, [...bindings]);
  return rows.flatMap(({ detail }) => {
    const [, table] = /^(?:SCAN|SEARCH) (\w+)/.exec(detail) ?? [];
    if (table === undefined || !Object.hasOwn(owners, table)) return []; // of the query itself
    return [{ table, by: columnsOf(/\((.*)\)/.exec(detail)?.[1]) }];
  });
}

interface PostgresNode {
  readonly "Relation Name"?: string;
  readonly "Index Cond"?: string;
  readonly "Recheck Cond"?: string;
  readonly Plans?: readonly PostgresNode[];
}

async function readsOnPostgres(
  trx: Db,
  sql: string,
  bindings: readonly Knex.RawBinding[],
): Promise<readonly Read[]> {
  const text = `explain (format json) ${sql.replaceAll(/\$\d+/g, "?")}`;
  const { rows }: { rows: readonly { "QUERY PLAN": readonly { Plan: PostgresNode }[] }[] } = await trx.raw(
    text,
    [...bindings],
  );
  const nodes = (node: PostgresNode): readonly PostgresNode[] => [node, ...(node.Plans ?? []).flatMap(nodes)];
  return rows
    .flatMap((row) => row["QUERY PLAN"])
    .flatMap(({ Plan }) => nodes(Plan))
    .flatMap((node) => {
      const table = node["Relation Name"];
      return table === undefined
        ? []
        : [{ table, by: columnsOf(node["Index Cond"] ?? node["Recheck Cond"]) }];
    });
}

/** The columns that a condition compares by equality. */
function columnsOf(condition = ""): readonly string[] {
  return [...condition.matchAll(/(\w+) ?=/g)].flatMap(([, column]) => column ?? []);
}

function expectOwn(reads: readonly Read[], tables: readonly string[]): void {
  expect(new Set(reads.map(({ table }) => table))).toEqual(new Set(tables));
  for (const { table, by } of reads) {
    const allowed: readonly string[] = Object.entries(owners).find(([name]) => name === table)?.[1] ?? [];
    expect(
      by.some((column) => allowed.includes(column)),
      `${table} by ${by.join(", ")}`,
    ).toBe(true);
  }
}

const values = [undefined, { name: "common" }, { name: "rare", value: "x" }, { name: "none" }];
const times = [{}, { startMonth: 3 }, { startsFrom: 40_000 * 3600 }, { startMonth: 3, startsFrom: 1 }];
const orders = ["date-asc", "date-desc", "id-asc", "id-desc"] as const;

for (const has of values)
  for (const time of times)
    test(`events with ${JSON.stringify({ ...has, ...time })} are found among those of their calendar, in each order`, async () => {
      for (const order of orders) {
        const options: FindOptions = { ...time, has, order, limit: 100, offset: 0 };
        const reads = await readsOf((trx) => findIds(trx, [{ calendarIds: [1_200] }], options));
        expectOwn(reads, has === undefined ? ["events"] : ["events", "event_values"]);
      }
    });

for (const has of values)
  test(`calendars with ${JSON.stringify(has ?? {})} are found among those of their account`, async () => {
    const reads = await readsOf((trx) =>
      findCalendars(trx, 1_010, { has, calendars: undefined }, { limit: 100, offset: 0 }),
    );
    expectOwn(reads, has === undefined ? ["calendars"] : ["calendars", "calendar_values"]);
  });

const moment = (hour: number) => ({ at: hour * 3600, local: hour * 3600 });
const ranges = [
  {},
  { from: moment(30_000) },
  { to: moment(39_000) },
  { from: moment(30_000), to: moment(30_720) },
];

for (const range of ranges)
  for (const filter of [
    {},
    { status: "confirmed" },
    { seriesId: 7 },
    { category: "Music" },
    { words: ["concert", "12"] },
    { words: ["a"] },
    { words: ["concert"], category: "Music", has: { name: "common" } },
  ])
    test(`events of three calendars with ${JSON.stringify({ ...range, ...filter })} are found among theirs`, async () => {
      for (const order of orders) {
        const options: FindOptions = { ...filter, order, limit: 100, offset: 0 };
        const within = [
          { calendarIds: [1_200, 1_201], ...range },
          { calendarIds: [1_202], ...range },
        ];
        const reads = await readsOf((trx) => findIds(trx, within, options));
        expectOwn(reads, [
          "events",
          ...("category" in filter ? ["event_categories"] : []),
          ...("words" in filter ? ["event_search"] : []),
          ...("has" in filter ? ["event_values"] : []),
        ]);
      }
    });

test("a read of the rows of all accounts is noticed", async () => {
  const reads = await readsOf((trx) => trx("events").where({ title: "x" }).select("id"));
  expect(() => expectOwn(reads, ["events"])).toThrow("events by ");
});
