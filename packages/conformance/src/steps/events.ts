import { equal } from "../engine/assert.js";
import type { Run } from "../engine/check.js";
import type { Item } from "../engine/item.js";
import { idOf, idsOf, member, number, withId } from "../engine/json.js";
import { fixture, type Kit, someStart } from "../engine/kit.js";
import { equalField } from "../engine/origins.js";
import type { Params } from "../engine/target.js";

const own = new WeakMap<Kit, Promise<Item>>();

/** The calendar that a check puts its events in: no other check moves what its pages hold. */
export async function calendarFor(kit: Kit, params?: Params): Promise<Item> {
  if (params !== undefined) return kit.calendar(params);
  const calendar = own.get(kit) ?? kit.calendar();
  own.set(kit, calendar);
  return calendar;
}

/** Makes an event; returns it as create and as the list show it. */
export async function bothForms(kit: Kit, params: Params, of?: Params): Promise<readonly [Item, Item]> {
  const calendar = await calendarFor(kit, of);
  const event = await kit.event(calendar, params);
  return [event, withId(await kit.events(calendar), idOf(event), "events")];
}

export async function saveEvent(kit: Kit, event: Item, params: Params = {}): Promise<Item> {
  const all = { event_id: idOf(event), title: "Saved", start_date: someStart, ...params };
  return member((await kit.ok("saveEvent", all)).body, "event");
}

function equalIn(forms: readonly [answer: Item, listed: Item], wanted: Item, of = ""): void {
  for (const [field, value] of Object.entries(wanted)) {
    equalField(forms[0], field, value, `of the answer${of}`);
    equalField(forms[1], field, value, `in the list${of}`);
  }
}

/** An event made with these parameters shows these values in both forms. */
export function creates(sent: Params, wanted: Item, of?: Params): Run {
  return async (kit) => equalIn(await bothForms(kit, sent, of), wanted);
}

/** An event that was made with `made` and saved with `sent` shows these values in both forms. */
export function saves(made: Params, sent: Params, wanted: Item, of?: Params): Run {
  return async (kit) => {
    const calendar = await calendarFor(kit, of);
    const event = await saveEvent(kit, await kit.event(calendar, made), sent);
    equalIn([event, withId(await kit.events(calendar), idOf(event), "events")], wanted);
  };
}

/** What create and save alike make of each row: parameters, and what both forms show then. */
export function keepsRows(rows: readonly (readonly [sent: Params, wanted: Item])[]): Run {
  return async (kit) => {
    const calendar = await kit.calendar();
    const made = await Promise.all(rows.map(([sent]) => kit.event(calendar, sent)));
    const again = await kit.event(calendar);
    const listed = await kit.events(calendar);
    for (const [index, [sent, wanted]] of rows.entries()) {
      const event = made[index] ?? {};
      const of = ` for ${JSON.stringify(sent)}`;
      equalIn([event, withId(listed, idOf(event), "events")], wanted, of);
      const saved = await saveEvent(kit, again, sent);
      equalIn([saved, { ...saved, ...wanted }], wanted, ` of save${of}`);
    }
  };
}

/** Creating an event with these parameters is refused, and none is made: one would be found by its location. */
export function refusesEvent(params: Params): Run {
  return async (kit) => {
    const [calendar, location] = [await calendarFor(kit), kit.name()];
    const all = { calendar_id: idOf(calendar), title: "Refused", start_date: someStart, location };
    await kit.refused("createEvent", { ...all, ...params });
    const made = (await kit.events(calendar)).filter((event) => event["location"] === location);
    equal(made, [], "events after a refused create");
  };
}

/** Saving an event with these parameters is refused, and it stays as it was. */
export function refusesEventSave(params: Params): Run {
  return async (kit) => {
    const calendar = await calendarFor(kit);
    const id = idOf(await kit.event(calendar, { location: "Before" }));
    const before = withId(await kit.events(calendar), id, "events");
    const all = { event_id: id, title: "Refused", start_date: someStart, location: "After" };
    await kit.refused("saveEvent", { ...all, ...params });
    equal(withId(await kit.events(calendar), id, "events"), before, "the event after a refused save");
  };
}

/** Deleting with these parameters is refused, and an event that is there stays. */
export function refusesEventDelete(params: Params): Run {
  return async (kit) => {
    const calendar = await kit.calendar();
    const event = await kit.event(calendar);
    await kit.refused("deleteEvent", params);
    equal(idsOf(await kit.events(calendar)), [idOf(event)], "events after a refused delete");
  };
}

export async function deletedEvent(kit: Kit): Promise<{ readonly calendar: Item; readonly id: string }> {
  const calendar = await kit.calendar();
  const id = idOf(await kit.event(calendar));
  await kit.ok("deleteEvent", { event_id: id });
  return { calendar, id };
}

/** One event with everything set and one with nothing set but what is mandatory, as create and as the list show it. */
export const full = fixture((kit) => bothForms(kit, complete));
export const bare = fixture((kit) => bothForms(kit, {}));

/** Both forms of an event show these values. */
export function shows(which: typeof full, wanted: Item): Run {
  return async (kit) => equalIn(await which(kit), wanted);
}

export const complete = {
  title: "Opening Night",
  description: "Doors open at 13:00.",
  location: "Central Park, New York",
  organizer: "Parks Department",
  organizer_email: "parks@example.com",
  timezone: "Europe/Paris",
  color_id: "4",
  reminder: "30",
  start_date: "07/04/2026 13:30",
  end_date: "07/04/2026 16:45",
  all_day_event: "false",
};

/** Start and end of an event, as the list gives them in Unix time. */
export async function instants(kit: Kit, params: Params): Promise<readonly [number, number]> {
  const [, listed] = await bothForms(kit, params);
  return [number(listed, "date_start_unix"), number(listed, "date_end_unix")];
}

export function clock(event: Item, side: "start" | "end"): readonly unknown[] {
  return [event[`date_${side}`], event[`date_${side}_time`], event[`date_${side}_ampm`]];
}

/** The fields of a start or an end: date, time and half of the day. */
export function moment(side: "start" | "end", [date, time, half]: readonly string[]): Item {
  return { [`date_${side}`]: date, [`date_${side}_time`]: time, [`date_${side}_ampm`]: half };
}
