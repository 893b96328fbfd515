import { equal, expect } from "../engine/assert.js";
import { idOf, idsOf, type Item, list, member, text } from "../engine/json.js";
import { type Kit, someStart } from "../engine/kit.js";
import { calendarDetails, changedOnly, eventDetails, extension, follow, ok, refuses, updateEvent } from "../steps/extensions.js";
import { createCouncil, texts } from "../steps/series.js";

const publish_at = "2099-07-01T09:00:00+02:00";

/** A draft in a calendar. */
async function createDraft(kit: Kit, calendar_id: string, params: Readonly<Record<string, string>> = {}): Promise<Item> {
  const draft = { calendar_id, title: "Draft", start_date: someStart, published: "false", ...params };
  return member((await ok(kit, "POST events/create/", draft)).body, "event");
}

/** The ids of a calendar's drafts. */
async function draftsOf(kit: Kit, calendar_id: string, params: Readonly<Record<string, string>> = {}): Promise<readonly string[]> {
  return idsOf(list((await ok(kit, "GET events/list/", { calendar_id, published: "false", ...params })).body, "events"));
}

/** Sentences of docs/extensions.md. */
export const sentences = {
  "X8.5 hidden": "published: false hides an event from the contract's lists, counts and changes.",
  "X8.5 preview": "preview_url shows it to who has the link.",
  "X8.5 publish": "A draft that is published keeps its id and UID, and is one change.",
  "X8.5 unpublish": "An event that becomes a draft is a deletion to those who follow.",
  "X8.5 find": "events/list/ with published=false has the drafts, and its filters find them.",
  "X8.5 time": "publish_at publishes it by itself.",
  "X8.5 many": "events/batch/ and events/copy/ take published.",
  "X8.5 series": "events/series/create/ takes published; changes and deletions by scope reach drafts.",
  "X8.5 trash": "A deleted draft is restored as one.",
};

/** extensions X8.5: events that followers do not see yet. */
export const checks = [
  extension("drafts.hidden", "X8.5 hidden", "A draft is in no list of the contract, no count and no changes", async (kit) => {
    const calendar_id = idOf(await kit.calendar());
    const draft = await createDraft(kit, calendar_id);
    equal([draft["published"], draft["updated_times"]], [false, 0], "published and updated_times");
    equal(idsOf(await kit.events(calendar_id)), [], "the events of the contract's list");
    equal(list((await ok(kit, "GET events/list/", { calendar_id })).body, "events"), [], "the events of events/list/");
    equal((await calendarDetails(kit, calendar_id))["events_total"], 0, "events_total");
    equal((await follow(kit, calendar_id)).changes, [], "the changes");
    equal(await eventDetails(kit, idOf(draft)), draft, "the draft that details returns");
  }),
  extension("drafts.preview", "X8.5 preview", "A draft has a preview_url, what is published has none", async (kit) => {
    const calendar_id = idOf(await kit.calendar());
    const one = await createDraft(kit, calendar_id);
    const other = await createDraft(kit, calendar_id);
    const urls = [text(one, "preview_url"), text(other, "preview_url")];
    expect(
      urls.every((url) => /^https?:\/\/\S{40,}$/.test(url)),
      "preview_url is not an address",
    );
    equal(new Set(urls).size, 2, "different addresses");
    const published = await updateEvent(kit, idOf(one), { published: "true" });
    equal(published["preview_url"], "", "preview_url of what is published");
  }),
  extension("drafts.publish", "X8.5 publish", "A draft keeps its id and UID when it is published, which is one change", async (kit) => {
    const calendar_id = idOf(await kit.calendar());
    const draft = await createDraft(kit, calendar_id);
    const { cursor } = await follow(kit, calendar_id);
    const published = await updateEvent(kit, idOf(draft), { published: "true" });
    changedOnly(draft, published, { published: true, preview_url: "" });
    equal(idsOf(await kit.events(calendar_id)), [idOf(draft)], "the events of the contract's list");
    const { changes } = await follow(kit, calendar_id, cursor);
    equal(
      changes.map(({ event_id, change }) => [event_id, change]),
      [[idOf(draft), "saved"]],
      "event_id and change",
    );
    equal(await draftsOf(kit, calendar_id), [], "the drafts");
  }),
  extension("drafts.unpublish", "X8.5 unpublish", "An event that becomes a draft is deleted to those who follow", async (kit) => {
    const calendar_id = idOf(await kit.calendar());
    const id = idOf(await kit.event(calendar_id));
    const before = await eventDetails(kit, id);
    const { cursor } = await follow(kit, calendar_id);
    const draft = await updateEvent(kit, id, { published: "false" });
    equal([draft["id"], draft["uid"], draft["published"]], [id, before["uid"], false], "id, uid and published");
    const { changes } = await follow(kit, calendar_id, cursor);
    equal(
      changes.map(({ event_id, change }) => [event_id, change]),
      [[id, "deleted"]],
      "event_id and change",
    );
    equal(await draftsOf(kit, calendar_id), [id], "the drafts");
  }),
  extension("drafts.find", "X8.5 find", "published=false lists the drafts that the filters keep", async (kit) => {
    const calendar_id = idOf(await kit.calendar());
    const first = idOf(await createDraft(kit, calendar_id, { title: "Opening", start_date: "2026-07-04T10:00" }));
    const second = idOf(await createDraft(kit, calendar_id, { title: "Closing", start_date: "2026-08-04T10:00", status: "tentative" }));
    equal(await draftsOf(kit, calendar_id, { order_by: "id-asc" }), [first, second], "the drafts");
    equal(await draftsOf(kit, calendar_id, { q: "OPEN" }), [first], "the drafts with a word");
    equal(await draftsOf(kit, calendar_id, { from: "2026-08-01", to: "2026-09-01" }), [second], "the drafts of a month");
    equal(await draftsOf(kit, calendar_id, { status: "tentative" }), [second], "the tentative drafts");
  }),
  extension("drafts.time", "X8.5 time", "publish_at is an instant of a draft, in the future", async (kit) => {
    const calendar_id = idOf(await kit.calendar());
    const draft = await createDraft(kit, calendar_id, { publish_at });
    equal(draft["publish_at"], "2099-07-01T07:00:00Z", "publish_at");
    equal((await updateEvent(kit, idOf(draft), { publish_at: "" }))["publish_at"], "", "publish_at once it is cleared");
    const event = { calendar_id, title: "x", start_date: someStart };
    for (const params of [{ publish_at }, { publish_at: "2001-01-01T00:00Z", published: "false" }])
      await refuses(kit, [400, "parameter_invalid"], "POST events/create/", { ...event, ...params });
  }),
  extension("drafts.many", "X8.5 many", "Many become drafts or are published at once; copies of a draft are drafts", async (kit) => {
    const calendar_id = idOf(await kit.calendar());
    const ids = [idOf(await kit.event(calendar_id)), idOf(await kit.event(calendar_id))];
    const events = ids.join(",");
    await ok(kit, "POST events/batch/", { events, published: "false" });
    equal(await draftsOf(kit, calendar_id, { order_by: "id-asc" }), ids, "the drafts");
    const copies = await ok(kit, "POST events/copy/", { event_id: ids[0] ?? "", start_dates: "2026-10-25T19:00" });
    equal(await draftsOf(kit, calendar_id, { order_by: "id-asc" }), [...ids, ...texts(copies.body, "event_ids")], "the drafts and the copy");
    const more = await ok(kit, "POST events/copy/", { event_id: ids[0] ?? "", start_dates: "2026-10-26T19:00", published: "true" });
    equal(idsOf(await kit.events(calendar_id)), texts(more.body, "event_ids"), "the copy that is published");
    await ok(kit, "POST events/batch/", { events, published: "true" });
    equal((await kit.events(calendar_id)).length, 3, "the events of the contract's list");
  }),
  extension("drafts.series", "X8.5 series", "The dates of a series are drafts, which its changes and deletions reach", async (kit) => {
    const { calendar_id, ids } = await createCouncil(kit, { published: "false" });
    const [first = "", second = ""] = ids;
    equal(await draftsOf(kit, calendar_id, { order_by: "id-asc" }), ids, "the drafts");
    equal(idsOf(await kit.events(calendar_id)), [], "the events of the contract's list");
    await updateEvent(kit, second, { published: "true" });
    await ok(kit, "POST events/series/update/", { event_id: first, scope: "all", title: "New" });
    for (const id of [first, second]) equal((await eventDetails(kit, id))["title"], "New", "title");
    await ok(kit, "POST events/series/delete/", { event_id: second, scope: "following" });
    equal(await draftsOf(kit, calendar_id), [first], "the drafts that are left");
  }),
  extension("drafts.trash", "X8.5 trash", "A deleted draft is restored as a draft", async (kit) => {
    const calendar_id = idOf(await kit.calendar());
    const draft = await createDraft(kit, calendar_id);
    await ok(kit, "POST events/delete/", { event_id: idOf(draft) });
    equal(await draftsOf(kit, calendar_id), [], "the drafts");
    changedOnly(draft, member((await ok(kit, "POST events/restore/", { event_id: idOf(draft) })).body, "event"), {});
    equal(await draftsOf(kit, calendar_id), [idOf(draft)], "the drafts once it is restored");
  }),
];
