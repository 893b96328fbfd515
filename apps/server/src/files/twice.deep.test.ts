import fc from "fast-check";
import { expect, test } from "vitest";
import { calendarFile, importFile, vevent } from "../../test/calendar-files.js";
import { testServer } from "../../test/harness.js";

// "The same file twice changes nothing" (docs/extensions.md, extensions X6.1), whatever was imported before it.

const server = await testServer();
const account = await server.account();

async function newCalendar(): Promise<string> {
  return (await account.call("createCalendar", { title: "Town", timezone: "Etc/UTC" })).body.calendar.id;
}

const start = "DTSTART:20270101T100000Z";
const alone = vevent("UID:a", start, "SUMMARY:Alone");
const replaced = vevent(
  "UID:a",
  "DTSTART:20270102T100000Z",
  "RECURRENCE-ID:20270101T100000Z",
  "SUMMARY:Date",
);

test.each([
  ["the event alone", alone],
  ["its series", vevent("UID:a", start, "RRULE:FREQ=DAILY;COUNT=2")],
  ["the date alone", replaced],
])("an event and a date of it with its own start are two events, also after %s", async (_before, earlier) => {
  const id = await newCalendar();
  await importFile(server, account, id, calendarFile(earlier));
  const file = calendarFile(alone, replaced);
  const { events } = (await importFile(server, account, id, file)).body;
  expect(events[0].event_id).not.toBe(events[1].event_id);
  expect((await importFile(server, account, id, file)).body.import).toMatchObject({
    created: 0,
    changed: 0,
    unchanged: 2,
  });
});

const ownUid = async (calendar_id: string): Promise<string> => {
  const { body } = await account.call("eventsList", { calendar_id });
  return body.events[0].uid;
};
const firstTitle = async (calendar_id: string): Promise<string> => {
  const { body } = await account.call("eventsList", { calendar_id, order_by: "id-asc" });
  return body.events[0].title;
};
const newer = "LAST-MODIFIED:20260502T100000Z";
const older = "LAST-MODIFIED:20260501T100000Z";

test.each([
  ["the one that was changed last", [newer, "SEQUENCE:1"], [older, "SEQUENCE:9"], "First"],
  ["the one that was changed last, whatever its place", [older], [newer], "Second"],
  [
    "without the times of their changes the one with the higher SEQUENCE",
    ["SEQUENCE:3"],
    ["SEQUENCE:2"],
    "First",
  ],
  ["where one of them does not say when, by SEQUENCE too", [older, "SEQUENCE:3"], ["SEQUENCE:10"], "Second"],
  ["else the last", [], [], "Second"],
])(
  "an event of a file under its imported UID and its own is one event: %s",
  async (_title, one, two, title) => {
    for (const isOwnFirst of [false, true]) {
      const id = await newCalendar();
      await importFile(server, account, id, calendarFile(vevent("UID:a", start, "SUMMARY:Before")));
      const uids = ["a", await ownUid(id)];
      const [first, second] = isOwnFirst ? uids.toReversed() : uids;
      const between = Array.from({ length: 300 }, (_, index) => vevent(`UID:between-${index}`, start));
      const file = calendarFile(
        vevent(`UID:${first}`, start, "SUMMARY:First", "CATEGORIES:One", ...one),
        ...between,
        vevent(`UID:${second}`, start, "SUMMARY:Second", "CATEGORIES:Two", ...two),
      );
      const dry = await importFile(server, account, id, file, { query: "&dry_run=true" });
      const { body } = await importFile(server, account, id, file);
      expect(dry.body.import).toMatchObject({ created: 300, changed: 1, unchanged: 0, skipped: 1 });
      expect(body.import).toMatchObject({ created: 300, changed: 1, unchanged: 0, skipped: 1 });
      const [loser] = body.events.filter(({ result }: { result: string }) => result === "skipped");
      expect(loser).toMatchObject({
        event_id: "",
        reason: "the file has it again, and newer",
      });
      expect(loser.title).not.toBe(title);
      expect(await firstTitle(id)).toBe(title);
      const again = await importFile(server, account, id, file);
      expect(again.body.import).toMatchObject({ created: 0, changed: 0, unchanged: 301, skipped: 1 });
      expect(await firstTitle(id)).toBe(title);
    }
  },
);

const date = fc.constantFrom("20270101", "20270102", "20270101T100000Z", "20270102T100000Z");
const entry = fc
  .record({
    uid: fc.constantFrom("a", "b"),
    start: date,
    recurrence: fc.option(date, { nil: "" }),
    rule: fc.constantFrom("", "", "FREQ=DAILY;COUNT=2", "FREQ=WEEKLY;COUNT=2"),
    title: fc.constantFrom("One", "Two", "Three"),
  })
  .map(({ uid, start, recurrence, rule, title }) =>
    vevent(
      `UID:${uid}`,
      `DTSTART:${start}`,
      `SUMMARY:${title}`,
      ...(recurrence === "" ? [] : [`RECURRENCE-ID:${recurrence}`]),
      ...(rule === "" ? [] : [`RRULE:${rule}`]),
    ),
  );
const files = fc.array(fc.array(entry, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 4 });
const runs = Number(process.env.KALENDS_ROUND_TRIPS ?? 60);

test("random files that change the same events change nothing the second time", async () => {
  for (const sequence of fc.sample(files, { numRuns: runs, seed: 11 })) {
    const id = await newCalendar();
    for (const entries of sequence) {
      const file = calendarFile(...entries);
      await importFile(server, account, id, file);
      const { body } = await importFile(server, account, id, file);
      expect(body.import, JSON.stringify(sequence)).toMatchObject({ created: 0, changed: 0 });
      const ids = body.events.flatMap(({ event_id }: { event_id: string }) => event_id || []);
      expect(new Set(ids).size, JSON.stringify(sequence)).toBe(ids.length);
    }
  }
});
