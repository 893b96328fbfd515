import { equal, expect } from "../engine/assert.js";
import { followers, twoAccounts } from "../engine/check.js";
import { type ExtensionName, isWrite, namesOf } from "../engine/operations.js";
import { idOf, idsOf, list, member, text } from "../engine/json.js";
import { someStart } from "../engine/kit.js";
import type { Params } from "../engine/target.js";
import { calendarDetails, eventDetails, extension, ok, refuses, send } from "../steps/extensions.js";
import { subscribers } from "../steps/subscribers.js";

const absent = "9007199254740991";

/** What each operation needs, where nothing has the ids. */
const needed: Readonly<Record<ExtensionName, Params>> = {
  "POST calendars/create/": { title: "Never" },
  "POST events/delete/": { event_id: absent },
  "POST calendars/delete/": { calendar_id: absent },
  "GET calendars/export/": { calendar_id: absent },
  "GET subscribers/export/": { calendar_id: absent },
  "GET categories/list/": { calendar_id: absent },
  "POST categories/rename/": { calendar_id: absent, category: "Music", name: "Concerts" },
  "POST categories/merge/": { calendar_id: absent, categories: "Music,Gigs", into: "Concerts" },
  "GET syncs/list/": { calendar_id: absent },
  "POST syncs/create/": { calendar_id: absent, url: "https://host.invalid/town.ics" },
  "POST syncs/update/": { sync_id: absent },
  "POST syncs/run/": { sync_id: absent },
  "POST syncs/delete/": { sync_id: absent },
  "GET tokens/list/": {},
  "POST tokens/create/": { name: "Never" },
  "POST tokens/revoke/": { token_id: absent },
  "GET timezones/list/": {},
  "GET palettes/list/": {},
  "GET subscribers/list/": { calendar_id: absent },
  "POST subscribers/block/": { subscriber_id: absent },
  "POST subscribers/unblock/": { subscriber_id: absent },
  "POST subscribers/delete/": { subscriber_id: absent },
};

export const ownCalls = namesOf(needed);

/** Sentences of docs/extensions.md. */
export const sentences = {
  "X8.6 same": "The operations of organizers have the same tokens, methods and errors as those beside them.",
  "X8.6 calendars": "calendars/create/ and calendars/delete/ do what the contract's do.",
  "X8.6 events": "events/delete/ does what the contract's does.",
  "X8.6 zones": "timezones/list/ has the time zones of the contract.",
  "X8.6 palettes": "palettes/list/ has the palettes and their colours.",
  "X8.6 subscribers": "subscribers/list/ has the subscribers of the contract's lists; block/, unblock/ and delete/ take one.",
  "X8.6 categories": "categories/list/ has the categories of a calendar, rename/ and merge/ change all of its events.",
};

/** extensions X8.6: what the program of an organizer needs beside calendars and events. */
export const checks = [
  extension("organizers.methods", "X8.6 same", "Reads of organizers refuse POST, their writes GET", async (kit) => {
    for (const name of ownCalls) {
      const other = isWrite(name) ? ({ send: "query", method: "GET" } as const) : ({ send: "form" } as const);
      await refuses(kit, [405], name, needed[name], other);
    }
  }),
  extension("organizers.tokens", "X8.6 same", "Operations of organizers are a 401 without a token", async (kit) => {
    const wrong = { as: { token: `${kit.session.target.token}x` } };
    for (const name of ownCalls) {
      await refuses(kit, [401, "token_missing"], name, needed[name], { as: "none" });
      await refuses(kit, [401, "token_unknown"], name, needed[name], wrong);
    }
  }),
  extension("organizers.absent", "X8.6 same", "What does not exist is a 404 that names it", async (kit) => {
    for (const name of ownCalls) {
      const params = needed[name] ?? {};
      const id = Object.keys(params).find((parameter) => parameter.endsWith("_id"));
      if (id === undefined) continue;
      await refuses(kit, [404, id.replace("_id", "_not_found")], name, params);
      await refuses(kit, [400, "parameter_invalid"], name, { ...params, [id]: "abc" });
    }
  }),
  extension("organizers.foreign", "X8.6 same", "Another account deletes nothing", twoAccounts, async (kit) => {
    const calendar_id = idOf(await kit.calendar());
    const event_id = idOf(await kit.event(calendar_id));
    await refuses(kit, [404], "POST events/delete/", { event_id }, { as: "other" });
    await refuses(kit, [404], "POST calendars/delete/", { calendar_id }, { as: "other" });
    await refuses(kit, [404], "GET subscribers/list/", { calendar_id }, { as: "other" });
    equal(idOf(await eventDetails(kit, event_id)), event_id, "the event");
  }),
  extension("organizers.calendars", "X8.6 calendars", "A calendar is created with what was sent, and deleted", async (kit) => {
    const sent = { title: kit.name(), timezone: "Europe/Berlin", palette_id: "2", description: "Text" };
    const { body } = await ok(kit, "POST calendars/create/", { ...sent, custom_data: '{"hall":"2b"}' });
    const calendar = member(body, "calendar");
    const calendar_id = idOf(calendar);
    for (const [name, value] of Object.entries(sent)) equal(calendar[name], value, name);
    equal([calendar["calendarname"], calendar["custom_data"]], [sent.title, { hall: "2b" }], "calendarname, custom_data");
    equal(await calendarDetails(kit, calendar_id), calendar, "calendars/details/");
    equal(idsOf(await kit.calendars(sent.title)), [calendar_id], "the contract's list");
    const deleted = await ok(kit, "POST calendars/delete/", { calendar_id });
    equal(member(deleted.body, "calendar"), { id: calendar_id, status: "deleted" }, "calendar");
    await refuses(kit, [404, "calendar_not_found"], "GET calendars/details/", { calendar_id });
    equal(await kit.calendars(sent.title), [], "the contract's list");
  }),
  extension("organizers.events", "X8.6 events", "An event is deleted, if it is the one of If-Match", async (kit) => {
    const calendar_id = idOf(await kit.calendar());
    const event_id = idOf(await kit.event(calendar_id));
    await refuses(kit, [412, "event_changed"], "POST events/delete/", { event_id }, { headers: { "If-Match": '"7"' } });
    equal(idsOf(await kit.events(calendar_id)), [event_id], "events after a 412");
    const { body } = await ok(kit, "POST events/delete/", { event_id }, { headers: { "If-Match": '"0"' } });
    equal(member(body, "event"), { id: event_id, status: "deleted" }, "event");
    equal(await kit.events(calendar_id), [], "events");
    await refuses(kit, [404, "event_not_found"], "POST events/delete/", { event_id });
  }),
  extension("organizers.zones", "X8.6 zones", "Time zones are those of the contract", async (kit) => {
    const { body } = await kit.ok("listTimeZones");
    const found = await ok(kit, "GET timezones/list/");
    equal(member(found.body, "meta"), { code: "200" }, "meta");
    equal(list(found.body, "timezones"), list(body, "data"), "timezones");
  }),
  extension("organizers.palettes", "X8.6 palettes", "Palettes have colours, as many as color_id may count", async (kit) => {
    const palettes = list((await ok(kit, "GET palettes/list/")).body, "palettes");
    equal(idsOf(palettes), ["1", "2", "3", "4", "5", "6", "7", "8", "9", "10"], "ids");
    for (const palette of palettes) {
      const { colors } = palette;
      expect(text(palette, "name") !== "", "name: expected a text.");
      const fits = Array.isArray(colors) && colors.length >= 8 && colors.every((one) => /^#[0-9a-f]{6}$/.test(String(one)));
      expect(fits, `colors of palette ${idOf(palette)}: expected 8 or more as #rrggbb.`);
    }
    const [, second] = palettes;
    const most = Array.isArray(second?.["colors"]) ? second["colors"].length : 0;
    const calendar_id = idOf(await kit.calendar({ palette_id: "2" }));
    await kit.event(calendar_id, { color_id: String(most) });
    await kit.refused("createEvent", { calendar_id, title: "x", start_date: "07/04/2026 13:30", color_id: String(most + 1) });
  }),
  extension("organizers.subscribers", "X8.6 subscribers", "Subscribers are those of the contract's lists", followers, async (kit) => {
    const params = { calendar_id: kit.followed, order_by: "id-asc" };
    for (const [only, operation] of [
      [undefined, "listSubscribers"],
      ["inactive", "listInactiveSubscribers"],
      ["blocked", "listBlockedSubscribers"],
    ] as const) {
      const [first] = await subscribers(kit, operation, { order_by: "id-asc" });
      const { body } = await ok(kit, "GET subscribers/list/", { ...params, only });
      const found = list(body, "subscribers");
      equal(found[0]?.["id"], first?.["id"], `the first of ${operation}`);
      for (const one of found) {
        equal(one["calendar_id"], kit.followed, "calendar_id");
        expect(typeof one["active"] === "boolean" && typeof one["blocked"] === "boolean", "active, blocked: expected booleans.");
        if (only === "inactive") equal(one["active"], false, "active");
        if (only === "blocked") equal(one["blocked"], true, "blocked");
      }
      if (first !== undefined) equal(found[0]?.["email"], first["email"], "email");
    }
    await refuses(kit, [400, "parameter_invalid"], "GET subscribers/list/", { ...params, only: "all" });
  }),
  extension("organizers.categories", "X8.6 categories", "A rename and a merge reach all events of a calendar, and only those", async (kit) => {
    const calendar_id = idOf(await kit.calendar());
    const event = { calendar_id, title: kit.name(), start_date: someStart };
    const ids: string[] = [];
    for (const categories of ["Music,Gigs", "Gigs", "Children"])
      ids.push(idOf(member((await ok(kit, "POST events/create/", { ...event, categories })).body, "event")));
    const found = async () =>
      list((await ok(kit, "GET categories/list/", { calendar_id })).body, "categories").map((one) => [one["name"], one["events_count"]]);
    equal(await found(), [["Children", 1], ["Gigs", 2], ["Music", 1]], "categories"); // oxfmt-ignore
    await refuses(kit, [400, "parameter_invalid"], "POST categories/rename/", { calendar_id, category: "Gigs", name: "Music" });
    await refuses(kit, [404, "category_not_found"], "POST categories/rename/", { calendar_id, category: "Sport", name: "Sports" });
    const { body } = await ok(kit, "POST categories/rename/", { calendar_id, category: "Gigs", name: "Shows" });
    equal(
      [member(body, "category"), member({ body }, "body")["events_changed"]],
      [{ name: "Shows", events_count: 2 }, 2],
      "category, events_changed",
    );
    await ok(kit, "POST categories/merge/", { calendar_id, categories: "Shows,Music", into: "Concerts" });
    equal(await found(), [["Children", 1], ["Concerts", 2]], "categories after the merge"); // oxfmt-ignore
    const shown = [];
    for (const id of ids) shown.push((await eventDetails(kit, id))["categories"]);
    equal(shown, [["Concerts"], ["Concerts"], ["Children"]], "categories of the events");
  }),
  extension("organizers.repeat", "X8.6 same", "A write of organizers is done once under its key", async (kit) => {
    const headers = { "Idempotency-Key": kit.name().replaceAll(" ", "-") };
    const title = kit.name();
    const [one, other] = [
      await ok(kit, "POST calendars/create/", { title }, { headers }),
      await send(kit, "POST calendars/create/", { title }, { headers }),
    ];
    const made = await kit.calendars(title);
    for (const calendar of made) await ok(kit, "POST calendars/delete/", { calendar_id: idOf(calendar) });
    equal([other.text, made.length], [one.text, 1], "the second answer, and calendars");
  }),
];
