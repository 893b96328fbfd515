import { describe, expect, test } from "vitest";
import { blamed, type Values } from "./calls.js";
import { testServer } from "./harness.js";

// Lists for people (extensions X8.1): ranges and searches. Several calendars, filters and wall clocks are in find-random.slow.test.ts.

const server = await testServer({ PAGE_SIZE: "3" });
const owner = await server.account();

async function calendarIn(timezone: string): Promise<string> {
  return (await owner.call("createCalendar", { title: "x", timezone })).body.calendar.id;
}

async function add(calendar_id: string, title: string, params: Values = {}): Promise<string> {
  const answer = await owner.call("eventsCreate", {
    calendar_id,
    title,
    start_date: "2026-07-04T10:00",
    ...params,
  });
  expect([answer.status, answer.status === 200 ? "" : answer.text]).toEqual([200, ""]);
  return answer.body.event.id;
}

/** Titles on the first page, and how many match over all pages. */
async function find(params: Values): Promise<readonly [readonly string[], number]> {
  const { status, body, text } = await owner.call("eventsList", { order_by: "id-asc", ...params });
  expect([status, status === 200 ? "" : text]).toEqual([200, ""]);
  return [body.events.map(({ title }: { title: string }) => title), body.calendar.events_count];
}

describe("from and to", async () => {
  const calendar_id = await calendarIn("Europe/Berlin");
  await add(calendar_id, "before", { start_date: "2026-06-30T22:00", end_date: "2026-07-01T00:00" });
  await add(calendar_id, "into it", { start_date: "2026-06-30T22:00", end_date: "2026-07-01T00:01" });
  await add(calendar_id, "around it", { start_date: "2026-01-01T00:00", end_date: "2027-01-01T00:00" });
  await add(calendar_id, "last minute", { start_date: "2026-07-31T23:59" });
  await add(calendar_id, "after", { start_date: "2026-08-01T00:00" });
  await add(calendar_id, "in Tokyo", { start_date: "2026-08-01T06:30", timezone: "Asia/Tokyo" });
  const july = { calendar_id, from: "2026-07-01", to: "2026-08-01" };

  test("find the events that touch the range on the calendar's wall clock, by a count over all pages", async () => {
    expect(await find(july)).toEqual([["into it", "around it", "last minute"], 4]);
    expect(await find({ ...july, page: "2" })).toEqual([["in Tokyo"], 4]);
    expect(await find({ ...july, page: "9" })).toEqual([[], 4]);
    const later = await find({ calendar_id, from: "2026-08-01" });
    expect(later).toEqual([["around it", "last minute", "after"], 4]); // an hour from 23:59, and "in Tokyo"
    expect(await find({ calendar_id, to: "2026-07-01" })).toEqual([["before", "into it", "around it"], 3]);
  });

  test("are instants with Z or an offset", async () => {
    const [berlin] = await find(july);
    for (const from of [
      "2026-06-30T22:00Z",
      "2026-06-30T22:00:00Z",
      "2026-07-01T00:00+02:00",
      "2026-06-30 17:00-05:00",
    ])
      expect((await find({ ...july, from }))[0]).toEqual(berlin);
    expect(
      (await find({ calendar_id, from: "2026-07-31T23:59:59+02:00", to: "2026-07-31T22:00:00Z" }))[0],
    ).toEqual(["around it", "last minute", "in Tokyo"]);
  });

  test("take an all-day event by its days, whatever its zone is", async () => {
    const days = await calendarIn("America/Los_Angeles");
    const allDay = { all_day_event: "true", timezone: "Pacific/Auckland" };
    await add(days, "fourth", { ...allDay, start_date: "2026-07-04" });
    await add(days, "fourth to sixth", {
      ...allDay,
      start_date: "2026-07-04T09:00",
      end_date: "2026-07-06T09:00",
    });
    await add(days, "late on the third", { ...allDay, start_date: "2026-07-03T23:30" });
    const on = async (from: string, to: string) => (await find({ calendar_id: days, from, to }))[0];
    expect(await on("2026-07-04", "2026-07-05")).toEqual(["fourth", "fourth to sixth"]);
    expect(await on("2026-07-03", "2026-07-04")).toEqual(["late on the third"]);
    expect(await on("2026-07-06T23:00", "2026-07-06T23:30")).toEqual(["fourth to sixth"]);
    expect(await on("2026-07-04T00:00-07:00", "2026-07-04T01:00-07:00")).toEqual([
      "fourth",
      "fourth to sixth",
    ]);
    expect(await on("2026-07-07", "2026-07-08")).toEqual([]);
  });

  test.each([
    [{ from: "2026-02-30" }, "from"],
    [{ from: "07/01/2026" }, "from"],
    [{ from: "now" }, "from"],
    [{ from: "2026-07-01T25:00" }, "from"],
    [{ from: "2026-07-01T10:00+25:00" }, "from"],
    [{ to: "1899-01-01" }, "to"],
    [{ from: "2026-07-01", to: "2026-07-01" }, "to"],
    [{ from: "2026-07-01T00:00Z", to: "2026-07-01T02:00" }, "to"],
  ])("%j is a 400 that names %s", async (params, name) => {
    const answer = await owner.call("eventsList", { calendar_id, ...params });
    expect([answer.status, blamed(answer)]).toEqual([400, [name]]);
  });
});

describe("several calendars", async () => {
  const [berlin, tokyo] = [await calendarIn("Europe/Berlin"), await calendarIn("Asia/Tokyo")];
  await add(berlin, "Berlin");
  await add(tokyo, "Tokyo");

  test("are at most 100", async () => {
    const of = (count: number) => Array.from({ length: count }, (_, index) => index + 1).join(",");
    for (const calendar_ids of [`${berlin},`, `${berlin}, ${tokyo}`, of(100), "0", `${berlin},x`]) {
      const answer = await owner.call("eventsList", { calendar_id: berlin, calendar_ids });
      expect([calendar_ids, answer.status, blamed(answer)]).toEqual([calendar_ids, 400, ["calendar_ids"]]);
    }
    expect((await owner.call("eventsList", { calendar_id: berlin, calendar_ids: of(99) })).status).toBe(404);
    expect((await find({ calendar_id: berlin, calendar_ids: `${tokyo},${tokyo},${berlin}` }))[1]).toBe(2);
  });
});

describe("q", async () => {
  const calendar_id = await calendarIn("UTC");
  /** A title, and queries that find it. */
  const titles: readonly (readonly [title: string, ...queries: string[]])[] = [
    ["Konzert in Zürich", "zurich", "ZÜRICH", "zürich", "konzert zur", "ZURICH konzert"],
    ["Straßenfest in Łódź", "strassenfest", "STRASSEN", "lodz", "ŁÓDŹ"],
    ["Летний концерт на Йорданке", "концерт", "КОНЦЕРТ", "иорданке"],
    ["Θερινή Συναυλία στους Δελφούς", "συναυλια", "ΔΕΛΦΟΥΣ", "δελφουσ"],
    ["קוֹנְצֶרְט בַּפַּארְק", "קונצרט", "בפארק"],
    ["حفلةٌ موسيقيّة في أسوان", "موسيقية", "اسوان"],
    ["संगीत समारोह", "संगीत", "समारोह"],
    ["คอนเสิร์ตฤดูร้อน", "ฤดูร้อน", "คอนเสิร์ต"],
    ["夏の音楽会", "音楽", "夏"],
    ["여름 음악회", "음악", "여름"],
    ["Hòa nhạc mùa hè ở Huế", "hoa nhac", "HUE"],
    ["კონცერტი თბილისში", "კონცერტი", "თბილის"],
    ["ＦＵＬＬ ｗｉｄｔｈ", "full width"],
    ["100% _under_ back\\slash", "100%", "_under", "k\\s"],
  ];
  for (const [title] of titles) await add(calendar_id, title);
  await add(calendar_id, "Elsewhere", { location: "Café Größe", description: "Bring\nöl and\tpaint" });

  test.each(titles)("%s is found without case and accents", async (title, ...queries) => {
    for (const q of queries) expect([q, await find({ calendar_id, q })]).toEqual([q, [[title], 1]]);
  });

  test("looks into the place and the description, for all words", async () => {
    for (const q of ["cafe", "grosse", "OL PAINT", "paint elsewhere", "ing cafe"])
      expect([q, (await find({ calendar_id, q }))[0]]).toEqual([q, ["Elsewhere"]]);
    for (const q of ["cafe zurich", "caffe", "%", "_", "e%e", "\\"])
      expect([q, (await find({ calendar_id, q }))[0].includes("Elsewhere")]).toEqual([q, false]);
  });

  test("follows what is saved and deleted", async () => {
    const own = await calendarIn("UTC");
    const event_id = await add(own, "First");
    await owner.call("eventsUpdate", { event_id, title: "Second" });
    expect([
      await find({ calendar_id: own, q: "first" }),
      await find({ calendar_id: own, q: "second" }),
    ]).toEqual([
      [[], 0],
      [["Second"], 1],
    ]);
    await owner.call("saveEvent", {
      event_id,
      title: "Third",
      start_date: "2026-07-04T10:00",
      location: "Here",
    });
    expect(await find({ calendar_id: own, q: "here third" })).toEqual([["Third"], 1]);
    await owner.call("deleteEvent", { event_id });
    expect(await find({ calendar_id: own, q: "third" })).toEqual([[], 0]);
  });

  test("finds what was imported, and what a later import changed", async () => {
    const own = await calendarIn("UTC");
    const ics = (title: string) =>
      `BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:a@b\nDTSTART:20260704T100000Z\nSUMMARY:${title}\nEND:VEVENT\nEND:VCALENDAR\n`;
    await owner.call("calendarsImport", { calendar_id: own, ics: ics("Fête") });
    expect((await find({ calendar_id: own, q: "fete" }))[1]).toBe(1);
    await owner.call("calendarsImport", { calendar_id: own, ics: ics("Foire") });
    expect([
      (await find({ calendar_id: own, q: "fete" }))[1],
      (await find({ calendar_id: own, q: "foire" }))[1],
    ]).toEqual([0, 1]);
  });

  // Each word is looked for in all texts: 50 letters in 20,000 texts of 8,000 characters took 5.5 s of the processor.
  test("is 1 to 100 characters that are not all white space, and up to 10 words", async () => {
    expect(await find({ calendar_id, q: "x".repeat(100) })).toEqual([[], 0]);
    expect(await find({ calendar_id, q: " a b c d e f g h i j " })).toEqual([[], 0]);
    expect(await find({ calendar_id, q: "\u200D" })).toEqual([[], 0]);
    for (const q of ["x".repeat(101), " \t ", "a b c d e f g h i j k"]) {
      const answer = await owner.call("eventsList", { calendar_id, q });
      expect([answer.status, blamed(answer)]).toEqual([400, ["q"]]);
    }
  });
});
