import { equal, expect } from "../engine/assert.js";
import type { Calls } from "../engine/operations.js";
import { idOf, isItem, type Item, list, member, text } from "../engine/json.js";
import type { Kit } from "../engine/kit.js";
import type { Params } from "../engine/target.js";
import { eventDetails, extension, ok, refuses, updateEvent } from "../steps/extensions.js";
import { column, council, createCouncil, eventsOf, starts, texts, updateSeries } from "../steps/series.js";

/** What a dry run says, by the names of its fields. */
async function tried(
  kit: Kit,
  operation: "POST events/series/create/" | "POST events/series/update/" | "POST events/series/delete/",
  params: Params,
): Promise<Item> {
  return member((await ok(kit, operation, { ...params, dry_run: "true" })).body, "dry_run");
}

function counts({ created, changed, deleted, kept }: Item): readonly unknown[] {
  return [created, changed, deleted, kept];
}

async function seriesIdOf(kit: Kit, event_id: string | undefined): Promise<string> {
  return text(await eventDetails(kit, event_id ?? ""), "series_id");
}

/** What its operations need. */
export const calls: Calls = {
  "GET events/series/details/": ({ series_id }) => ({ series_id }),
  "GET events/series/preview/": () => ({ start_date: "2026-07-04T13:30", timezone: "Europe/Paris", rrule: "FREQ=WEEKLY;COUNT=2" }),
};

/** Sentences of docs/extensions.md. */
export const sentences = {
  "X8.2 details": "events/series/details/ reads a series: rule, first event, changed and removed dates.",
  "X8.2 preview": "events/series/preview/ says which dates come, and which of them the clock change moves.",
  "X8.2 dry run": "dry_run on series create, update, delete says which dates come, change and go, and writes nothing.",
  "X8.2 event": "events/series/create/ with event_id makes an event the first of a series; it keeps its UID.",
};

/** extensions X8.2: series that are read and tried. */
export const checks = [
  extension(
    "series.details",
    "X8.2 details",
    "A series is read with its rule, its first event, what was changed and what was deleted",
    async (kit) => {
      const { calendar_id, ids } = await createCouncil(kit);
      const series_id = await seriesIdOf(kit, ids[0]);
      await updateEvent(kit, ids[1] ?? "", { location: "Elsewhere" });
      await kit.ok("deleteEvent", { event_id: ids[2] ?? "" });
      const { body } = await ok(kit, "GET events/series/details/", { series_id });
      const series = member(body, "series");
      equal([series["id"], series["calendar_id"], series["rrule"], series["events_count"]], [series_id, calendar_id, council.rrule, 3], "series");
      expect(isItem(body) && body["first_event_id"] === ids[0], "first_event_id: expected that of the soonest event.");
      equal(texts(body, "changed_event_ids"), [ids[1]], "changed_event_ids");
      equal(texts(body, "deleted_dates"), [starts[2]], "deleted_dates");
      await refuses(kit, [404, "series_not_found"], "GET events/series/details/", { series_id: "9007199254740991" });
    },
  ),
  extension("series.preview", "X8.2 preview", "A preview has the dates that a series then has, and names those that the clock skips", async (kit) => {
    const spring = { start_date: "2027-03-27T02:30", timezone: "Europe/Paris", rrule: "FREQ=DAILY;COUNT=3" };
    const { body } = await ok(kit, "GET events/series/preview/", spring);
    const calendar_id = idOf(await kit.calendar());
    await ok(kit, "POST events/series/create/", { calendar_id, title: "x", ...spring });
    equal(texts(body, "dates"), column(await eventsOf(kit, calendar_id), "start_date"), "dates, and those of the series");
    expect(isItem(body) && body["count"] === 3 && body["endless"] === false, "count, endless: expected 3 and false.");
    const notes = list(body, "notes");
    equal([column(notes, "date"), column(notes, "becomes")], [["2027-03-28T02:30"], ["2027-03-28T03:30"]], "notes");
    await refuses(kit, [400, "parameter_invalid"], "GET events/series/preview/", { ...spring, rrule: "FREQ=SECONDLY" });
  }),
  extension("series.dry-run", "X8.2 dry run", "A dry run says what comes, changes and goes, and writes nothing", async (kit) => {
    const { calendar_id, ids } = await createCouncil(kit);
    const before = await eventsOf(kit, calendar_id);
    const creation = await tried(kit, "POST events/series/create/", { calendar_id, ...council });
    equal([counts(creation), texts(creation, "created_dates")], [[4, 0, 0, 0], starts], "a creation");
    const event_id = ids[1] ?? "";
    const following = await tried(kit, "POST events/series/update/", { event_id, scope: "following", location: "There" });
    equal(counts(following), [0, 3, 0, 1], "an update of those that follow");
    const rule = await tried(kit, "POST events/series/update/", { event_id, scope: "all", rrule: "FREQ=WEEKLY;INTERVAL=2;COUNT=3" });
    equal(
      [counts(rule), texts(rule, "deleted_dates")],
      [
        [1, 2, 2, 0],
        [starts[1], starts[3]],
      ],
      "another rule",
    );
    const deletion = await tried(kit, "POST events/series/delete/", { event_id, scope: "following" });
    equal([counts(deletion), texts(deletion, "deleted_dates")], [[0, 0, 3, 1], starts.slice(1)], "a deletion");
    equal(await eventsOf(kit, calendar_id), before, "events after the dry runs");
    await refuses(kit, [400, "parameter_invalid"], "POST events/series/update/", {
      event_id,
      scope: "all",
      rrule: "FREQ=WEEKLY;COUNT=400",
      dry_run: "true",
    });
  }),
  extension("series.of-event", "X8.2 event", "An event becomes the first of a series, and keeps its id and UID", async (kit) => {
    const calendar_id = idOf(await kit.calendar());
    const { rrule, ...first } = council;
    const event = member((await ok(kit, "POST events/create/", { calendar_id, ...first })).body, "event");
    await ok(kit, "POST events/series/create/", { event_id: idOf(event), rrule });
    const events = await eventsOf(kit, calendar_id);
    equal(column(events, "start_date"), starts, "start_date");
    equal([events[0]?.["id"], events[0]?.["uid"]], [event["id"], event["uid"]], "id and uid of the first");
    equal(new Set(column(events, "series_id")).size, 1, "how many series_id there are");
    await updateSeries(kit, idOf(event), "all", { location: "There" });
    equal(new Set(column(await eventsOf(kit, calendar_id), "location")).size, 1, "how many locations there are");
    await refuses(kit, [400, "parameter_invalid"], "POST events/series/create/", { event_id: idOf(event), rrule });
  }),
];
