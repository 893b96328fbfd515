import { equal } from "../engine/assert.js";
import { idOf, idsOf, member } from "../engine/json.js";
import { someStart } from "../engine/kit.js";
import { eventDetails, extension, follow, ok, refuses, updateEvent } from "../steps/extensions.js";

const statuses = ["tentative", "cancelled", "confirmed"] as const;

/** Sentences of docs/extensions.md. */
export const sentences = {
  "X3.1 status": "events/update/ takes status confirmed, tentative or cancelled.",
  "X3.1 lists": "The contract's lists keep listing a cancelled event.",
};

/** extensions X3.1: status. */
export const checks = [
  extension("status.default", "X3.1 status", "An event of the contract is confirmed", async (kit) => {
    equal((await eventDetails(kit, idOf(await kit.event(await kit.calendar()))))["status"], "confirmed", "status");
  }),
  extension("status.values", "X3.1 status", "Create and update take the three values of status, and other changes keep it", async (kit) => {
    const calendar_id = idOf(await kit.calendar());
    const event_id = idOf(await kit.event(calendar_id));
    for (const status of statuses) {
      const added = await ok(kit, "POST events/create/", { calendar_id, title: "x", start_date: someStart, status });
      equal(member(added.body, "event")["status"], status, "status after create");
      equal((await updateEvent(kit, event_id, { status }))["status"], status, "status after update");
      equal((await updateEvent(kit, event_id, { location: status }))["status"], status, "status after another change");
      equal((await eventDetails(kit, event_id))["status"], status, "status in details");
    }
  }),
  extension("status.invalid", "X3.1 status", "Another status is a 400 and changes nothing", async (kit) => {
    const event_id = idOf(await kit.event(await kit.calendar()));
    const before = await eventDetails(kit, event_id);
    for (const status of ["postponed", "true", "Cancelled "])
      await refuses(kit, [400, "parameter_invalid"], "POST events/update/", { event_id, status });
    equal(await eventDetails(kit, event_id), before, "the event");
  }),
  extension("status.listed", "X3.1 lists", "The contract's list still has a cancelled event, and counts it", async (kit) => {
    const calendar_id = idOf(await kit.calendar());
    const event_id = idOf(await kit.event(calendar_id));
    await updateEvent(kit, event_id, { status: "cancelled" });
    for (const params of [{}, { month: "07", year: "2026" }, { upcoming: "2026-01-01 00:00:00" }])
      equal(idsOf(await kit.events(calendar_id, params)), [event_id], `events with ${JSON.stringify(params)}`);
    const { body } = await kit.ok("listEvents", { calendar_id });
    equal(member(body, "calendar")["events_count"], 1, "events_count");
  }),
  extension("status.changes", ["X3.1 status", "X2.5 changes"], "An event that is cancelled is a change", async (kit) => {
    const calendar_id = idOf(await kit.calendar());
    const event_id = idOf(await kit.event(calendar_id));
    const { cursor } = await follow(kit, calendar_id);
    await updateEvent(kit, event_id, { status: "cancelled" });
    const { changes } = await follow(kit, calendar_id, cursor);
    equal(
      changes.map(({ event }) => member({ event }, "event")["status"]),
      ["cancelled"],
      "status of the changes",
    );
  }),
];
