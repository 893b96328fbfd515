import { equal } from "../engine/assert.js";
import type { Calls } from "../engine/operations.js";
import { idOf } from "../engine/json.js";
import { eventDetails, extension, ok, refuses, updateEvent } from "../steps/extensions.js";
import { column, createCouncil, eventsOf, starts, texts, updateSeries } from "../steps/series.js";

/** What its operations need. */
export const calls: Calls = {
  "POST events/series/update/": ({ repeated }) => ({ event_id: repeated, scope: "all", location: "changed" }),
  "POST events/series/delete/": ({ repeated }) => ({ event_id: repeated, scope: "all" }),
};

/** Sentences of docs/extensions.md. */
export const sentences = {
  "X5.3 update": "events/series/update/ takes scope this, following, all.",
  "X5.3 keeps": "Changed single events keep their change unless the field is in the request.",
  "X5.3 delete": "events/series/delete/ takes scope this, following, all.",
};

/** extensions X5.3: changes and deletions in a series. */
export const checks = [
  extension("series.following", "X5.3 update", "following changes the event and those after it", async (kit) => {
    const { calendar_id, ids } = await createCouncil(kit);
    const { body } = await updateSeries(kit, ids[2], "following", { title: "Open council", start_date: "2026-10-26T18:00" });
    equal(texts(body, "event_ids"), ids.slice(2), "event_ids");
    const events = await eventsOf(kit, calendar_id);
    equal(column(events, "title"), ["Council", "Council", "Open council", "Open council"], "title");
    equal(column(events, "start_date"), [starts[0], starts[1], "2026-10-26T18:00", "2026-11-02T18:00"], "start_date");
    equal(column(events, "end_date").slice(2), ["2026-10-26T19:30", "2026-11-02T19:30"], "end_date");
  }),
  extension("series.this", "X5.3 update", "this changes one event, all changes each", async (kit) => {
    const { calendar_id, ids } = await createCouncil(kit);
    await updateSeries(kit, ids[1], "this", { title: "Once" });
    equal(column(await eventsOf(kit, calendar_id), "title"), ["Council", "Once", "Council", "Council"], "title");
    await updateSeries(kit, ids[2], "all", { title: "All" });
    equal(column(await eventsOf(kit, calendar_id), "title"), ["All", "All", "All", "All"], "title");
  }),
  extension("series.keeps", "X5.3 keeps", "An event that was changed by itself keeps what is not sent for all", async (kit) => {
    const { calendar_id, ids } = await createCouncil(kit);
    await updateEvent(kit, ids[1] ?? "", { location: "Library", start_date: "2026-10-20T10:00", end_date: "2026-10-20T11:00" });
    await updateSeries(kit, ids[0], "all", { title: "All" });
    const [, own] = await eventsOf(kit, calendar_id);
    const shown = [own?.["title"], own?.["location"], own?.["start_date"], own?.["end_date"]];
    equal(shown, ["All", "Library", "2026-10-20T10:00", "2026-10-20T11:00"], "the event that was changed by itself");
    await updateSeries(kit, ids[0], "all", { start_date: "2026-10-12T19:30" });
    const moved = ["2026-10-12T19:30", "2026-10-19T19:30", "2026-10-26T19:30", "2026-11-02T19:30"];
    equal(column(await eventsOf(kit, calendar_id), "start_date"), moved, "start_date once it is sent");
  }),
  extension("series.alone", "X5.3 update", "An event without a series, and another scope, are a 400; an absent event a 404", async (kit) => {
    const { calendar_id, ids } = await createCouncil(kit);
    const alone = idOf(await kit.event(calendar_id));
    await refuses(kit, [400, "parameter_invalid"], "POST events/series/update/", { event_id: alone, scope: "all", title: "x" });
    await refuses(kit, [400, "parameter_invalid"], "POST events/series/update/", { event_id: ids[0] ?? "", scope: "some", title: "x" });
    await refuses(kit, [404, "event_not_found"], "POST events/series/delete/", { event_id: "9007199254740991", scope: "all" });
    equal((await eventDetails(kit, ids[0] ?? ""))["title"], "Council", "title");
  }),
  extension("series.delete", "X5.3 delete", "delete deletes this event, it and those after it, or all", async (kit) => {
    const { calendar_id, ids } = await createCouncil(kit);
    const remove = async (event_id: string | undefined, scope: string) =>
      texts((await ok(kit, "POST events/series/delete/", { event_id: event_id ?? "", scope })).body, "event_ids");
    equal(await remove(ids[0], "this"), ids.slice(0, 1), "event_ids");
    equal(await remove(ids[2], "following"), ids.slice(2), "event_ids");
    equal(column(await eventsOf(kit, calendar_id), "id"), [ids[1]], "events that are left");
    equal(await remove(ids[1], "all"), [ids[1]], "event_ids");
    equal(await eventsOf(kit, calendar_id), [], "events that are left");
  }),
];
