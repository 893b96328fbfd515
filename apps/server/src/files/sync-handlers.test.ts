import { expect, test } from "vitest";
import { testServer } from "../../test/harness.js";
import { findSync, settleSync } from "./sync-queries.js";

const server = await testServer();

const owner = await server.account();
const other = await server.account();
const instant = (at: number) => new Date(at * 1000).toISOString().replace(".000Z", "Z");
const url = "https://host.invalid/town.ics";

async function newCalendar(): Promise<string> {
  return (await owner.call("calendarsCreate", { title: "Town" })).body.calendar.id;
}

async function newSync(calendar_id: string): Promise<string> {
  return (await owner.call("syncsCreate", { calendar_id, url })).body.sync.id;
}

test("a sync is due at once, and shown with what became of it (extensions X8.6)", async () => {
  const calendar_id = await newCalendar();
  const made = await owner.call("syncsCreate", {
    calendar_id,
    url: "webcal://host.invalid/town.ics",
    every_minutes: "15",
  });
  const { sync } = made.body;
  expect(sync).toEqual({
    id: sync.id,
    calendar_id,
    url,
    every_minutes: 15,
    status: "ready",
    last_at: "",
    last_error: "",
    last_error_code: "",
    last_result: "",
    next_at: instant(server.now),
    events: 0,
    date_create: instant(server.now),
  });
  await server.db.transaction((trx) =>
    settleSync(
      trx,
      { id: Number(sync.id), claimed_until: 0 },
      { error: "The host is not known.", failures: 1, tried_at: server.now, next_at: server.now + 900 },
    ),
  );
  const added = await owner.call("eventsCreate", { calendar_id, title: "x", start_date: "2026-07-04T10:00" });
  await server.db.transaction((trx) =>
    trx("imported_events").insert({
      event_id: Number(added.body.event.id),
      calendar_id: Number(calendar_id),
      import_uid: "a",
      import_recurrence_id: "",
      sync_id: Number(sync.id),
    }),
  );
  const { body } = await owner.call("syncsList", { calendar_id });
  expect(body.syncs).toEqual([
    {
      ...sync,
      status: "failing",
      last_at: instant(server.now),
      last_error: "The host is not known.",
      next_at: instant(server.now + 900),
      events: 1,
    },
  ]);
  expect((await owner.call("syncsList")).body.syncs).toHaveLength(1);
});

test("another interval or URL is stored, and what is read of the file before is forgotten", async () => {
  const sync_id = await newSync(await newCalendar());
  const row = () =>
    server.db
      .read("calendar_syncs")
      .where({ id: Number(sync_id) })
      .first();
  const state = {
    etag: '"1"',
    error: "x",
    claimed_until: server.now + 60,
    next_at: server.now + 3_600,
  };
  await server.db.transaction((trx) =>
    trx("calendar_syncs")
      .where({ id: Number(sync_id) })
      .update(state),
  );
  const slower = await owner.call("syncsUpdate", { sync_id, every_minutes: "43200" });
  expect(slower.body.sync).toMatchObject({ every_minutes: 43_200, url, status: "running" });
  expect(await row()).toMatchObject({ ...state, every_seconds: 2_592_000 });
  const sooner = await owner.call("syncsUpdate", { sync_id, every_minutes: "15" });
  expect(sooner.body.sync.next_at).toBe(instant(server.now + 900));
  const moved = await owner.call("syncsUpdate", { sync_id, url: "https://other.invalid/" });
  expect(moved.body.sync).toMatchObject({ url: "https://other.invalid/", status: "ready", last_error: "" });
  expect(await row()).toMatchObject({ etag: "", claimed_until: 0, next_at: server.now });
});

test("a sync whose last attempt ended with the server says so, is due again on request, and a deleted one is gone", async () => {
  const sync_id = await newSync(await newCalendar());
  const change = { failures: 1, next_at: server.now + 3_600 };
  await server.db.transaction((trx) =>
    trx("calendar_syncs")
      .where({ id: Number(sync_id) })
      .update(change),
  );
  const { body } = await owner.call("syncsList");
  expect(body.syncs.find((one: { readonly id: string }) => one.id === sync_id)).toMatchObject({
    status: "failing",
    last_error: "The server ended before the file was imported.",
    last_error_code: "interrupted",
  });
  const run = await owner.call("syncsRun", { sync_id });
  expect(run.body.sync).toMatchObject({ next_at: instant(server.now) });
  expect((await owner.call("syncsDelete", { sync_id })).body.sync).toEqual({
    id: sync_id,
    status: "deleted",
  });
  expect((await owner.call("syncsRun", { sync_id })).status).toBe(404);
});

test("addresses that a webhook may not have are refused, and intervals outside 15 minutes to 30 days", async () => {
  const calendar_id = await newCalendar();
  for (const [wrong, code] of [
    [{ url: "https://127.0.0.1/" }, "not_a_url"],
    [{ url: "http://host.invalid/" }, "not_a_url"],
    [{ url: "webcal://ada:secret@host.invalid/#today" }, "not_a_url"],
    [{ every_minutes: "14" }, "out_of_range"],
    [{ every_minutes: "43201" }, "out_of_range"],
  ] as const) {
    const { status, body } = await owner.call("syncsCreate", { calendar_id, url, ...wrong });
    expect([status, body.meta.errors[0]]).toMatchObject([400, { parameter: Object.keys(wrong)[0], code }]);
  }
  for (const every_minutes of ["15", "99", "100", "9999", "10000", "43199", "43200"])
    expect((await owner.call("syncsCreate", { calendar_id, url, every_minutes })).status).toBe(200);
});

test("another account's syncs, and those of a deleted calendar, are not found", async () => {
  const calendar_id = await newCalendar();
  const sync_id = await newSync(calendar_id);
  for (const change of ["syncsUpdate", "syncsRun", "syncsDelete"] as const)
    expect((await other.call(change, { sync_id })).body.meta.error_type).toBe("sync_not_found");
  expect((await other.call("syncsCreate", { calendar_id, url })).body.meta.error_type).toBe(
    "calendar_not_found",
  );
  expect((await other.call("syncsList", { calendar_id })).status).toBe(404);
  expect((await other.call("syncsList")).body.syncs).toEqual([]);
  await owner.call("calendarsDelete", { calendar_id });
  expect((await owner.call("syncsRun", { sync_id })).status).toBe(404);
});

test("an account may have 50 syncs", async () => {
  const account = await server.account();
  const { calendar } = (await account.call("calendarsCreate", { title: "Full" })).body;
  for (let index = 0; index < 50; index++)
    expect((await account.call("syncsCreate", { calendar_id: calendar.id, url })).status).toBe(200);
  const full = await account.call("syncsCreate", { calendar_id: calendar.id, url });
  expect([full.status, full.body.meta.error_type]).toEqual([409, "sync_limit_reached"]);
});

test("a password in a URL is stored, sent again by no answer, and goes with the URL that it was for", async () => {
  const calendar_id = await newCalendar();
  const answers: string[] = [];
  const call = async (...request: Parameters<typeof owner.call>) => {
    const answer = await owner.call(...request);
    answers.push(answer.text);
    return answer;
  };
  const create = { calendar_id, url: "webcal://anna:s3cret%21@host.invalid/town.ics" };
  const { sync } = (await call("syncsCreate", create)).body;
  expect(sync.url).toBe(url);
  const stored = async () => (await findSync(server.db.read, Number(sync.id)))?.credentials;
  const sync_id: string = sync.id;
  expect(await stored()).toBe("anna:s3cret!");
  await call("syncsUpdate", { sync_id, url });
  expect(await stored()).toBe("anna:s3cret!");
  await call("syncsUpdate", { sync_id, url: "https://bob:100%@host.invalid/town.ics" });
  expect(await stored()).toBe("bob:100%");
  await call("syncsUpdate", { sync_id, url: "https://host.invalid/other.ics" });
  expect(await stored()).toBe("");
  await call("syncsUpdate", { sync_id, url: "https://anna:s3cret%21@host.invalid/town.ics" });
  for (const operation of ["syncsList", "syncsRun", "historyList"] as const)
    await call(operation, { sync_id, calendar_id });
  const refused = await call("syncsCreate", { calendar_id, url: "https://anna:s3cret%21@10.0.0.1/town.ics" });
  expect(refused.status).toBe(400);
  expect(answers.join()).not.toMatch(/s3cret|anna/);
  await call("syncsDelete", { sync_id });
  expect(await stored()).toBeUndefined();
});
