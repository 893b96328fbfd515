import { type Operation, operations } from "@kalends/spec";
import { describe, expect, test } from "vitest";
import { calendarTexts, templateColumns } from "../src/db/columns.js";
import { testServer } from "./harness.js";

// Changes of single fields, the status of an event, and data of the caller's own (extensions X2.3, X2.4, X3.1).

const server = await testServer();
const owner = await server.account();
const { id: calendar_id, uniquekey } = (
  await owner.call("createCalendar", { title: "Concerts", timezone: "Europe/Berlin" })
).body.calendar;

const whole = {
  title: "Opening night",
  description: "Doors open at 13:00.",
  location: "Park",
  organizer: "Parks",
  organizer_email: "parks@example.com",
  start_date: "2026-07-04T13:30",
  end_date: "2026-07-04T16:00",
  timezone: "America/New_York",
  color_id: "4",
  reminder: "30",
  custom_data: '{"room":"2b","seats":40}',
};
const add = async (params: Readonly<Record<string, string>> = whole) =>
  (await owner.call("eventsCreate", { calendar_id, ...params })).body.event;
const update = (event_id: string, params: Readonly<Record<string, string>>) =>
  owner.call("eventsUpdate", { event_id, ...params });

test("an event that was added is what its details, its list and an update without a field return", async () => {
  const event = await add();
  expect(event).toMatchObject({
    ...whole,
    custom_data: { room: "2b", seats: 40 },
    status: "confirmed",
    updated_times: 0,
  });
  expect(event).toMatchObject({
    start_at: "2026-07-04T17:30:00Z",
    end_at: "2026-07-04T20:00:00Z",
    all_day_event: false,
  });
  expect((await owner.call("eventsDetails", { event_id: event.id })).body.event).toEqual(event);
  const { events } = (await owner.call("eventsList", { calendar_id, order_by: "id-desc" })).body;
  expect(events[0]).toEqual(event);
  const updated = (await update(event.id, {})).body.event;
  expect(updated).toEqual({ ...event, updated_times: 1 });
  const { id } = (
    await owner.call("createEvent", { calendar_id, title: "x", start_date: "2026-07-04 10:00" })
  ).body.event;
  expect((await owner.call("eventsDetails", { event_id: String(id) })).body.event.status).toBe("confirmed");
});

test("a list prints every description as the details of its event do, whatever is in it", async () => {
  const descriptions = [
    "",
    '"',
    "\\",
    '","description":""',
    "tab\t and\nline",
    "\u2028\u2029\ufeff",
    "🎸é\u{10ffff}",
    "</script>",
  ];
  for (const description of descriptions) {
    const title = '"description":""';
    const custom_data = JSON.stringify({ description: "", title });
    const added = await owner.call("eventsCreate", {
      calendar_id,
      ...whole,
      title,
      description,
      custom_data,
    });
    expect(added.status).toBe(200);
    const { event } = added.body;
    const { events } = (await owner.call("eventsList", { calendar_id, order_by: "id-desc" })).body;
    expect(events[0]).toEqual(event);
    const { changes } = (await owner.call("eventsChanges", { calendar_id })).body;
    expect(changes.at(-1)).toEqual({ event_id: event.id, change: "saved", event });
  }
});

/** One of them is a legal value of each text. */
const values = ["Ask Ann", "7", "tentative", "ann@example.com", "#b8412c", "https://a.example/b"];

describe.each([
  {
    item: "calendar",
    does: ["calendarsCreate", "calendarsUpdate", "calendarsDetails", "saveCalendar"],
    columns: calendarTexts,
    fixed: {},
  },
  {
    item: "event",
    does: ["eventsCreate", "eventsUpdate", "eventsDetails", "saveEvent"],
    columns: templateColumns,
    fixed: { calendar_id, start_date: "2026-07-04T13:30" },
  },
] as const)("a text column of the $item", ({ item, does: [add, update, get, save], columns, fixed }) => {
  const ofOthers = ["custom_data", "categories", "picture_id", "picture_alt"];
  const texts = columns.filter((name) => !ofOthers.includes(name));
  test.each(texts)(
    "%s is taken by create and update, which change nothing else, kept by a save that does not take it, and cleared",
    async (name) => {
      const { params }: Operation = operations[update];
      const value = values.find((text) => params.shape[name]?.safeParse(text).success) ?? "no legal value";
      const call = async (
        id: typeof add | typeof update | typeof get | typeof save,
        sent: Readonly<Record<string, string>>,
      ) => (await owner.call(id, sent)).body[item];
      const plain = await call(add, { ...fixed, title: "Plain" });
      expect((await call(add, { ...fixed, title: "Plain", [name]: value }))[name]).toBe(value);
      const id = { [`${item}_id`]: plain.id };
      const count = (updated_times: number) => (item === "event" ? { updated_times } : {});
      const changed = { ...plain, [name]: value, ...count(1) };
      expect(await call(update, { ...id, [name]: value })).toEqual(changed);
      expect(await call(get, id)).toEqual(changed);
      let times = 1;
      if (!(name in operations[save].params.shape)) {
        await call(save, { ...fixed, ...id, title: "Plain" });
        expect((await call(get, id))[name]).toBe(value);
        times++;
      }
      const cleared = { ...id, [name]: name === "title" ? "Plain" : "" };
      expect(await call(update, cleared)).toEqual({ ...plain, ...count(times + 1) });
    },
  );
});

describe("an update", () => {
  test.each([
    [{ custom_data: "" }, { custom_data: {} }],
    [{ custom_data: '{"a":null}' }, { custom_data: { a: null } }],
    [{ custom_data: '{"\\u0061\\"":"\\\\", "b" : ["\\u0022"]}' }, { custom_data: { 'a"': "\\", b: ['"'] } }],
    [{ end_date: "07/04/2026 05:00 PM" }, { end_date: "2026-07-04T17:00", end_at: "2026-07-04T21:00:00Z" }],
    [{ end_date: "" }, { end_date: "2026-07-04T14:30", end_at: "2026-07-04T18:30:00Z" }],
    [
      { start_date: "2026-07-04 15:00" },
      { start_date: "2026-07-04T15:00", start_at: "2026-07-04T19:00:00Z" },
    ],
    [
      { timezone: "Asia/Tokyo" },
      { timezone: "Asia/Tokyo", start_at: "2026-07-04T04:30:00Z", end_at: "2026-07-04T07:00:00Z" },
    ],
    [
      { timezone: "" },
      { timezone: "Europe/Berlin", start_at: "2026-07-04T11:30:00Z", end_at: "2026-07-04T14:00:00Z" },
    ],
    [{ all_day_event: "true" }, { all_day_event: true }],
    [
      { all_day_event: "1", start_date: "2026-07-05", end_date: "2026-07-06" },
      {
        all_day_event: true,
        start_date: "2026-07-05T00:00",
        end_date: "2026-07-06T00:00",
        start_at: "2026-07-05T04:00:00Z",
        end_at: "2026-07-06T04:00:00Z",
      },
    ],
  ])("of %j changes that and nothing else", async (params, change) => {
    const event = await add();
    const updated = await update(event.id, params);
    expect(updated.body.event).toEqual({ ...event, ...change, updated_times: 1 });
    expect((await owner.call("eventsDetails", { event_id: event.id })).body.event).toEqual(
      updated.body.event,
    );
  });

  test("of the title leaves an event in the hour that the clock shows twice where it was", async () => {
    const event = await add({
      title: "x",
      timezone: "Europe/Berlin",
      start_date: "2026-10-25T01:30",
      end_date: "2026-10-25T03:30",
    });
    await server.db.transaction((trx) =>
      // its end in the second of the two hours from 2:00 to 3:00
      trx("events")
        .where({ id: Number(event.id) })
        .update({
          end_local: Date.UTC(2026, 9, 25, 2, 30) / 1000,
          end_at: Date.UTC(2026, 9, 25, 1, 30) / 1000,
        }),
    );
    const { body } = await update(event.id, { start_date: "2026-10-25T01:00" });
    expect(body.event).toMatchObject({ end_date: "2026-10-25T02:30", end_at: "2026-10-25T01:30:00Z" });
  });

  test("of one end of an event in that hour goes by the instant of the other", async () => {
    const event = await add({
      title: "x",
      timezone: "Europe/Berlin",
      start_date: "2026-10-25T02:15",
      end_date: "2026-10-25T03:30",
    });
    const inSecondHour = async (columns: object): Promise<void> => {
      await server.db.transaction((trx) =>
        trx("events")
          .where({ id: Number(event.id) })
          .update(columns),
      );
    };
    await inSecondHour({ start_at: Date.UTC(2026, 9, 25, 1, 15) / 1000 });
    const refused = await update(event.id, { end_date: "2026-10-25T02:45" }); // the first of them, before the start
    expect([refused.status, refused.body.meta.errors?.[0]?.parameter]).toEqual([400, "end_date"]);
    const hour = await update(event.id, { end_date: "" });
    expect(hour.body.event).toMatchObject({
      start_at: "2026-10-25T01:15:00Z",
      end_at: "2026-10-25T02:15:00Z",
    });
    await inSecondHour({
      end_local: Date.UTC(2026, 9, 25, 2, 30) / 1000,
      end_at: Date.UTC(2026, 9, 25, 1, 30) / 1000,
    });
    const moved = await update(event.id, { start_date: "2026-10-25T02:45" });
    expect(moved.body.event).toMatchObject({
      start_at: "2026-10-25T00:45:00Z",
      end_at: "2026-10-25T01:30:00Z",
    });
  });

  test("of an event that another time zone shows in the year 1899 is as any other", async () => {
    const event = await add({ title: "x", timezone: "UTC", start_date: "1900-01-01T01:00" });
    await update(event.id, { timezone: "America/New_York" });
    const local = Date.UTC(1899, 11, 31, 20, 0) / 1000;
    await server.db.transaction((trx) =>
      trx("events")
        .where({ id: Number(event.id) })
        .update({ start_local: local, start_at: local + 5 * 3600 }),
    );
    const { body } = await update(event.id, { end_date: "1900-01-02T00:00" });
    expect(body.event).toMatchObject({ start_date: "1899-12-31T20:00", end_date: "1900-01-02T00:00" });
  });

  test("of an all-day event takes a date alone", async () => {
    const event = await add({
      title: "x",
      all_day_event: "true",
      start_date: "2026-07-04",
      end_date: "2026-07-05",
    });
    const { body } = await update(event.id, { end_date: "2026-07-08" });
    expect(body.event).toMatchObject({
      start_date: "2026-07-04T00:00",
      end_date: "2026-07-08T00:00",
      all_day_event: true,
    });
  });

  test.each([
    [{ title: "" }, "title"],
    [{ start_date: "", location: "Hall" }, undefined],
    [{ start_date: "2026-07-05" }, "start_date"],
    [{ end_date: "2026-07-05" }, "end_date"],
    [{ start_date: "2026-07-04T18:00" }, "end_date"],
    [{ end_date: "2026-07-04T13:00" }, "end_date"],
    [{ color_id: "21" }, "color_id"],
    [{ timezone: "Mars/Olympus" }, "timezone"],
    [{ status: "postponed" }, "status"],
    [{ custom_data: "[1]" }, "custom_data"],
    [{ custom_data: "null" }, "custom_data"],
    [{ custom_data: '{"":1}' }, "custom_data"],
    [{ custom_data: `{"a":"${"x".repeat(4090)}"}` }, "custom_data"],
    [{ custom_data: `{"${"n".repeat(65)}":1}` }, "custom_data"],
    [{ custom_data: '{"a\\u0000b":1}' }, "custom_data"],
    [{ custom_data: '{"\\ud800":1}' }, "custom_data"],
    [{ custom_data: '{"id":"A-17","id":"B-18"}' }, "custom_data"],
    [{ custom_data: '{"list":[{"a":1,"\\u0061":1}]}' }, "custom_data"],
    [{ custom_data: '{"id":12345678901234567890}' }, "custom_data"],
    [{ custom_data: '{"ids":[{"id":-9007199254740992}]}' }, "custom_data"],
    [{ custom_data: '{"much":1e400}' }, "custom_data"],
    [{ custom_data: `{"deep":${"[".repeat(5000)}${"]".repeat(5000)}}` }, "custom_data"],
  ])("of %j blames %s", async (params, blamed) => {
    const event = await add();
    const answer = await update(event.id, params);
    expect([answer.status, answer.body.meta.errors?.[0]?.parameter]).toEqual([
      blamed === undefined ? 200 : 400,
      blamed,
    ]);
    const { updated_times } = (await owner.call("eventsDetails", { event_id: event.id })).body.event;
    expect(updated_times).toBe(blamed === undefined ? 1 : 0);
  });
});

describe("custom data", () => {
  const text = (path: string, body: string) =>
    server.request(`/api/kalends/v1/${path}`, {
      method: "POST",
      headers: { Authorization: `Bearer ${owner.token}`, "Content-Type": "application/json" },
      body,
    });
  const json = (path: string, body: object) => text(path, JSON.stringify(body));
  const found = async (custom_data_key: string, custom_data_value?: string): Promise<readonly string[]> => {
    const value = custom_data_value === undefined ? {} : { custom_data_value };
    const { events } = (await owner.call("eventsList", { calendar_id, custom_data_key, ...value })).body;
    return events.map(({ title }: { title: string }) => title);
  };

  test("may be an object in a JSON body, whatever it holds", async () => {
    const data = {
      a: [1, { b: "x,y", "": [] }],
      ключ: "значение 🎉",
      c: "\u0000\ud800",
      d: [1.5e-300, -9007199254740991],
      e: { f: { g: false } },
    };
    const { body } = await json("events/create/", {
      calendar_id,
      title: "x",
      start_date: "2026-07-04T10:00",
      custom_data: data,
    });
    expect(body.event.custom_data).toEqual(data);
  });

  test.each([[["list"]], [1], [true], [null]])("%j is refused", async (custom_data) => {
    const answer = await json("events/create/", {
      calendar_id,
      title: "x",
      start_date: "2026-07-04T10:00",
      custom_data,
    });
    expect(answer.status).toBe(400);
  });

  test.each(["12345678901234567890", "1e400", "-1e400", '{"deep":[9007199254740992]}'])(
    "%s is refused in it, since it would be rounded",
    async (number) => {
      const body = `{"calendar_id":"${calendar_id}","title":"x","start_date":"2026-07-04T10:00","custom_data":{"id":${number}}}`;
      const answer = await text("events/create/", body);
      expect([answer.status, answer.body.meta.errors?.[0]?.parameter]).toEqual([400, "custom_data"]);
    },
  );

  test("finds events by a name and by a value, until it is changed or the event is deleted", async () => {
    const one = await add({
      ...whole,
      title: "one",
      custom_data: '{"hall":"A","chairs":40,"long":"' + "x".repeat(3000) + '"}',
    });
    const two = await add({
      ...whole,
      title: "two",
      custom_data: '{"hall":"B","chairs":"40","open":true,"none":null,"deep":{"hall":"A"}}',
    });
    expect([await found("hall"), await found("hall", "A")]).toEqual([["two", "one"], ["one"]]);
    expect([await found("chairs", "40"), await found("open", "true"), await found("none", "null")]).toEqual([
      ["two", "one"],
      ["two"],
      ["two"],
    ]);
    expect([
      await found("long", "x".repeat(3000)),
      await found("long", "x"),
      await found("deep", "[object Object]"),
    ]).toEqual([["one"], [], []]);
    expect([await found("Hall"), await found("hall", "a"), await found("toString")]).toEqual([[], [], []]);
    await update(one.id, { custom_data: '{"hall":"B"}' });
    expect([await found("hall", "A"), await found("hall", "B"), await found("chairs")]).toEqual([
      [],
      ["two", "one"],
      ["two"],
    ]);
    await update(one.id, { location: "Elsewhere" });
    await owner.call("saveEvent", { event_id: two.id, title: "two", start_date: "07/04/2026 10:00" });
    expect(await found("hall", "B")).toEqual(["two", "one"]); // the contract's save knows no such field
    await owner.call("deleteEvent", { event_id: two.id });
    await owner.call("deleteEvent", { event_id: one.id });
    expect(await found("hall")).toEqual([]);
  });

  test("of a calendar finds it, and no other account's", async () => {
    const other = await server.account();
    const theirs = (await other.call("createCalendar", { title: "Theirs" })).body.calendar;
    await other.call("calendarsUpdate", { calendar_id: theirs.id, custom_data: '{"town":"Ulm"}' });
    const { calendar } = (await owner.call("calendarsUpdate", { calendar_id, custom_data: '{"town":"Ulm"}' }))
      .body;
    expect(calendar).toMatchObject({
      id: calendar_id,
      title: "Concerts",
      timezone: "Europe/Berlin",
      custom_data: { town: "Ulm" },
    });
    const listed = await owner.call("calendarsList", { custom_data_key: "town", custom_data_value: "Ulm" });
    expect(listed.body.calendars).toEqual([
      (await owner.call("calendarsDetails", { calendar_id })).body.calendar,
    ]);
    await owner.call("calendarsUpdate", { calendar_id, custom_data: "" });
    expect((await owner.call("calendarsList", { custom_data_key: "town" })).body.calendars).toEqual([]);
  });
});

test("an update of a calendar changes what is sent; an empty value means the default", async () => {
  const made = (
    await owner.call("createCalendar", {
      title: "One",
      calendarname: "N",
      description: "D",
      timezone: "Asia/Tokyo",
      palette_id: "2",
    })
  ).body.calendar;
  const change = async (params: Readonly<Record<string, string>>) =>
    (await owner.call("calendarsUpdate", { calendar_id: made.id, ...params })).body.calendar;
  const cleared = { calendarname: "", description: "", timezone: "", palette_id: "" };
  expect(await change(cleared)).toMatchObject({
    title: "One",
    calendarname: "One",
    description: "",
    timezone: "America/Los_Angeles",
    palette_id: "1",
  });
  expect((await owner.call("calendarsUpdate", { calendar_id: made.id, title: "" })).status).toBe(400);
});

test("a cancelled event stays in the contract's list, and its feed says STATUS:CANCELLED", async () => {
  const event = await add({ ...whole, title: "Rained off" });
  const feed = async () => (await server.request(`/c/${uniquekey}/x.ics`)).text;
  const entry = async () =>
    (await feed()).split("BEGIN:VEVENT").find((text) => text.includes(event.uid)) ?? "";
  expect(await entry()).toContain("STATUS:CONFIRMED\r\nTRANSP:OPAQUE\r\n");
  await update(event.id, { status: "cancelled" });
  expect(await entry()).toContain("STATUS:CANCELLED\r\nTRANSP:TRANSPARENT\r\n");
  expect(await entry()).toContain("SEQUENCE:1\r\n");
  expect(await entry()).not.toContain("VALARM");
  const july = { month: "07", year: "2026" };
  for (const filter of [{}, july, { upcoming: "2026-01-01 00:00:00" }]) {
    const { events } = (await owner.call("listEvents", { calendar_id, ...filter })).body;
    expect(events.map(({ id }: { id: string }) => id)).toContain(event.id);
  }
  const page = async (query: string, language: string) =>
    (await server.request(`/c/${uniquekey}${query}`, { headers: { "Accept-Language": language } })).text;
  for (const query of ["", "?month=2026-07"])
    for (const [language, word] of Object.entries({
      en: "Cancelled",
      de: "Abgesagt",
      fr: "Annulé",
      es: "Cancelado",
    }))
      expect(await page(query, language)).toContain(
        `<bdi class="badge cancelled">${word}</bdi> <s>Rained off</s>`,
      );
  await owner.call("saveEvent", { event_id: event.id, title: "Rained off", start_date: "07/04/2026 10:00" });
  expect(await entry()).toContain("STATUS:CANCELLED"); // the contract's save knows no such field
  await update(event.id, { status: "" });
  expect(await entry()).toContain("STATUS:CONFIRMED");
});

test("the days of a month say in words and in shapes how many of their events are cancelled or tentative", async () => {
  const made = (await owner.call("createCalendar", { title: "Month", timezone: "UTC" })).body.calendar;
  for (const [day, status] of [
    ["04", "cancelled"],
    ["04", "cancelled"],
    ["04", "tentative"],
    ["05", "confirmed"],
    ["06", "cancelled"],
  ] as const)
    await owner.call("eventsCreate", {
      calendar_id: made.id,
      title: "x",
      start_date: `2026-07-${day}T10:00`,
      status,
    });
  for (const [language, expected] of Object.entries({
    en: ["3 events, 2 cancelled, 1 tentative", "1 event", "1 event, 1 cancelled"],
    de: ["3 Termine, 2 abgesagt, 1 unter Vorbehalt", "1 Termin", "1 Termin, 1 abgesagt"],
    fr: ["3 événements, 2 annulés, 1 à confirmer", "1 événement", "1 événement, 1 annulé"],
    es: ["3 eventos, 2 cancelados, 1 por confirmar", "1 evento", "1 evento, 1 cancelado"],
  })) {
    const headers = { "Accept-Language": language };
    const { text } = await server.request(`/c/${made.uniquekey}?month=2026-07`, { headers });
    const cells = [...text.matchAll(/aria-label="[^":]*: ([^"]*)".*?<\/a>/gs)];
    expect(cells.map(([, label]) => label)).toEqual(expected);
    const dots = cells.map(([cell]) =>
      [...cell.matchAll(/class="dot (cancelled|tentative)?/g)].map(([, status]) => status),
    );
    const [fourth, ...others] = dots;
    expect(fourth?.toSorted()).toEqual(["cancelled", "cancelled", "tentative"]);
    expect(others).toEqual([[undefined], ["cancelled"]]);
  }
});
