import { expect, test } from "vitest";
import { onPostgres } from "../../test/databases.js";
import { testServer } from "../../test/harness.js";
import { ownerGrant, signIn } from "../../test/people.js";
import { callsOf, fullEvent as full } from "../../test/trash-world.js";
import { runOperation } from "../cli/run-operation.js";
import type { Database } from "../db/database.js";

// Who has written what, and back to what it was (extensions X9.4).

const server = await testServer({ PAGE_SIZE: "3" });
const owner = await server.account();
const calls = callsOf(owner);

type Params = Readonly<Record<string, string>>;
const history = async (params: Params) => (await calls.ok("historyList", params)).history;
/** The id of the last entry of an event. */
const lastOf = async (event_id: string): Promise<string> => (await history({ event_id }))[0].id;
const detailsOf = async (event_id: string) => (await calls.ok("eventsDetails", { event_id })).event;
/** What a save leaves. */
const withoutCounters = ({ updated_times: _times, date_modified: _modified, ...event }: Params) => event;

const other: Params = {
  title: "Other",
  description: "",
  location: "",
  organizer: "",
  organizer_email: "",
  timezone: "America/New_York",
  color_id: "",
  reminder: "",
  start_date: "2027-01-01T10:00",
  end_date: "2027-01-02T10:00",
  all_day_event: "true",
  status: "cancelled",
  categories: "Talks",
  custom_data: "",
};

test("an entry has each field as update takes it, before and after", async () => {
  const { id: calendar_id } = await calls.newCalendar();
  const event_id = await calls.addEvent(calendar_id, full);
  await calls.ok("eventsUpdate", { event_id, ...other });
  const [entry] = await history({ event_id });
  expect(entry).toMatchObject({ calendar_id, event_id, title: "Other", date: "2026-07-02T12:00:00Z" });
  expect(entry).toMatchObject({ series_id: "", start_date: "2027-01-01T10:00" });
  const { custom_data, ...before } = full;
  const changes = Object.fromEntries(
    entry.changes.map((change: { field: string; before: string; after: string }) => [
      change.field,
      [change.before, change.after],
    ]),
  );
  expect(changes).toEqual({
    ...Object.fromEntries(Object.entries(before).map(([name, value]) => [name, [value, other[name]]])),
    all_day_event: ["false", "true"],
    start_date: ["2026-08-04T13:30", "2027-01-01T10:00"],
    end_date: ["2026-08-05T02:00", "2027-01-02T10:00"],
    custom_data: [custom_data, "{}"],
  });
});

test.each([
  ["an event", {}],
  ["a draft", { published: "false" }],
])("%s has all of its fields again, under If-Match", async (_kind, kind) => {
  const { id: calendar_id } = await calls.newCalendar();
  const event_id = await calls.addEvent(calendar_id, { ...full, ...kind });
  const before = await detailsOf(event_id);
  const entry_id = await lastOf(event_id);
  await calls.ok("eventsUpdate", { event_id, ...other });
  const between = await detailsOf(event_id);
  const second = await lastOf(event_id);
  await calls.ok("eventsUpdate", { event_id, title: "Third", start_date: "2027-01-01T11:00" });
  const revert = (entry: string, tag: string) =>
    server.request("/api/kalends/v1/events/revert/", {
      method: "POST",
      headers: { Authorization: `Bearer ${owner.token}`, "If-Match": tag },
      body: new URLSearchParams({ event_id, entry_id: entry }),
    });
  expect((await revert(entry_id, '"1"')).status).toBe(412);
  const answer = await revert(entry_id, '"2"');
  expect([answer.status, withoutCounters(answer.body.event)]).toEqual([200, withoutCounters(before)]);
  expect(await detailsOf(event_id)).toEqual(answer.body.event);
  await calls.ok("eventsRevert", { event_id, entry_id: second });
  expect(withoutCounters(await detailsOf(event_id))).toEqual(withoutCounters(between));
  expect(await history({ event_id })).toHaveLength(3);
});

test("what was published, taken back or planned is so again", async () => {
  const { id: calendar_id } = await calls.newCalendar();
  const publish_at = "2027-01-01T10:00:00Z";
  const event_id = await calls.addEvent(calendar_id, { published: "false", publish_at });
  const states = [{ published: false, publish_at }];
  const entries = [await lastOf(event_id)];
  for (const change of [{ published: "true" }, { published: "false" }, { title: "y" }]) {
    const { event } = await calls.ok("eventsUpdate", { event_id, ...change });
    states.push({ published: event.published, publish_at: event.publish_at });
    entries.push(await lastOf(event_id));
  }
  for (const index of [0, 1, 2, 1, 0]) {
    const { event } = await calls.ok("eventsRevert", { event_id, entry_id: entries[index] ?? "" });
    expect(event).toMatchObject(states[index] ?? {});
  }
});

test("an event that has moved stays in its calendar, and each entry in that where it was written", async () => {
  const [from, to] = [await calls.newCalendar(), await calls.newCalendar()];
  const event_id = await calls.addEvent(from.id, { title: "x" });
  const entry_id = await lastOf(event_id);
  await calls.ok("eventsUpdate", { event_id, calendar_id: to.id, title: "y" });
  const entries = await history({ event_id });
  expect(entries).toMatchObject([
    {
      action: "moved",
      calendar_id: to.id,
      changes: [
        { field: "calendar_id", before: from.id, after: to.id },
        { field: "title", before: "x", after: "y" },
      ],
    },
    { id: entry_id, action: "created", calendar_id: from.id, title: "y" },
  ]);
  expect(await history({ calendar_id: to.id, event_id })).toEqual(entries.slice(0, 1));
  const { event } = await calls.ok("eventsRevert", { event_id, entry_id });
  expect(event).toMatchObject({ calendar_id: to.id, title: "x" });
});

test("of an event that has moved a person sees, and reverts, what was written in the calendars of the grants", async () => {
  const [from, to] = [await calls.newCalendar(), await calls.newCalendar()];
  const grantsIn = (...ids: readonly string[]) =>
    ids.map((id) => ({ calendar_id: Number(id), role: "editor" as const, sees_followers: 0 }));
  const [before, after, both] = [
    await signIn(server, owner.id, grantsIn(from.id)),
    await signIn(server, owner.id, grantsIn(to.id)),
    await signIn(server, owner.id, grantsIn(from.id, to.id)),
  ];
  const event_id = await calls.addEvent(from.id, { title: "secret" });
  const ids = [await lastOf(event_id)];
  for (const change of [{ calendar_id: to.id, title: "1" }, { title: "2" }, { calendar_id: from.id }]) {
    await calls.ok("eventsUpdate", { event_id, ...change });
    ids.push(await lastOf(event_id));
  }
  await calls.ok("eventsUpdate", { event_id, calendar_id: to.id, title: "3" });
  const seenBy = async (person: typeof after, filter: Params) =>
    (await person.call("historyList", filter)).body.history.map(
      ({ action, title, changes }: { action: string; title: string; changes: readonly Params[] }) =>
        [action, title, ...changes.map(({ field, before: was }) => `${field} ${was}`)].join(" "),
    );
  expect(await seenBy(after, { event_id })).toEqual(["moved 3", "changed 3 title 1", "moved 3"]);
  expect(await seenBy(before, { calendar_id: from.id })).toEqual(["moved ", "created ", "created x"]);
  expect((await before.call("historyList", { event_id })).status).toBe(404);
  const revert = async (person: typeof after, index: number) => {
    const { status, body } = await person.call("eventsRevert", { event_id, entry_id: ids[index] ?? "" });
    return [status, body.event?.title ?? body.meta.error_type];
  };
  expect(await revert(after, 0)).toEqual([404, "entry_not_found"]);
  expect(await revert(after, 2)).toEqual([400, "parameter_invalid"]);
  expect(await revert(both, 2)).toEqual([200, "2"]);
  expect(await revert(both, 0)).toEqual([200, "secret"]);
  await calls.ok("calendarsDelete", { calendar_id: from.id });
  await calls.ok("trashPurge", { calendar_id: from.id });
  for (const index of [0, 3]) expect(await revert(both, index)).toEqual([404, "entry_not_found"]);
  expect(await calls.refusal("eventsRevert", { event_id, entry_id: ids[2] ?? "" })).toEqual([
    400,
    "parameter_invalid",
  ]);
});

test("the texts of what was purged are gone at once, those that it left in another calendar too", async () => {
  const [from, to] = [await calls.newCalendar(), await calls.newCalendar()];
  const texts = async (filter: Params) =>
    (await history(filter)).map(({ title, changes }: Readonly<Record<string, unknown>>) => [title, changes]);
  const event_id = await calls.addEvent(from.id, { title: "secret" });
  await calls.ok("eventsUpdate", { event_id, title: "other" });
  await calls.ok("eventsUpdate", { event_id, calendar_id: to.id });
  const draft = () => calls.addEvent(to.id, { title: "secret", published: "false" });
  for (const made of [() => event_id, draft]) {
    const id = await made();
    await calls.ok("eventsDelete", { event_id: id });
    const ofCalendars = async () =>
      JSON.stringify(await Promise.all([from, to].map(({ id: calendar_id }) => texts({ calendar_id }))));
    expect(await ofCalendars()).toContain("secret");
    await calls.ok("trashPurge", { event_id: id });
    expect(await ofCalendars()).not.toMatch(/secret|other/);
    expect(await calls.refusal("historyList", { event_id: id })).toEqual([404, "event_not_found"]);
  }
  const another = await calls.addEvent(from.id, { title: "secret" });
  await calls.ok("eventsUpdate", { event_id: another, calendar_id: to.id, title: "other" });
  await calls.ok("calendarsDelete", { calendar_id: to.id });
  await calls.ok("trashPurge", { calendar_id: to.id });
  const left = (await texts({ calendar_id: from.id })).slice(0, -1);
  expect(left).toEqual(Array.from({ length: left.length }, () => ["", []]));
});

test("what an editor of one calendar has deleted, the editor finds in the history and restores", async () => {
  const { id: calendar_id } = await calls.newCalendar();
  const grants = { calendar_id: Number(calendar_id), sees_followers: 0 };
  const editor = await signIn(server, owner.id, [{ ...grants, role: "editor" }]);
  const viewer = await signIn(server, owner.id, [{ ...grants, role: "viewer" }]);
  const event_id = await calls.addEvent(calendar_id);
  const entry_id = await lastOf(event_id);
  await editor.call("eventsDelete", { event_id });
  for (const person of [editor, viewer])
    expect((await person.call("historyList", { event_id })).body.history).toMatchObject([
      { action: "deleted", title: "x" },
      { action: "created" },
    ]);
  const errorOf = async (person: typeof editor, id: string) => {
    const { status, body } = await person.call("eventsRevert", { event_id: id, entry_id });
    return [status, body.meta?.error_type];
  };
  expect(await errorOf(editor, event_id)).toEqual([400, "parameter_invalid"]);
  expect(await errorOf(viewer, event_id)).toEqual([403, "role_insufficient"]);
  expect((await viewer.call("eventsRestore", { event_id })).status).toBe(403);
  expect((await editor.call("eventsRestore", { event_id })).status).toBe(200);
  expect(await errorOf(editor, event_id)).toEqual([200, undefined]);
});

test("a revert finds the entries before its transaction, and in it those that were added since", async () => {
  const { id: calendar_id } = await calls.newCalendar();
  const event_id = await calls.addEvent(calendar_id, { title: "first" });
  const entry_id = await lastOf(event_id);
  await calls.ok("eventsUpdate", { event_id, title: "second", location: "Town hall" });
  await calls.addEvent(calendar_id);
  const [{ id: newest }] = await history({ calendar_id });
  const looked: number[] = [];
  const db: Database = {
    ...server.db,
    async transaction(work, by) {
      await calls.ok("eventsUpdate", { event_id, title: "third", organizer: "Ada" });
      return server.db.transaction((trx) => {
        trx.on(
          "query",
          ({ sql, bindings }: { readonly sql: string; readonly bindings: readonly unknown[] }) => {
            if (/from .history.* .id. > /s.test(sql)) looked.push(Number(bindings.at(-2)));
          },
        );
        return work(trx);
      }, by);
    },
  };
  await runOperation(db, "eventsRevert", { values: { event_id, entry_id }, now: server.now });
  expect(await detailsOf(event_id)).toMatchObject({ title: "first", location: "", organizer: "" });
  if (!onPostgres) expect(looked).toEqual([Number(newest)]); // elsewhere no other account waits meanwhile
});

test("an event of a series stays in it", async () => {
  const { id: calendar_id } = await calls.newCalendar();
  const { event_ids } = await calls.ok("eventsSeriesCreate", {
    calendar_id,
    ...full,
    rrule: "FREQ=DAILY;COUNT=2",
  });
  const [event_id = ""]: readonly string[] = event_ids;
  const before = await detailsOf(event_id);
  const entry_id = await lastOf(event_id);
  await calls.ok("eventsSeriesUpdate", {
    event_id,
    scope: "all",
    title: "y",
    start_date: "2026-08-04T20:00",
  });
  const { event } = await calls.ok("eventsRevert", { event_id, entry_id });
  expect(withoutCounters(event)).toEqual(withoutCounters(before));
});

test("a deleted event is to be restored first, and an entry of another event is none", async () => {
  const { id: calendar_id } = await calls.newCalendar();
  const [event_id, another] = [await calls.addEvent(calendar_id), await calls.addEvent(calendar_id)];
  const entry_id = await lastOf(event_id);
  expect(await calls.refusal("eventsRevert", { event_id: another, entry_id })).toEqual([
    404,
    "entry_not_found",
  ]);
  await calls.ok("deleteEvent", { event_id });
  expect(await calls.refusal("eventsRevert", { event_id, entry_id })).toEqual([400, "parameter_invalid"]);
  await calls.ok("eventsRestore", { event_id });
  await calls.ok("eventsRevert", { event_id, entry_id });
  expect(await calls.refusal("eventsRevert", { event_id: "77777", entry_id })).toEqual([
    404,
    "event_not_found",
  ]);
  expect(await calls.refusal("historyList", { calendar_id: "77777" })).toEqual([404, "calendar_not_found"]);
  expect(await calls.refusal("historyList", { event_id: "77777" })).toEqual([404, "event_not_found"]);
});

test("a long text is shown around what was changed", async () => {
  const { id: calendar_id } = await calls.newCalendar();
  const before = `${"a".repeat(1_500)}🎉${"b".repeat(2_000)}`;
  const event_id = await calls.addEvent(calendar_id, { description: before });
  await calls.ok("eventsUpdate", { event_id, description: `${"a".repeat(1_500)}🎂${"c".repeat(2_000)}` });
  const [entry] = await history({ event_id });
  const [{ before: was, after: is }] = entry.changes;
  expect(
    [was, is].every((text: string) => text.isWellFormed() && text.startsWith("…") && text.endsWith("…")),
  ).toBe(true);
  expect(was).toContain("🎉b");
  expect(is).toContain("🎂c");
});

test("a person sees the history of the calendars that a grant is for, and names of people as an owner alone", async () => {
  const [seen, unseen] = [await calls.newCalendar(), await calls.newCalendar()];
  const editor = await signIn(server, owner.id, [
    { calendar_id: Number(seen.id), role: "editor", sees_followers: 0 },
  ]);
  const admin = await signIn(server, owner.id, [ownerGrant]);
  const event_id = await calls.addEvent(seen.id);
  const hidden = await calls.addEvent(unseen.id);
  await admin.call("eventsUpdate", { event_id, title: "1" });
  await editor.call("eventsUpdate", { event_id, title: "2" });
  const namesOf = async (person: typeof editor, params: Params = {}) =>
    (await person.call("historyList", params)).body.history.map(
      ({ event_id: id, by }: { event_id: string; by: { kind: string; name: string } }) => [
        id,
        by.kind,
        by.name,
      ],
    );
  expect(await namesOf(editor)).toEqual([
    [event_id, "person", "Ada"],
    [event_id, "person", ""],
    [event_id, "token", "test"],
  ]);
  expect(await namesOf(admin, { calendar_id: seen.id, person_id: String(admin.id) })).toEqual([
    [event_id, "person", "Ada"],
  ]);
  expect((await editor.call("historyList", { event_id: hidden })).status).toBe(404);
  expect((await editor.call("historyList", { calendar_id: unseen.id })).status).toBe(404);
  const entry_id = await lastOf(hidden);
  expect((await editor.call("eventsRevert", { event_id: hidden, entry_id })).status).toBe(404);
  await admin.call("peopleRemove", { person_id: String(editor.id) });
  expect((await namesOf(admin))[0]).toEqual([event_id, "person", ""]);
  const { paging } = await calls.ok("historyList", { page: "2" });
  expect(paging.previous).toContain("page=1");
});
