import { pino } from "pino";
import { expect, test } from "vitest";
import { calendarFile, importFile, vevent } from "../../test/calendar-files.js";
import { startOfTests, testServer } from "../../test/harness.js";
import { signIn } from "../../test/people.js";
import { callsOf } from "../../test/trash-world.js";
import { addEndpoint, deliveriesOf, everyType } from "../../test/webhook-world.js";
import { purgeRequested } from "./trash-purge-job.js";
import { takeJob } from "../background/job-queries.js";
import { publishDueDrafts } from "./publish-job.js";

// Events that followers do not see yet (extensions X8.5).

const server = await testServer({ PUBLIC_URL: "https://cal.example" });
const owner = await server.account();
const calls = callsOf(owner);

const draft = { title: "Secret gig", start_date: "2026-08-04T13:30", published: "false" };
const feedOf = async (uniquekey: string) => (await server.request(`/c/${uniquekey}/x.ics`)).text;
const rowOf = async (calendar_id: string) =>
  server.db
    .read("calendars")
    .where({ id: Number(calendar_id) })
    .first();
const drafts = async (params: Readonly<Record<string, string>>) =>
  (await calls.ok("eventsList", { published: "false", ...params })).events;

test("a draft has its id and UID when it is published, as one new event to those who follow", async () => {
  const { id: calendar_id, uniquekey } = await calls.newCalendar();
  const endpoint = await addEndpoint(server.db, owner.id, {
    types: everyType,
    calendar_id: Number(calendar_id),
  });
  const before = await rowOf(calendar_id);
  const { event } = await calls.ok("eventsCreate", { calendar_id, ...draft, categories: "Jazz" });
  expect(event).toMatchObject({ published: false, publish_at: "", updated_times: 0, categories: ["Jazz"] });
  expect(event.preview_url).toMatch(
    new RegExp(`^https://cal\\.example/c/${uniquekey}/e/${event.uid}\\?draft=[\\w-]{22}$`),
  );
  const { id: event_id, uid, preview_url } = event;
  const { event: changed } = await calls.ok("eventsUpdate", { event_id, location: "Cellar" });
  expect(changed).toEqual({ ...event, location: "Cellar", updated_times: 1 });
  expect((await calls.ok("eventsDetails", { event_id })).event).toEqual(changed);
  const { stored_bytes: _bytes, ...unchanged } = before;
  expect(await rowOf(calendar_id)).toMatchObject(unchanged);
  const { cursor } = await calls.ok("eventsChanges", { calendar_id });
  const { event: published } = await calls.ok("eventsUpdate", { event_id, published: "true" });
  const shown = { published: true, preview_url: "", updated_times: 2 };
  expect(published).toEqual({ ...changed, ...shown });
  expect((await calls.ok("eventsDetails", { event_id })).event).toEqual(published);
  const { changes } = await calls.ok("eventsChanges", { calendar_id, since: cursor });
  expect(changes).toEqual([{ event_id, change: "saved", event: published }]);
  expect(await deliveriesOf(server.db, endpoint.id)).toMatchObject([{ type: "event.created" }]);
  const after = await rowOf(calendar_id);
  expect([after.feed_version - before.feed_version, after.events_total]).toEqual([1, 1]);
  expect(await feedOf(uniquekey)).toContain(`UID:${uid}`);
  expect(await drafts({ calendar_id })).toEqual([]);
  const link = new URL(preview_url);
  const page = await server.request(link.pathname + link.search);
  expect([page.status, page.text.includes("This is a draft")]).toEqual([200, false]);
});

test("an event that becomes a draft is deleted to those who follow, and newer when it comes back", async () => {
  const { id: calendar_id, uniquekey } = await calls.newCalendar();
  const endpoint = await addEndpoint(server.db, owner.id, {
    types: everyType,
    calendar_id: Number(calendar_id),
  });
  const file = calendarFile(vevent("UID:fair@town.example", "SUMMARY:Fair"));
  const [{ event_id }] = (await importFile(server, owner, calendar_id, file)).body.events;
  const { event: before } = await calls.ok("eventsDetails", { event_id });
  const { cursor } = await calls.ok("eventsChanges", { calendar_id });
  const { event } = await calls.ok("eventsUpdate", { event_id, published: "false", title: "Fair 2" });
  expect(event).toMatchObject({ id: event_id, uid: before.uid, title: "Fair 2", updated_times: 1 });
  const { changes } = await calls.ok("eventsChanges", { calendar_id, since: cursor });
  expect(changes).toMatchObject([{ event_id, change: "deleted" }]);
  expect((await server.request(`/c/${uniquekey}/e/${before.uid}`)).status).toBe(410);
  expect(await calls.trash({ calendar_id })).toEqual([]);
  const [again] = (await importFile(server, owner, calendar_id, file)).body.events;
  expect(again).toMatchObject({ result: "skipped", reason: "the calendar has it as a draft" });
  await calls.ok("eventsUpdate", { event_id, published: "true" });
  expect(await feedOf(uniquekey)).toContain("SEQUENCE:2");
  const [known] = (await importFile(server, owner, calendar_id, file)).body.events;
  expect(known).toMatchObject({ result: "changed", event_id });
  const types = (await deliveriesOf(server.db, endpoint.id)).map(({ type }) => type);
  expect(types.slice(0, 3)).toEqual(["event.created", "event.deleted", "event.created"]);
});

test("drafts are found by what finds events, and are in no list without published=false", async () => {
  const { id: calendar_id } = await calls.newCalendar();
  const add = async (title: string, more: Readonly<Record<string, string>>) =>
    (await calls.ok("eventsCreate", { calendar_id, ...draft, title, ...more })).event.id;
  const data = '{"room":"2b","se%t":4}';
  const one = await add("Öffnung", { custom_data: data, categories: "Jazz,Rock", status: "tentative" });
  const two = await add("Closing", { start_date: "2026-09-04T13:30" });
  const published = await calls.addEvent(calendar_id);
  const ids = async (params: Readonly<Record<string, string>>) =>
    (await drafts({ calendar_id, order_by: "id-asc", ...params })).map(({ id }: { id: string }) => id);
  expect(await ids({})).toEqual([one, two]);
  expect(await ids({ q: "offnung" })).toEqual([one]);
  expect(await ids({ q: "o_f" })).toEqual([]);
  expect(await ids({ from: "2026-09-01" })).toEqual([two]);
  expect(await ids({ to: "2026-09-01" })).toEqual([one]);
  expect(await ids({ status: "tentative" })).toEqual([one]);
  expect(await ids({ category: "Rock" })).toEqual([one]);
  expect(await ids({ category: "Roc" })).toEqual([]);
  expect(await ids({ custom_data_key: "room" })).toEqual([one]);
  expect(await ids({ custom_data_key: "se%t", custom_data_value: "4" })).toEqual([one]);
  expect(await ids({ custom_data_key: "room", custom_data_value: "2" })).toEqual([]);
  expect(await ids({ month: "09", year: "2026" })).toEqual([two]);
  const [shown] = await drafts({ calendar_id, q: "closing", wall: "calendar" });
  const { event } = await calls.ok("eventsDetails", { event_id: two });
  expect(shown).toEqual({ ...event, shown_start: event.start_date, shown_end: event.end_date });
  const { calendar, events } = await calls.ok("eventsList", { calendar_id });
  expect([calendar.events_count, events.map(({ id }: { id: string }) => id)]).toEqual([1, [published]]);
  await calls.ok("eventsUpdate", { event_id: one, title: "Other", custom_data: "", categories: "" });
  for (const filter of [{ q: "offnung" }, { custom_data_key: "room" }, { category: "Jazz" }])
    expect(await ids(filter)).toEqual([]);
});

test("a deleted draft is restored as one, without its time, and can be purged", async () => {
  const { id: calendar_id } = await calls.newCalendar();
  const { event } = await calls.ok("eventsCreate", {
    calendar_id,
    ...draft,
    publish_at: "2026-08-01T09:00:00+02:00",
  });
  expect(event.publish_at).toBe("2026-08-01T07:00:00Z");
  const { id: event_id } = event;
  await calls.ok("trashPurge", { calendar_id });
  await calls.ok("eventsDelete", { event_id });
  await purgeRequested(server.db);
  expect(await calls.refusal("eventsDetails", { event_id })).toEqual([404, "event_not_found"]);
  expect(await calls.trash({ calendar_id })).toMatchObject([{ kind: "event", id: event_id }]);
  const { event: restored } = await calls.ok("eventsRestore", { event_id });
  expect(restored).toEqual({ ...event, publish_at: "", updated_times: 1 });
  expect(await drafts({ calendar_id, q: "secret" })).toHaveLength(1);
  await calls.ok("eventsDelete", { event_id });
  await calls.ok("trashPurge", { calendar_id });
  expect(await calls.refusal("eventsRestore", { event_id })).toEqual([404, "event_not_found"]);
  await purgeRequested(server.db);
  expect(await server.db.read("events").where({ state: "trashed", id: Number(event_id) })).toEqual([]);
});

test("publish_at is for drafts and in the future, and an empty one clears it", async () => {
  const { id: calendar_id } = await calls.newCalendar();
  const errorOf = async (params: Readonly<Record<string, string>>) => {
    const { status, body } = await owner.call("eventsCreate", { calendar_id, ...draft, ...params });
    return [
      status,
      body.meta.errors.map((one: { parameter: string; code: string }) => [one.parameter, one.code]),
    ];
  };
  const publish_at = "2026-08-01T09:00Z";
  expect(await errorOf({ publish_at, published: "true" })).toEqual([400, [["publish_at", "not_allowed"]]]);
  expect(await errorOf({ publish_at: "2026-07-02T12:00Z" })).toEqual([400, [["publish_at", "too_early"]]]);
  expect(await errorOf({ publish_at: "2026-08-01T09:00" })).toEqual([400, [["publish_at", "not_a_date"]]]);
  expect(await errorOf({ publish_at: "9999-12-31T23:59-12:00" })).toEqual([
    400,
    [["publish_at", "too_late"]],
  ]);
  const { event } = await calls.ok("eventsCreate", { calendar_id, ...draft, publish_at });
  const { event: kept } = await calls.ok("eventsUpdate", { event_id: event.id, title: "x" });
  const { event: cleared } = await calls.ok("eventsUpdate", { event_id: event.id, publish_at: "" });
  expect([kept.publish_at, cleared.publish_at]).toEqual(["2026-08-01T09:00:00Z", ""]);
  const asJavaScript = { event_id: event.id, publish_at: new Date(1_785_574_800_123).toISOString() };
  expect((await calls.ok("eventsUpdate", asJavaScript)).event.publish_at).toBe("2026-08-01T09:00:00Z");
});

test("a draft is published at its time, and not while its calendar is deleted", async () => {
  const { id: calendar_id, uniquekey } = await calls.newCalendar();
  const add = async (publish_at: string) =>
    (await calls.ok("eventsCreate", { calendar_id, ...draft, publish_at })).event.id;
  const early = await add("2026-07-02T12:10:00Z");
  const late = await add("2026-07-02T12:10:01Z");
  const due = startOfTests + 600;
  expect(await publishDueDrafts(server.db, () => due - 1)).toBe(0);
  await calls.ok("deleteCalendar", { calendar_id });
  expect(await publishDueDrafts(server.db, () => due)).toBe(0);
  await calls.ok("calendarsRestore", { calendar_id });
  expect(await publishDueDrafts(server.db, () => due)).toBe(1);
  expect((await calls.ok("eventsDetails", { event_id: early })).event.published).toBe(true);
  expect((await calls.ok("eventsDetails", { event_id: late })).event.published).toBe(false);
  expect(await feedOf(uniquekey)).toContain("Secret gig");
});

test("many due drafts of one account keep no other waiting", async () => {
  await publishDueDrafts(server.db, () => startOfTests + 660); // those of other tests
  const publish_at = "2026-07-02T12:10:00Z";
  const { event } = await calls.ok("eventsCreate", {
    calendar_id: (await calls.newCalendar()).id,
    ...draft,
    title: "Many",
  });
  const start_dates = Array.from({ length: 20 }, (_, day) => `2027-01-${10 + day}T10:00`).join();
  const { event_ids } = await calls.ok("eventsCopy", { event_id: event.id, start_dates });
  await calls.ok("eventsBatch", { events: event_ids.join(), publish_at });
  const neighbour = callsOf(await server.account());
  const { id: calendar_id } = await neighbour.newCalendar();
  const { id: event_id } = (await neighbour.ok("eventsCreate", { calendar_id, ...draft, publish_at })).event;
  let looks = 0;
  const options = { turn: { size: 5, together: 2 }, isStopping: () => ++looks > 2 }; // after two drafts
  expect(await publishDueDrafts(server.db, () => startOfTests + 600, options)).toBe(2);
  expect((await neighbour.ok("eventsDetails", { event_id })).event.published).toBe(true);
  expect(await publishDueDrafts(server.db, () => startOfTests + 600)).toBe(event_ids.length - 1);
});

test("a draft that is refused at its time is logged once, loses the time and is tried no more", async () => {
  const { id: calendar_id } = await calls.newCalendar();
  const names = Array.from({ length: 20 }, (_, index) => `Name ${index}`).join();
  const publish_at = "2026-07-02T12:10:00Z";
  const add = async (more: Readonly<Record<string, string>>) =>
    (await calls.ok("eventsCreate", { calendar_id, ...draft, publish_at, ...more })).event.id;
  const refused = [await add({ categories: "One too many" }), await add({ categories: "Another" })];
  const other = await add({});
  await calls.addEvent(calendar_id, { categories: names });
  const lines: string[] = [];
  const log = pino({ base: null }, { write: (line: string) => void lines.push(line) });
  const options = { log };
  expect(await publishDueDrafts(server.db, () => startOfTests + 600, options)).toBe(1);
  expect(await publishDueDrafts(server.db, () => startOfTests + 600, options)).toBe(0);
  expect((await calls.ok("eventsDetails", { event_id: other })).event.published).toBe(true);
  const rows = await drafts({ calendar_id, order_by: "id-asc" });
  expect(rows.map((row: { id: string; publish_at: string }) => [row.id, row.publish_at])).toEqual(
    refused.map((id) => [id, ""]),
  );
  expect(lines.map((line): unknown => JSON.parse(line).id).toSorted()).toEqual(
    refused.map((id) => `draft ${id}`).toSorted(),
  );
});

test("a draft whose publishing fails or ends the process comes later, alone, and holds no other up", async () => {
  const { id: calendar_id } = await calls.newCalendar();
  const publish_at = "2026-07-02T12:10:00Z";
  const due = startOfTests + 600;
  const add = async () => (await calls.ok("eventsCreate", { calendar_id, ...draft, publish_at })).event.id;
  const isPublished = async (event_id: string) =>
    (await calls.ok("eventsDetails", { event_id })).event.published;
  const rename = (from: string, to: string) =>
    server.db.transaction((trx) => trx.schema.renameTable(from, to));
  const rows = () =>
    server.db.read("jobs").where("name", "like", "draft %").select("name", "attempts", "next_at");
  const bad = await add();
  await rename("history", "hidden");
  await expect(publishDueDrafts(server.db, () => due)).rejects.toThrow(/history/);
  await rename("hidden", "history");
  expect(await rows()).toEqual([{ name: `draft ${bad}`, attempts: 1, next_at: due + 60 }]);
  const others = [await add(), await add()];
  expect(await publishDueDrafts(server.db, () => due)).toBe(2);
  expect([await isPublished(bad), await isPublished(others[0])]).toEqual([false, true]);
  const late = await add();
  // An end of the process leaves what a begun attempt has stored.
  await server.db.transaction((trx) => takeJob(trx, `draft ${late}`, due));
  let looks = 0; // ends after the first group
  expect(await publishDueDrafts(server.db, () => due + 60, { isStopping: () => ++looks > 2 })).toBe(1);
  expect(await rows()).toHaveLength(1);
  expect(await publishDueDrafts(server.db, () => due + 60)).toBe(1);
  expect([await isPublished(bad), await isPublished(late), await rows()]).toEqual([true, true, []]);
});

test("two servers publish each draft once", async () => {
  const { id: calendar_id } = await calls.newCalendar();
  const endpoint = await addEndpoint(server.db, owner.id, {
    types: everyType,
    calendar_id: Number(calendar_id),
  });
  const publish_at = "2026-07-02T12:10:00Z";
  for (let n = 0; n < 8; n++) await calls.ok("eventsCreate", { calendar_id, ...draft, publish_at });
  const runs = [1, 2, 3].map(() => publishDueDrafts(server.db, () => startOfTests + 600));
  expect((await Promise.all(runs)).reduce((sum, count) => sum + count, 0)).toBe(8);
  const types = (await deliveriesOf(server.db, endpoint.id)).map(({ type }) => type);
  expect(types).toEqual(Array(8).fill("event.created"));
});

test("many become drafts or are published at once, and copies of a draft are drafts", async () => {
  const { id: calendar_id, uniquekey } = await calls.newCalendar();
  const one = await calls.addEvent(calendar_id, { title: "One" });
  const { event } = await calls.ok("eventsCreate", { calendar_id, ...draft });
  const events = `${one}:0,${event.id}:0`;
  const hidden = await calls.ok("eventsBatch", { events, published: "false", location: "Cellar" });
  expect(hidden).toMatchObject({ done: true, event_ids: [one, event.id] });
  expect(await drafts({ calendar_id, order_by: "id-asc" })).toMatchObject([
    { id: one, location: "Cellar", updated_times: 1 },
    { id: event.id, location: "Cellar", updated_times: 1 },
  ]);
  expect(await feedOf(uniquekey)).not.toContain("Cellar");
  const start_dates = "2026-08-11T13:30,2026-08-18T13:30";
  await calls.ok("eventsCopy", { event_id: one, start_dates });
  expect(await drafts({ calendar_id })).toHaveLength(4);
  await calls.ok("eventsCopy", { event_id: one, start_dates, published: "true" });
  expect(await drafts({ calendar_id })).toHaveLength(4);
  await calls.ok("eventsBatch", { events: `${one},${event.id}`, published: "true" });
  expect((await feedOf(uniquekey)).match(/Cellar/g)).toHaveLength(4);
  const rest: readonly { readonly id: string }[] = await drafts({ calendar_id });
  await calls.ok("eventsBatch", { events: rest.map(({ id }) => id).join(","), delete: "true" });
  expect(await drafts({ calendar_id })).toEqual([]);
});

test("If-Match holds for drafts, and the contract does not know them", async () => {
  const { id: calendar_id } = await calls.newCalendar();
  const { event } = await calls.ok("eventsCreate", { calendar_id, ...draft });
  const { id: event_id } = event;
  const headers = { Authorization: `Bearer ${owner.token}`, "If-Match": '"1"' };
  const body = new URLSearchParams({ event_id, published: "true" });
  const path = "/api/kalends/v1/events/update/";
  expect((await server.request(path, { method: "POST", headers, body })).status).toBe(412);
  expect(await calls.refusal("deleteEvent", { event_id })).toEqual([404, "event_not_found"]);
  expect(await calls.refusal("saveEvent", { event_id, ...draft })).toEqual([404, "event_not_found"]);
});

test.each([
  ["en", "This is a draft"],
  ["de", "Dies ist ein Entwurf"],
  ["fr", "Ceci est un brouillon"],
  ["es", "Esto es un borrador"],
])(
  "the preview says that it is a draft, in %s, and is neither kept nor indexed",
  async (language, notice) => {
    const { id: calendar_id, uniquekey } = await calls.newCalendar();
    const { event } = await calls.ok("eventsCreate", { calendar_id, ...draft });
    const { pathname, search } = new URL(event.preview_url);
    const headers = { "Accept-Language": language };
    const page = await server.request(pathname + search, { headers });
    expect([page.status, page.text.includes(notice), page.text.includes("Secret gig")]).toEqual([
      200,
      true,
      true,
    ]);
    expect(page.headers.get("Cache-Control")).toBe("no-store");
    expect(page.headers.get("X-Robots-Tag")).toBe("noindex");
    const shared = await server.request(`${pathname}?fbclid=x&${search.slice(1)}&utm_source=mail`, {
      headers,
    });
    expect([shared.status, shared.text]).toEqual([200, page.text]);
    for (const path of [
      pathname,
      `${pathname}?draft=${"A".repeat(22)}`,
      `${pathname}.ics${search}`,
      `/c/${uniquekey}/e/other${search}`,
    ])
      expect([path, (await server.request(path)).status]).toEqual([path, 404]);
  },
);

test("an event of a series that becomes a draft is a single event", async () => {
  const { id: calendar_id } = await calls.newCalendar();
  const { event_ids, series } = await calls.ok("eventsSeriesCreate", {
    calendar_id,
    title: "x",
    start_date: "2026-08-04T13:30",
    rrule: "FREQ=WEEKLY;COUNT=3",
  });
  const event_id = event_ids[1];
  expect((await calls.ok("eventsUpdate", { event_id, published: "false" })).event.series_id).toBe("");
  await calls.ok("eventsSeriesUpdate", { event_id: event_ids[0], scope: "all", title: "New" });
  expect((await calls.ok("eventsDetails", { event_id })).event.title).toBe("x");
  expect((await calls.ok("eventsUpdate", { event_id, published: "true" })).event.series_id).toBe("");
  expect((await calls.ok("eventsList", { calendar_id, series_id: series.id })).events).toHaveLength(2);
});

test("a person has the drafts of the calendars that a grant is for: a viewer reads them, an editor publishes them", async () => {
  const { id: own } = await calls.newCalendar();
  const { id: other } = await calls.newCalendar();
  const [mine, foreign] = [
    (await calls.ok("eventsCreate", { calendar_id: own, ...draft })).event.id,
    (await calls.ok("eventsCreate", { calendar_id: other, ...draft })).event.id,
  ];
  const person = (role: "viewer" | "editor") =>
    signIn(server, owner.id, [{ calendar_id: Number(own), role, sees_followers: 0 }]);
  const [viewer, editor] = [await person("viewer"), await person("editor")];
  const withoutId = ({ text }: { readonly text: string }) => text.replace(/"request_id":"\w+"/, "");
  const absent = withoutId(await editor.call("eventsDetails", { event_id: "9007199254740990" }));
  for (const { call } of [viewer, editor]) {
    expect((await call("eventsDetails", { event_id: mine })).status).toBe(200);
    const { events } = (await call("eventsList", { published: "false", calendar_id: own })).body;
    expect(events.map(({ id }: { id: string }) => id)).toEqual([mine]);
    for (const id of ["eventsDetails", "eventsUpdate", "eventsDelete"] as const)
      expect(withoutId(await call(id, { event_id: foreign }))).toBe(absent);
  }
  const publication = { event_id: mine, published: "true" };
  expect((await viewer.call("eventsUpdate", publication)).body.meta.error_type).toBe("role_insufficient");
  expect((await editor.call("eventsUpdate", publication)).status).toBe(200);
  expect((await calls.ok("eventsDetails", { event_id: foreign })).event.published).toBe(false);
});
