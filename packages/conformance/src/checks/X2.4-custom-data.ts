import { equal } from "../engine/assert.js";
import type { Calls } from "../engine/operations.js";
import { idOf, idsOf, list, member } from "../engine/json.js";
import { type Kit, someStart } from "../engine/kit.js";
import type { Params } from "../engine/target.js";
import { calendarDetails, eventDetails, extension, ok, refuses, updateCalendar, updateEvent } from "../steps/extensions.js";

const rich = { hall: "2b", seats: 40, open: true, none: null, nested: { list: [1, "two", { three: 3 }] }, "ключ 🎉": "значение" };

/** A JSON object of exactly so many bytes. */
function ofBytes(bytes: number): string {
  return JSON.stringify({ k: "x".repeat(bytes - `{"k":""}`.length) });
}

/** Events with `custom_data`, in one calendar; returns the ids of those that a filter finds. */
async function filtered(kit: Kit, wanted: readonly (readonly [filter: Params, indexes: readonly number[]])[]): Promise<void> {
  const calendar_id = idOf(await kit.calendar());
  const ids: string[] = [];
  for (const data of [{ hall: "2b" }, { hall: "3" }, { hall: 3 }, { open: true }, { nested: { hall: "2b" } }]) {
    const params = { calendar_id, title: "x", start_date: someStart, custom_data: JSON.stringify(data) };
    ids.push(idOf(member((await ok(kit, "POST events/create/", params)).body, "event")));
  }
  for (const [filter, indexes] of wanted) {
    const { body } = await ok(kit, "GET events/list/", { calendar_id, order_by: "id-asc", ...filter });
    const what = `events with ${JSON.stringify(filter)}`;
    equal(
      idsOf(list(body, "events")),
      indexes.map((index) => ids[index]),
      what,
    );
    equal(member(body, "calendar")["events_count"], indexes.length, `events_count of ${what}`);
  }
}

/** What its operations need. */
export const calls: Calls = {
  "GET calendars/list/": () => ({}),
  "GET events/list/": ({ calendar_id }) => ({ calendar_id }),
  "POST events/create/": ({ calendar_id }) => ({ calendar_id, title: "Added", start_date: someStart }),
};

/** Sentences of docs/extensions.md. */
export const sentences = {
  "X2.4 data": "custom_data: a JSON object up to 4 KB on calendars and events.",
  "X2.4 filters": "List filters custom_data_key and custom_data_value.",
};

/** extensions X2.4: custom_data. */
export const checks = [
  extension("custom-data.event", "X2.4 data", "An event keeps its custom_data as it was sent, and update replaces it", async (kit) => {
    const calendar_id = idOf(await kit.calendar());
    const params = { calendar_id, title: "x", start_date: someStart, custom_data: JSON.stringify(rich) };
    const id = idOf(member((await ok(kit, "POST events/create/", params)).body, "event"));
    equal((await eventDetails(kit, id))["custom_data"], rich, "custom_data after create");
    await updateEvent(kit, id, { location: "There" });
    equal((await eventDetails(kit, id))["custom_data"], rich, "custom_data after another change");
    await updateEvent(kit, id, { custom_data: `{"other":1}` });
    equal((await eventDetails(kit, id))["custom_data"], { other: 1 }, "custom_data after it was replaced");
    await updateEvent(kit, id, { custom_data: "" });
    equal((await eventDetails(kit, id))["custom_data"], {}, "custom_data after it was cleared");
  }),
  extension("custom-data.calendar", "X2.4 data", "A calendar keeps its custom_data as it was sent", async (kit) => {
    const id = idOf(await kit.calendar());
    equal((await calendarDetails(kit, id))["custom_data"], {}, "custom_data at first");
    await updateCalendar(kit, id, { custom_data: JSON.stringify(rich) });
    await updateCalendar(kit, id, { description: "Text" });
    equal((await calendarDetails(kit, id))["custom_data"], rich, "custom_data");
  }),
  extension("custom-data.longest", "X2.4 data", "4,096 bytes are accepted; one more is a 400 and changes nothing", async (kit) => {
    const calendar_id = idOf(await kit.calendar());
    const event_id = idOf(await kit.event(calendar_id));
    const longest = ofBytes(4_096);
    await updateEvent(kit, event_id, { custom_data: longest });
    await updateCalendar(kit, calendar_id, { custom_data: longest });
    await refuses(kit, [400, "parameter_invalid"], "POST events/update/", { event_id, custom_data: ofBytes(4_097) });
    await refuses(kit, [400, "parameter_invalid"], "POST calendars/update/", { calendar_id, custom_data: ofBytes(4_097) });
    const kept = [(await eventDetails(kit, event_id))["custom_data"], (await calendarDetails(kit, calendar_id))["custom_data"]];
    equal(
      kept.map((data) => JSON.stringify(data).length),
      [4_096, 4_096],
      "bytes of the event's and of the calendar's",
    );
  }),
  extension("custom-data.objects", "X2.4 data", "What is no JSON object is a 400", async (kit) => {
    const event_id = idOf(await kit.event(await kit.calendar()));
    for (const custom_data of ["[1]", `"text"`, "1", "null", "{", "hall=2b"])
      await refuses(kit, [400, "parameter_invalid"], "POST events/update/", { event_id, custom_data });
    equal((await eventDetails(kit, event_id))["custom_data"], {}, "custom_data");
  }),
  extension("custom-data.filter-key", "X2.4 filters", "custom_data_key finds the events with that name at the top level", (kit) =>
    filtered(kit, [
      [{ custom_data_key: "hall" }, [0, 1, 2]],
      [{ custom_data_key: "open" }, [3]],
      [{ custom_data_key: "absent" }, []],
    ]),
  ),
  extension("custom-data.filter-value", "X2.4 filters", "custom_data_value finds texts, numbers and booleans", (kit) =>
    filtered(kit, [
      [{ custom_data_key: "hall", custom_data_value: "2b" }, [0]],
      [{ custom_data_key: "hall", custom_data_value: "2B" }, []],
      [{ custom_data_key: "open", custom_data_value: "true" }, [3]],
      [{ custom_data_key: "open", custom_data_value: "false" }, []],
    ]),
  ),
  extension("custom-data.filter-calendars", "X2.4 filters", "The list of calendars is filtered by custom_data", async (kit) => {
    const ids = [idOf(await kit.calendar()), idOf(await kit.calendar())];
    const value = kit.name();
    await updateCalendar(kit, ids[0] ?? "", { custom_data: JSON.stringify({ run: value }) });
    await updateCalendar(kit, ids[1] ?? "", { custom_data: JSON.stringify({ run: `${value} more` }) });
    const { body } = await ok(kit, "GET calendars/list/", { custom_data_key: "run", custom_data_value: value });
    equal(idsOf(list(body, "calendars")), [ids[0]], "calendars");
  }),
  extension("custom-data.filter-follows", "X2.4 filters", "The filter follows what is changed and deleted", async (kit) => {
    const calendar_id = idOf(await kit.calendar());
    const event_id = idOf(await kit.event(calendar_id));
    const found = async (custom_data_value: string) =>
      idsOf(list((await ok(kit, "GET events/list/", { calendar_id, custom_data_key: "hall", custom_data_value })).body, "events"));
    await updateEvent(kit, event_id, { custom_data: `{"hall":"1"}` });
    equal([await found("1"), await found("2")], [[event_id], []], "events with 1, with 2");
    await updateEvent(kit, event_id, { custom_data: `{"hall":"2"}` });
    equal([await found("1"), await found("2")], [[], [event_id]], "events with 1, with 2, after a change");
    await kit.ok("deleteEvent", { event_id });
    equal(await found("2"), [], "events with 2, after it was deleted");
  }),
];
