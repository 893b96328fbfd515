import { equal } from "../engine/assert.js";
import type { Calls } from "../engine/operations.js";
import { idOf, idsOf, text, withId } from "../engine/json.js";
import { calendarDetails, changedOnly, eventDetails, extension, fullEvent, refuses, updateCalendar, updateEvent } from "../steps/extensions.js";

const absent = "9007199254740991";

/** What its operations need. */
export const calls: Calls = {
  "GET calendars/details/": ({ calendar_id }) => ({ calendar_id }),
  "POST calendars/update/": ({ calendar_id }) => ({ calendar_id, description: "changed" }),
  "GET events/details/": ({ event_id }) => ({ event_id }),
  "POST events/update/": ({ event_id }) => ({ event_id, location: "changed" }),
};

/** Sentences of docs/extensions.md. */
export const sentences = {
  "X2.3 update": "events/update/ changes only what is sent; empty clears.",
  "X2.3 details": "events/details/ returns one event.",
  "X2.3 calendars": "calendars/update/ and calendars/details/ do the same for a calendar.",
};

/** extensions X2.3: updates and details. */
export const checks = [
  extension("update.sent-only", "X2.3 update", "Update changes the fields that are sent, and no others, of that event alone", async (kit) => {
    const { calendar, id, before } = await fullEvent(kit);
    const other = idOf(await kit.event(calendar, { location: "Other" }));
    const otherBefore = await eventDetails(kit, other);
    const after = await updateEvent(kit, id, { location: "There" });
    changedOnly(before, after, { location: "There" });
    equal(await eventDetails(kit, id), after, "details");
    equal(await eventDetails(kit, other), otherBefore, "the other event");
  }),
  extension("update.start-alone", "X2.3 update", "A start that is moved alone leaves the end where it is", async (kit) => {
    const { id, before } = await fullEvent(kit);
    const after = await updateEvent(kit, id, { start_date: "07/04/2026 14:00" });
    changedOnly(before, after, { start_date: "2026-07-04T14:00", start_at: "2026-07-04T12:00:00Z" });
  }),
  extension("update.empty-clears", "X2.3 update", "An empty value clears", async (kit) => {
    const { id, before } = await fullEvent(kit);
    const cleared = { description: "", location: "", organizer: "", organizer_email: "", reminder: "", color_id: "" };
    changedOnly(before, await updateEvent(kit, id, cleared), cleared);
  }),
  extension("update.counts", "X2.3 update", "Update adds 1 to updated_times, and the contract's list shows the change", async (kit) => {
    const { calendar, id } = await fullEvent(kit);
    for (const [index, location] of ["One", "Two"].entries()) {
      equal((await updateEvent(kit, id, { location }))["updated_times"], index + 1, "updated_times");
      const listed = withId(await kit.events(calendar), id, "events");
      equal([listed["location"], listed["updated_times"]], [location, String(index + 1)], "location and updated_times in the list");
    }
  }),
  extension("update.refused", "X2.3 update", "A refused update changes nothing", async (kit) => {
    const { id, before } = await fullEvent(kit);
    for (const wrong of [{ color_id: "21" }, { title: "" }, { end_date: "07/04/2026 13:00" }, { reminder: "soon" }])
      await refuses(kit, [400], "POST events/update/", { event_id: id, location: "There", ...wrong });
    equal(await eventDetails(kit, id), before, "the event");
  }),
  extension("details.event", "X2.3 details", "events/details/ returns the event; one that is deleted or absent is a 404", async (kit) => {
    const { id, before } = await fullEvent(kit);
    equal([before["id"], before["location"], before["organizer_email"]], [id, "Here", "me@example.com"], "id, location, organizer_email");
    await kit.ok("deleteEvent", { event_id: id });
    for (const event_id of [id, absent]) await refuses(kit, [404, "event_not_found"], "GET events/details/", { event_id });
    await refuses(kit, [404, "event_not_found"], "POST events/update/", { event_id: id, location: "There" });
  }),
  extension("calendars.update", "X2.3 calendars", "Update of a calendar changes the fields that are sent, and no others", async (kit) => {
    const calendar = await kit.calendar({ calendarname: "Name", palette_id: "2", description: "Before" });
    const id = idOf(calendar);
    const before = await calendarDetails(kit, id);
    const after = await updateCalendar(kit, id, { description: "After" });
    changedOnly(before, after, { description: "After" });
    equal(await calendarDetails(kit, id), after, "details");
    const listed = withId(await kit.calendars(text(calendar, "title")), id, "calendars");
    equal([listed["description"], listed["timezone"]], ["After", calendar["timezone"]], "description and timezone in the contract's list");
  }),
  extension("calendars.update-clears", "X2.3 calendars", "An empty description is cleared, an empty name is the title", async (kit) => {
    const calendar = await kit.calendar({ calendarname: "Name", description: "Before" });
    const before = await calendarDetails(kit, idOf(calendar));
    const after = await updateCalendar(kit, idOf(calendar), { description: "", calendarname: "" });
    changedOnly(before, after, { description: "", calendarname: calendar["title"] });
  }),
  extension("calendars.update-moves", "X2.3 calendars", "A changed calendar is the first of the list", async (kit) => {
    const name = kit.name();
    const ids = [idOf(await kit.calendar({ title: name })), idOf(await kit.calendar({ title: name }))];
    await updateCalendar(kit, ids[0] ?? "", { description: "After" });
    equal(idsOf(await kit.calendars(name)), ids, "calendars");
  }),
  extension("calendars.details", "X2.3 calendars", "calendars/details/ counts the events; a deleted or absent calendar is a 404", async (kit) => {
    const id = idOf(await kit.calendar());
    await kit.event(id);
    equal((await calendarDetails(kit, id))["events_total"], 1, "events_total");
    await kit.ok("deleteCalendar", { calendar_id: id });
    for (const calendar_id of [id, absent]) await refuses(kit, [404, "calendar_not_found"], "GET calendars/details/", { calendar_id });
  }),
];
