import { equal, expect } from "../engine/assert.js";
import type { Calls } from "../engine/operations.js";
import { idOf, idsOf, type Item, list, member, text } from "../engine/json.js";
import type { Kit } from "../engine/kit.js";
import type { Params } from "../engine/target.js";
import { calendarFile, eventDetails, extension, type FileEvent, ok, refuses } from "../steps/extensions.js";

interface Imported {
  readonly summary: Item;
  readonly events: readonly Item[];
}

async function imported(kit: Kit, calendar_id: string, events: readonly FileEvent[], params: Params = {}): Promise<Imported> {
  const { body } = await ok(kit, "POST calendars/import/", { calendar_id, ics: calendarFile(events), ...params });
  return { summary: member(body, "import"), events: list(body, "events") };
}

const results = ({ events }: Imported): readonly unknown[] => events.map(({ result }) => result);

/** What its operations need. */
export const calls: Calls = {
  "POST calendars/import/": ({ calendar_id }) => ({ calendar_id, ics: calendarFile([{ uid: "x@example.com" }]) }),
};

/** Sentences of docs/extensions.md. */
export const sentences = {
  "X6.1 import": "calendars/import/ takes text/calendar and creates its events.",
  "X6.1 twice": "Matching is by UID and RECURRENCE-ID: importing the same file twice changes nothing.",
  "X6.1 report": "The report says per event: created, changed, unchanged, skipped and why; a dry run.",
  "X8.2 imported": "An imported series is a series too, with its rule and series_id.",
};

/** extensions X6.1: calendars/import/. */
export const checks = [
  extension("import.creates", "X6.1 import", "The events of a file are created, with their texts and times", async (kit) => {
    const calendar_id = idOf(await kit.calendar());
    const lines = [
      "DTSTART;TZID=America/New_York:20260704T133000",
      "DTEND;TZID=America/New_York:20260704T170000",
      "DESCRIPTION:One\\nTwo\\, three",
      "LOCATION:Here",
      "STATUS:TENTATIVE",
    ];
    const { summary, events } = await imported(kit, calendar_id, [{ uid: "a@example.com", lines }, { uid: "b@example.com" }]);
    const { created, changed, unchanged, skipped } = summary;
    equal([created, changed, unchanged, skipped], [2, 0, 0, 0], "created, changed, unchanged, skipped");
    const ids = events.map((event) => text(event, "event_id"));
    equal(new Set(idsOf(await kit.events(calendar_id))), new Set(ids), "the events of the calendar");
    const { title, description, location, status, start_date, end_at, timezone } = await eventDetails(kit, ids[0] ?? "");
    equal(
      [title, description, location, status, start_date, end_at, timezone],
      ["Imported", "One\r\nTwo, three", "Here", "tentative", "2026-07-04T13:30", "2026-07-04T21:00:00Z", "America/New_York"],
      "title, description, location, status, start_date, end_at, timezone",
    );
  }),
  extension("import.whole-days", "X6.1 import", "DTEND of whole days is the day after the last", async (kit) => {
    const lines = ["DTSTART;VALUE=DATE:20260704", "DTEND;VALUE=DATE:20260706"];
    const { events } = await imported(kit, idOf(await kit.calendar()), [{ uid: "a@example.com", lines }]);
    const { all_day_event, start_date, end_date } = await eventDetails(kit, text(events[0] ?? {}, "event_id"));
    equal(
      [all_day_event, String(start_date).slice(0, 10), String(end_date).slice(0, 10)],
      [true, "2026-07-04", "2026-07-05"],
      "all_day_event, first and last day",
    );
  }),
  extension("import.twice", "X6.1 twice", "The same file again changes nothing", async (kit) => {
    const calendar_id = idOf(await kit.calendar());
    const events = [{ uid: "a@example.com" }, { uid: "b@example.com", lines: ["LOCATION:Here"] }];
    const first = await imported(kit, calendar_id, events);
    const state = async () => Promise.all(first.events.map((event) => eventDetails(kit, text(event, "event_id"))));
    const before = await state();
    equal(results(await imported(kit, calendar_id, events)), ["unchanged", "unchanged"], "the results of the second import");
    equal(await state(), before, "the events");
    equal((await kit.events(calendar_id)).length, 2, "number of events");
  }),
  extension(
    "import.series",
    ["X8.2 imported", "X6.1 import"],
    "The dates of a series share series_id, and the rule of the file is read",
    async (kit) => {
      const calendar_id = idOf(await kit.calendar());
      const repeating = (count: number) => [{ uid: "a@example.com", lines: [`RRULE:FREQ=DAILY;COUNT=${count}`] }];
      const rule = async () => {
        const events = await kit.events(calendar_id);
        const ids = await Promise.all(idsOf(events).map(async (id) => text(await eventDetails(kit, id), "series_id")));
        const { body } = await ok(kit, "GET events/series/details/", { series_id: ids[0] ?? "" });
        return [new Set(ids).size, member(body, "series")["rrule"], member(body, "series")["events_count"]];
      };
      await imported(kit, calendar_id, repeating(2));
      equal(await rule(), [1, "FREQ=DAILY;COUNT=2", 2], "number of series, rule and number of events");
      await imported(kit, calendar_id, repeating(3));
      equal(await rule(), [1, "FREQ=DAILY;COUNT=3", 3], "the same after another rule is imported");
    },
  ),
  extension("import.changes", "X6.1 twice", "A file with another text changes that event alone", async (kit) => {
    const calendar_id = idOf(await kit.calendar());
    const first = await imported(kit, calendar_id, [{ uid: "a@example.com" }, { uid: "b@example.com" }]);
    const second = await imported(kit, calendar_id, [{ uid: "a@example.com", lines: ["LOCATION:There"] }, { uid: "b@example.com" }]);
    equal(results(second), ["changed", "unchanged"], "the results of the second import");
    const { location, updated_times } = await eventDetails(kit, text(first.events[0] ?? {}, "event_id"));
    equal([location, updated_times], ["There", 1], "location, updated_times");
  }),
  extension("import.dry-run", "X6.1 report", "A dry run reports and changes nothing", async (kit) => {
    const calendar_id = idOf(await kit.calendar());
    const report = await imported(kit, calendar_id, [{ uid: "a@example.com" }], { dry_run: "true" });
    equal([results(report), report.summary["dry_run"]], [["created"], true], "the results, dry_run");
    equal(await kit.events(calendar_id), [], "the events of the calendar");
  }),
  extension("import.zone", "X6.1 report", "An event with an unknown time zone is skipped, and the report says why", async (kit) => {
    const calendar_id = idOf(await kit.calendar());
    const lines = ["DTSTART;TZID=Nowhere Standard Time:20260704T133000"];
    const { events, summary } = await imported(kit, calendar_id, [{ uid: "a@example.com", lines }, { uid: "b@example.com" }]);
    equal([summary["created"], summary["skipped"]], [1, 1], "created, skipped");
    const skipped = events.find(({ result }) => result === "skipped");
    expect(text(skipped ?? {}, "reason").includes("Nowhere Standard Time"), "reason: expected it to name the time zone.");
  }),
  extension("import.half", "X6.1 import", "A file that is cut off is a 400 and creates nothing", async (kit) => {
    const calendar_id = idOf(await kit.calendar());
    const ics = calendarFile([{ uid: "a@example.com" }]).replace("END:VCALENDAR\r\n", "");
    await refuses(kit, [400, "calendar_file_invalid"], "POST calendars/import/", { calendar_id, ics });
    equal(await kit.events(calendar_id), [], "the events of the calendar");
  }),
];
