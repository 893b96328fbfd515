import { equal, expect } from "../engine/assert.js";
import type { Calls } from "../engine/operations.js";
import { idOf, member, text } from "../engine/json.js";
import { someStart } from "../engine/kit.js";
import { extension, refuses } from "../steps/extensions.js";
import { column, council, createCouncil, eventsOf, starts } from "../steps/series.js";

/** What its operations need. */
export const calls: Calls = {
  "POST events/series/create/": ({ calendar_id }) => ({ calendar_id, title: "Added", start_date: someStart, rrule: "FREQ=WEEKLY;COUNT=2" }),
};

/** Sentences of docs/extensions.md. */
export const sentences = {
  "X5.1 create": "events/series/create/ takes a first event plus rrule, rdate, exdate: it makes ordinary events that share series_id.",
  "X5.2 clock": "Expansion is on the wall clock of the event's zone.",
  "X5.2 refused": "Bad or huge rules are a 400 that says why.",
};

/** extensions X5.1 and X5.2: series that are created. */
export const checks = [
  extension("series.create", "X5.1 create", "A series is ordinary events that share series_id, in the contract's list too", async (kit) => {
    const { calendar_id, ids } = await createCouncil(kit);
    const events = await eventsOf(kit, calendar_id);
    equal(column(events, "start_date"), starts, "start_date");
    equal(column(events, "id"), ids, "event_ids");
    equal(new Set(column(events, "series_id")).size, 1, "how many series_id there are");
    expect(text(events[0] ?? {}, "series_id") !== "", "series_id: expected an id, got an empty text.");
    const { body } = await kit.ok("listEvents", { calendar_id });
    equal(member(body, "calendar")["events_count"], 4, "events_count of the contract's list");
  }),
  extension("series.dates", "X5.1 create", "rdate adds starts, exdate leaves some out", async (kit) => {
    const { calendar_id } = await createCouncil(kit, { rdate: "2026-12-24T15:00", exdate: "2026-10-19T19:00,2026-11-02" });
    equal(column(await eventsOf(kit, calendar_id), "start_date"), [starts[0], starts[2], "2026-12-24T15:00"], "start_date");
  }),
  extension("series.clock", ["X5.2 clock", "X5.1 create"], "The wall clock repeats over the end of summer time", async (kit) => {
    const { calendar_id } = await createCouncil(kit);
    const instants = ["2026-10-12T17:00:00Z", "2026-10-19T17:00:00Z", "2026-10-26T18:00:00Z", "2026-11-02T18:00:00Z"];
    const shown = column(await eventsOf(kit, calendar_id), "start_at").map((at) => Date.parse(String(at)));
    equal(
      shown,
      instants.map((at) => Date.parse(at)),
      "start_at in milliseconds",
    );
  }),
  extension(
    "series.refused",
    ["X5.2 refused", "X5.1 create"],
    "A rule that is bad or makes more than 366 events is a 400, and makes none",
    async (kit) => {
      const calendar_id = idOf(await kit.calendar());
      for (const rrule of ["FREQ=SECONDLY", "every week", "FREQ=WEEKLY;COUNT=367", "FREQ=WEEKLY;BYDAY=XX", "FREQ=WEEKLY;COUNT=0"])
        await refuses(kit, [400, "parameter_invalid"], "POST events/series/create/", { calendar_id, ...council, rrule });
      equal(await eventsOf(kit, calendar_id), [], "events");
    },
  ),
];
