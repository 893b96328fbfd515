import { expect, test } from "vitest";
import { addFollower } from "../../test/calls.js";
import { type TestAccount, testServer } from "../../test/harness.js";

const server = await testServer();

const owner = await server.account();
const other = await server.account();

async function newCalendar(account: TestAccount = owner): Promise<string> {
  return (await account.call("calendarsCreate", { title: "Town" })).body.calendar.id;
}

async function addEvent(calendar_id: string, categories: string, title = "Event"): Promise<string> {
  const event = { calendar_id, title, start_date: "2027-07-04T10:00", categories };
  return (await owner.call("eventsCreate", event)).body.event.id;
}

const listed = async (calendar_id: string) =>
  (await owner.call("categoriesList", { calendar_id })).body.categories;

const categoriesOf = async (event_id: string) =>
  (await owner.call("eventsDetails", { event_id })).body.event.categories;

test("the list has the categories of a calendar with the number of their events (extensions X8.6)", async () => {
  const calendar_id = await newCalendar();
  expect(await listed(calendar_id)).toEqual([]);
  await addEvent(calendar_id, "Music,Children");
  await addEvent(calendar_id, "Music");
  expect(await listed(calendar_id)).toEqual([
    { name: "Children", events_count: 1 },
    { name: "Music", events_count: 2 },
  ]);
});

test("a rename reaches events, what followers have picked, what series make, webhooks and those who follow changes", async () => {
  const calendar_id = await newCalendar();
  const [both, one, none] = [
    await addEvent(calendar_id, "Music,Children"),
    await addEvent(calendar_id, "Music"),
    await addEvent(calendar_id, "Children"),
  ];
  await owner.call("eventsSeriesCreate", {
    calendar_id,
    title: "Weekly",
    start_date: "2027-07-05T10:00",
    rrule: "FREQ=WEEKLY;COUNT=2",
    categories: "Music",
  });
  const picked = await addFollower(server, owner, calendar_id, { categories: "Children,Music" });
  const everything = await addFollower(server, owner, calendar_id);
  const { cursor } = (await owner.call("eventsChanges", { calendar_id })).body;
  const before = (await owner.call("eventsDetails", { event_id: one })).body.event;
  const { body } = await owner.call("categoriesRename", { calendar_id, category: "Music", name: "Concerts" });
  expect(body).toMatchObject({ category: { name: "Concerts", events_count: 4 }, events_changed: 4 });
  expect(await categoriesOf(both)).toEqual(["Concerts", "Children"]);
  expect(await categoriesOf(none)).toEqual(["Children"]);
  const after = (await owner.call("eventsDetails", { event_id: one })).body.event;
  expect(after).toEqual({
    ...before,
    categories: ["Concerts"],
    updated_times: before.updated_times + 1,
    date_modified: after.date_modified,
  });
  const { changes } = (await owner.call("eventsChanges", { calendar_id, since: cursor })).body;
  expect(changes).toHaveLength(4);
  const rows = await server.db.read("subscribers").whereIn("id", [picked.id, everything.id]).orderBy("id");
  expect(rows.map((row) => row.categories)).toEqual(["Children,Concerts", null]);
  const [series] = await server.db.read("series").where({ calendar_id: Number(calendar_id) });
  expect(JSON.parse(series.template).categories).toBe("Concerts");
  expect((await listed(calendar_id)).map((each: { readonly name: string }) => each.name)).toEqual([
    "Children",
    "Concerts",
  ]);
});

test("a rename reaches drafts, and counts them with the events; what was deleted stays as it was", async () => {
  const calendar_id = await newCalendar();
  const hidden = { calendar_id, start_date: "2027-07-04T10:00", published: "false" };
  const add = async (categories: string) =>
    (await owner.call("eventsCreate", { ...hidden, title: "Draft", categories })).body.event.id;
  const [draft, other, trashed] = [await add("Music,Children"), await add("Children"), await add("Music")];
  await owner.call("eventsDelete", { event_id: trashed });
  await addEvent(calendar_id, "Music");
  const rename = { calendar_id, category: "Music", name: "Concerts" };
  expect((await owner.call("categoriesRename", rename)).body).toMatchObject({
    category: { name: "Concerts", events_count: 1 },
    events_changed: 2,
  });
  const renamed = (await owner.call("eventsDetails", { event_id: draft })).body.event;
  expect(renamed).toMatchObject({ published: false, categories: ["Concerts", "Children"], updated_times: 1 });
  expect(await categoriesOf(other)).toEqual(["Children"]);
  await owner.call("eventsRestore", { event_id: trashed });
  expect(await categoriesOf(trashed)).toEqual(["Music"]);
});

test("a rename to a category that there is is refused; a merge joins them, without one twice", async () => {
  const calendar_id = await newCalendar();
  const [both, gig] = [await addEvent(calendar_id, "Gigs,Music"), await addEvent(calendar_id, "Gigs")];
  const taken = await owner.call("categoriesRename", { calendar_id, category: "Gigs", name: "Music" });
  expect([taken.status, taken.body.meta.errors[0]]).toMatchObject([
    400,
    { parameter: "name", code: "not_allowed" },
  ]);
  const { body } = await owner.call("categoriesMerge", {
    calendar_id,
    categories: "Gigs,Music",
    into: "Music",
  });
  expect(body).toMatchObject({ category: { name: "Music", events_count: 2 }, events_changed: 2 });
  expect([await categoriesOf(both), await categoriesOf(gig)]).toEqual([["Music"], ["Music"]]);
  const again = await owner.call("categoriesMerge", { calendar_id, categories: "Music", into: "Music" });
  expect(again.body).toMatchObject({ category: { events_count: 2 }, events_changed: 0 });
});

test("what is not there is a 404, and another account's calendar is not", async () => {
  const calendar_id = await newCalendar();
  await addEvent(calendar_id, "Music");
  for (const [account, expected] of [
    [owner, "category_not_found"],
    [other, "calendar_not_found"],
  ] as const) {
    const renamed = await account.call("categoriesRename", {
      calendar_id,
      category: "Gigs",
      name: "Concerts",
    });
    expect([renamed.status, renamed.body.meta.error_type]).toEqual([404, expected]);
    const merged = await account.call("categoriesMerge", {
      calendar_id,
      categories: "Music,Gigs",
      into: "New",
    });
    expect(merged.body.meta.error_type).toBe(expected);
  }
  expect((await other.call("categoriesList", { calendar_id })).status).toBe(404);
  expect(await listed(calendar_id)).toEqual([{ name: "Music", events_count: 1 }]);
});

test("names that no event may have are refused", async () => {
  const calendar_id = await newCalendar();
  await addEvent(calendar_id, "Music");
  for (const [name, code] of [
    ["a,b", "malformed"],
    [" a", "malformed"],
    ["x".repeat(41), "too_long"],
  ] as const) {
    const { body } = await owner.call("categoriesRename", { calendar_id, category: "Music", name });
    expect(body.meta.errors).toMatchObject([{ parameter: "name", code }]);
  }
  const { body } = await owner.call("categoriesRename", {
    calendar_id,
    category: "Music",
    name: "𝄞".repeat(40),
  });
  expect(body.events_changed).toBe(1);
});

test("a rename beside writes of the same events loses none of them", async () => {
  const calendar_id = await newCalendar();
  const ids = await Promise.all(Array.from({ length: 20 }, () => addEvent(calendar_id, "Music")));
  const [renamed, ...saved] = await Promise.all([
    owner.call("categoriesRename", { calendar_id, category: "Music", name: "Concerts" }),
    ...ids.map((event_id) => owner.call("eventsUpdate", { event_id, location: "Hall" })),
    addEvent(calendar_id, "Music"),
  ]);
  expect([200, 503]).toContain(renamed.status);
  expect(saved.filter((one) => typeof one !== "string" && one.status !== 200)).toEqual([]);
  for (const event_id of ids) {
    const { event } = (await owner.call("eventsDetails", { event_id })).body;
    expect(event.location).toBe("Hall");
    expect(event.categories).toEqual([renamed.status === 200 ? "Concerts" : "Music"]);
  }
});

test("500 events are renamed at once, and a repeated request changes nothing", async () => {
  const calendar_id = await newCalendar();
  const file = Array.from({ length: 500 }, (_, index) =>
    [
      "BEGIN:VEVENT",
      `UID:${index}`,
      "DTSTART:20270704T100000Z",
      "SUMMARY:x",
      "CATEGORIES:Music",
      "END:VEVENT",
    ].join("\r\n"),
  );
  const ics = ["BEGIN:VCALENDAR", ...file, "END:VCALENDAR"].join("\r\n");
  await owner.call("calendarsImport", { calendar_id, ics });
  const { body } = await owner.call("categoriesRename", { calendar_id, category: "Music", name: "Concerts" });
  expect(body).toMatchObject({ category: { name: "Concerts", events_count: 500 }, events_changed: 500 });
});

test("a rename is stored whole, however many picks and series the calendar has", async () => {
  const calendar_id = await newCalendar();
  await addEvent(calendar_id, "Music");
  await addFollower(server, owner, calendar_id, { categories: "Music" });
  const created = await owner.call("eventsSeriesCreate", {
    calendar_id,
    title: "Weekly",
    start_date: "2027-07-05T10:00",
    rrule: "FREQ=WEEKLY;COUNT=1",
    categories: "Music",
  });
  expect(created.status, created.text).toBe(200);
  const ofCalendar = { calendar_id: Number(calendar_id) };
  const { id: _id, ...follower } = await server.db.read("subscribers").where(ofCalendar).first("*");
  const { id: _series, ...series } = await server.db.read("series").where(ofCalendar).first("*");
  const pick = (n: number): string => `A%_\\,Music,c${n}`;
  const followers = Array.from({ length: 8_000 }, (_, n) => ({
    ...follower,
    key_hash: `${calendar_id} ${n}`,
    categories: pick(n),
  }));
  const long = { ...JSON.parse(series.template), description: "x".repeat(65_000) };
  const all = Array.from({ length: 300 }, (_, n) => ({
    ...series,
    template: JSON.stringify({ ...long, title: `${n}` }),
  }));
  await server.db.transaction(async (trx) => {
    await trx.batchInsert("subscribers", followers, 50);
    await trx.batchInsert("series", all, 50);
  });
  const rename = (category: string, name: string) =>
    owner.call("categoriesRename", { calendar_id, category, name });
  const { body } = await rename("Music", "Concerts");
  expect(body).toMatchObject({ events_changed: 2 });
  const count = async (table: string, column: string, part: string): Promise<number> => {
    const rows: readonly unknown[] = await server.db
      .read(table)
      .where(ofCalendar)
      .where(column, "like", `%${part}%`)
      .select("id");
    return rows.length;
  };
  expect(await count("subscribers", "categories", "Music")).toBe(0);
  expect(await count("subscribers", "categories", ",Concerts,c")).toBe(8_000);
  expect(await count("series", "template", '"categories":"Concerts"')).toBe(301);
});
