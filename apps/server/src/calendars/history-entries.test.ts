import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { calendarFile, importFile, vevent } from "../../test/calendar-files.js";
import { startTestServer, type TestAccount } from "../../test/harness.js";
import { signIn } from "../../test/people.js";
import { startSource } from "../../test/sync-world.js";
import { callsOf } from "../../test/trash-world.js";
import { purgeDeletedCalendars } from "../events/calendar-purge-job.js";
import { deleteAccount } from "../cli/accounts.js";
import { importCalendarFile, setSearchable } from "../cli/calendars.js";
import { runOperation } from "../cli/run-operation.js";
import type { HistoryRow } from "../db/rows.js";
import { keepTrash } from "./trash-days.js";
import { publishDueDrafts } from "../events/publish-job.js";
import { extendSeries } from "../events/series-extend.js";
import { purgeRequested } from "../events/trash-purge-job.js";
import { createGrowthPruning, pruneHistory } from "./prune-job.js";
import { temporaryFolder } from "../../test/temporary.js";

// Each write leaves an entry that says who made it, and what was before (extensions X9.4).

const server = await startTestServer({ WEBHOOK_ALLOW_PRIVATE: "on" });
const source = await startSource(server);
const owner = await server.account();
const calls = callsOf(owner);
const calendar_id: string = (await calls.newCalendar()).id;
afterAll(async () => {
  await source.stop();
  await server.stop();
});

/** The entries of events that were added since, oldest first. */
async function added<T>(work: () => Promise<T>): Promise<readonly HistoryRow[]> {
  const history = () => server.db.read<HistoryRow>("history").where("event_id", ">", 0).orderBy("id");
  const last = (await history()).at(-1)?.id ?? 0;
  await work();
  return history().where("id", ">", last);
}

const changesOf = ({ changes }: Pick<HistoryRow, "changes">) => JSON.parse(changes);
const start_date = "2026-08-04T10:00";

test("what a token, a person, the command line and a repeated request write has its author", async () => {
  const { tokenId } = await server.db.read("tokens").where({ account_id: owner.id }).first({ tokenId: "id" });
  const event_id = await calls.addEvent(calendar_id, { title: "One" });
  const change = (title: string) => ({ event_id, title });
  const byToken = { author: "token", author_id: tokenId, operation: "eventsUpdate", action: "changed" };
  expect(await added(() => calls.ok("eventsUpdate", change("Two")))).toMatchObject([
    { ...byToken, account_id: owner.id, calendar_id: Number(calendar_id), event_id: Number(event_id) },
  ]);
  const person = await signIn(server, owner.id);
  const [entry, ...more] = await added(() => person.call("eventsUpdate", change("Three")));
  expect(entry).toMatchObject({ author: "person", author_id: person.id, operation: "eventsUpdate" });
  expect([entry && changesOf(entry), more]).toEqual([{ title: ["Two", "Three"] }, []]);
  const request = { values: change("Four"), now: server.now };
  expect(await added(() => runOperation(server.db, "eventsUpdate", request))).toMatchObject([
    { author: "command_line", author_id: 0, operation: "eventsUpdate" },
  ]);
  const save = `/api/v1/calendars/events/save/?event_id=${event_id}&title=Five&start_date=08/04/2026%2010:00&token=${owner.token}`;
  expect(await added(() => server.request(save))).toMatchObject([{ ...byToken, operation: "saveEvent" }]);
  const key = { method: "POST", headers: { Authorization: `Bearer ${owner.token}`, "Idempotency-Key": "k" } };
  const twice = async () => {
    const path = "/api/kalends/v1/events/update/";
    const body = new URLSearchParams(change("Six"));
    for (let time = 0; time < 2; time++) await server.request(path, { ...key, body });
  };
  expect(await added(twice)).toHaveLength(1);
});

test("a refused write and a dry run leave none", async () => {
  const event_id = await calls.addEvent(calendar_id);
  const headers = { Authorization: `Bearer ${owner.token}`, "If-Match": '"9"' };
  const init = { method: "POST", headers, body: new URLSearchParams({ event_id, title: "y" }) };
  const refused = async () => {
    expect((await server.request("/api/kalends/v1/events/update/", init)).status).toBe(412);
    await calls.ok("eventsBatch", { events: `${event_id}:0`, dry_run: "true", title: "z" });
  };
  expect(await added(refused)).toEqual([]);
});

test("each event of a write of many has an entry: series, batches, copies, imports, categories", async () => {
  const actionsOf = async (work: () => Promise<unknown>) =>
    (await added(work)).map(({ action, operation }) => `${operation} ${action}`);
  const rule = { calendar_id, title: "s", start_date, rrule: "FREQ=DAILY;COUNT=3" };
  let ids: readonly string[] = [];
  const many = (operation: string, action: string) =>
    Array.from({ length: 3 }, () => `${operation} ${action}`);
  expect(await actionsOf(async () => (ids = (await calls.ok("eventsSeriesCreate", rule)).event_ids))).toEqual(
    many("eventsSeriesCreate", "created"),
  );
  const events = ids.map((id) => `${id}:0`).join(",");
  const batch = { events, categories: "Jazz" };
  expect(await actionsOf(() => calls.ok("eventsBatch", batch))).toEqual(many("eventsBatch", "changed"));
  const rename = { calendar_id, category: "Jazz", name: "Blues" };
  const renamed = await added(() => calls.ok("categoriesRename", rename));
  expect(renamed.map(changesOf)).toEqual(
    Array.from({ length: 3 }, () => ({ categories: ["Jazz", "Blues"] })),
  );
  const copy = { event_id: ids[0] ?? "", start_dates: "2027-01-01T10:00,2027-01-02T10:00,2027-01-03T10:00" };
  expect(await actionsOf(() => calls.ok("eventsCopy", copy))).toEqual(many("eventsCopy", "created"));
  const [other, target] = [ids[1] ?? "", (await calls.newCalendar()).id];
  const [moved] = await added(() => calls.ok("eventsUpdate", { event_id: other, calendar_id: target }));
  expect(moved).toMatchObject({ action: "moved", calendar_id: Number(target) });
  const series = { event_id: ids[0] ?? "", scope: "all" };
  expect(await actionsOf(() => calls.ok("eventsSeriesDelete", series))).toEqual(
    many("eventsSeriesDelete", "deleted").slice(1),
  );
  const text = (title: string) => calendarFile(vevent("UID:i1", `SUMMARY:${title}`), vevent("UID:i2"));
  const take = (title: string) => actionsOf(() => importFile(server, owner, calendar_id, text(title)));
  expect(await take("a")).toEqual(many("calendarsImport", "created").slice(1));
  expect(await take("b")).toEqual(["calendarsImport changed"]);
  const path = join(temporaryFolder(), "town.ics");
  writeFileSync(path, text("c"));
  const options = { now: server.now };
  const byCommand = await added(() => importCalendarFile(server.db, Number(calendar_id), path, options));
  expect(byCommand).toMatchObject([{ author: "command_line", operation: "calendarsImport" }]);
});

test("a sync and the jobs of the service are authors too", async () => {
  const { id } = await calls.newCalendar();
  const sync = await source.newSync(owner.id, id);
  const by = { author: "sync", author_id: sync, operation: "" };
  const [one, two] = [vevent("UID:s1"), vevent("UID:s2")] as const;
  expect(await added(() => source.sync(sync, one, two))).toMatchObject([{ ...by, action: "created" }, by]);
  expect(await added(() => source.sync(sync, one))).toMatchObject([{ ...by, action: "deleted" }]);
  const draft = { published: "false", publish_at: "2026-08-01T10:00:00Z" };
  await calls.addEvent(id, draft);
  const service = { author: "service", author_id: 0, operation: "" };
  const [published] = await added(() =>
    publishDueDrafts(server.db, () => Date.parse(draft.publish_at) / 1_000),
  );
  expect(published).toMatchObject({ ...service, action: "changed" });
  expect(published && changesOf(published)).toEqual({ publication: [1_785_578_400, -1] });
  await calls.ok("eventsSeriesCreate", { calendar_id: id, title: "e", start_date, rrule: "FREQ=MONTHLY" });
  const extended = await added(() => extendSeries({ db: server.db, now: server.now + 40 * 86_400 }));
  expect(extended[0]).toMatchObject({ ...service, action: "created" });
});

test("each write of a calendar leaves one too", async () => {
  const { id } = await calls.newCalendar("One");
  const saved = { calendar_id: id, title: "Two", timezone: "Europe/Paris" };
  await calls.ok("saveCalendar", saved);
  await calls.ok("calendarsUpdate", { calendar_id: id, description: "Text", custom_data: '{"a":1}' });
  await setSearchable(server.db, Number(id), true, server.now);
  await calls.ok("deleteCalendar", { calendar_id: id });
  await calls.ok("calendarsRestore", { calendar_id: id });
  const entries = await server.db
    .read<HistoryRow>("history")
    .where({ calendar_id: Number(id) })
    .orderBy("id");
  expect(entries.map((entry) => [entry.action, entry.author, entry.operation, changesOf(entry)])).toEqual([
    ["created", "token", "createCalendar", {}],
    [
      "changed",
      "token",
      "saveCalendar",
      { title: ["One", "Two"], calendarname: ["One", "Two"], timezone: ["Europe/Berlin", "Europe/Paris"] },
    ],
    ["changed", "token", "calendarsUpdate", { description: ["", "Text"], custom_data: ["{}", '{"a":1}'] }],
    ["changed", "command_line", "", { searchable: [0, 1] }],
    ["deleted", "token", "deleteCalendar", {}],
    ["restored", "token", "calendarsRestore", {}],
  ]);
});

test("of a long text the history has what it was, and an excerpt of what it became", async () => {
  const before = "a".repeat(5_000);
  const event_id = await calls.addEvent(calendar_id, { description: before });
  const description = `${"a".repeat(2_000)}${"b".repeat(3_000)}`;
  const [entry] = await added(() => calls.ok("eventsUpdate", { event_id, description }));
  expect(entry && changesOf(entry)).toEqual({
    description: [before, `${"a".repeat(40)}${"b".repeat(960)}`, 1_960],
  });
});

test.each([30, 0])(
  "what was removed for good has no texts in the history: %d days of trash",
  async (days) => {
    keepTrash(days);
    try {
      for (const draft of [{}, { published: "false" }]) {
        const event_id = await calls.addEvent(calendar_id, { title: "secret", ...draft });
        await calls.ok("eventsUpdate", { event_id, title: "other" });
        await calls.ok("eventsDelete", { event_id });
        if (days > 0) await calls.ok("trashPurge", { event_id });
        await purgeRequested(server.db);
        const entries = await server.db.read<HistoryRow>("history").where({ event_id: Number(event_id) });
        expect(entries.map(({ action, changes }) => `${action} ${changes}`).toSorted()).toEqual([
          "changed {}",
          "created {}",
          "deleted {}",
        ]);
      }
    } finally {
      keepTrash(30);
    }
  },
);

const textsOf = (...ids: readonly string[]) =>
  server.db.read<HistoryRow>("history").whereIn("event_id", ids.map(Number)).whereNot("changes", "{}");

/** Copies the last entry of an event that has texts. */
async function lengthen(event_id: string, copies: number): Promise<void> {
  const [entry] = await textsOf(event_id).orderBy("id", "desc");
  const { id: _id, ...row } = entry ?? {};
  const rows = Array.from({ length: copies }, () => row);
  await server.db.transaction((trx) => trx.batchInsert("history", rows, 60));
}

test("a deletion for good leaves a long history to a job, which removes its texts in batches", async () => {
  const { id } = await calls.newCalendar();
  const sync = await source.newSync(owner.id, id);
  await source.sync(sync, vevent("UID:f1"), vevent("UID:f2"));
  await source.sync(sync, vevent("UID:f1", "SUMMARY:secret"), vevent("UID:f2"));
  const synced = (await calls.ok("eventsList", { calendar_id: id, q: "secret" })).events[0].id;
  const [event_id, draft] = [
    await calls.addEvent(id),
    await calls.addEvent(id, { title: "x", published: "false" }),
  ];
  for (const own of [event_id, draft]) await calls.ok("eventsUpdate", { event_id: own, title: "secret" });
  for (const own of [synced, event_id, draft]) await lengthen(own, 1_200);
  keepTrash(0);
  try {
    for (const own of [event_id, draft]) await calls.ok("eventsDelete", { event_id: own });
    await source.sync(sync, vevent("UID:f2"));
  } finally {
    keepTrash(30);
  }
  const ids = [synced, event_id, draft];
  expect(await textsOf(...ids)).toHaveLength(3_603);
  const { history } = await calls.ok("historyList", { calendar_id: id });
  expect(JSON.stringify(history)).not.toContain("secret");
  await purgeRequested(server.db);
  expect([await textsOf(...ids), await server.db.read("forgotten_events")]).toEqual([[], []]);
});

test("what is gone with its calendar has no texts in those where it was before; what left that calendar has them", async () => {
  const [from, to] = [await calls.newCalendar(), await calls.newCalendar()];
  const [gone, left] = [await calls.addEvent(from.id), await calls.addEvent(from.id)];
  for (const event_id of [gone, left]) {
    await calls.ok("eventsUpdate", { event_id, title: "secret" });
    await calls.ok("eventsUpdate", { event_id, calendar_id: to.id });
  }
  await calls.ok("eventsUpdate", { event_id: left, calendar_id: from.id });
  await calls.ok("calendarsDelete", { calendar_id: to.id });
  await calls.ok("trashPurge", { calendar_id: to.id });
  await purgeDeletedCalendars(server.db);
  await purgeRequested(server.db);
  const actions = async (id: string) => (await textsOf(id).orderBy("id")).map(({ action }) => action);
  expect([await actions(gone), await actions(left)]).toEqual([[], ["changed", "moved"]]);
});

test("long entries go in batches of some megabytes, until the account has no more than it may", async () => {
  const own = await server.account();
  const its = callsOf(own);
  const event_id = await its.addEvent((await its.newCalendar()).id);
  await its.ok("eventsUpdate", { event_id, description: "x" });
  const size = async () => {
    const rows = await server.db.read<HistoryRow>("history").where({ account_id: own.id });
    return rows.reduce((sum, { changes }) => sum + changes.length + 256, 0);
  };
  await its.ok("eventsUpdate", { event_id, description: "x".repeat(60_000) });
  await its.ok("eventsUpdate", { event_id, description: "y" });
  await lengthen(event_id, 240);
  let batches = 0;
  const most = 2_000_000;
  const db: typeof server.db = {
    ...server.db,
    transaction: async (work, ...options) => {
      const before = await size();
      const result = await server.db.transaction(work, ...options);
      expect(before - (await size())).toBeLessThanOrEqual(4 * 1024 * 1024);
      if (++batches === 1) await lengthen(event_id, 60); // others go on writing
      return result;
    },
  };
  await pruneHistory(db, server.now, undefined, most);
  expect([await size(), batches]).toEqual([expect.closeTo(most, -5), 5]);
  expect(await size()).toBeLessThanOrEqual(most);
});

test("what an account adds is counted meanwhile: of one that adds much the oldest entries go, however old", async () => {
  const [own, other] = [await server.account(), await server.account()];
  const most = 64_000;
  const entries = ({ id }: TestAccount) => server.db.read<HistoryRow>("history").where({ account_id: id });
  const prune = createGrowthPruning(server.db, () => server.now, most);
  const event_id = await callsOf(own).addEvent((await callsOf(own).newCalendar()).id);
  for (const description of ["x".repeat(2_000), ""])
    await callsOf(own).ok("eventsUpdate", { event_id, description });
  await lengthen(event_id, 40); // 90,000 bytes
  await prune();
  expect(await entries(own)).toHaveLength(44); // of before its start, which are for the other job
  await callsOf(other).newCalendar();
  for (let time = 0; time < 4; time++) {
    expect(await entries(own)).toHaveLength(44 + time);
    await lengthen(event_id, 1);
    await prune();
  }
  const rows = await entries(own);
  expect(rows.reduce((sum, { changes }) => sum + changes.length + 256, 0)).toBeLessThanOrEqual(most);
  expect([rows.length, await entries(other)]).toEqual([expect.closeTo(28, -1), [expect.anything()]]);
});

test("entries go after a year, and the oldest of an account that has more than it may", async () => {
  const own = await server.account();
  const its = callsOf(own);
  const { id } = await its.newCalendar();
  const titles = async () =>
    (await server.db.read<HistoryRow>("history").where({ account_id: own.id }).orderBy("id")).flatMap(
      (entry) => Object.values(changesOf(entry)),
    );
  const event_id = await its.addEvent(id, { title: "0" });
  for (const title of ["1", "2"]) await its.ok("eventsUpdate", { event_id, title });
  expect(await titles()).toHaveLength(2);
  await pruneHistory(server.db, server.now + 364 * 86_400);
  expect(await titles()).toHaveLength(2);
  await pruneHistory(server.db, server.now, undefined, 300);
  expect(await titles()).toEqual([["1", "2"]]);
  await pruneHistory(server.db, server.now + 365 * 86_400);
  expect(await titles()).toEqual([]);
});

test("a deleted account has no history", async () => {
  const own = await server.account();
  const its = callsOf(own);
  const event_id = await its.addEvent((await its.newCalendar()).id);
  await its.ok("eventsUpdate", { event_id, title: "y" });
  await deleteAccount(server.db, own.id, { yes: true }, server.now);
  expect(await server.db.read("history").where({ account_id: own.id })).toEqual([]);
});
