import { equal, expect } from "../engine/assert.js";
import { idOf, type Item, withId } from "../engine/json.js";
import { fixture, type Kit } from "../engine/kit.js";

export type Params = Readonly<Record<string, string>>;

/** Calendars that several checks put events in; a few, so that their lists stay short. */
export const scratch = Array.from({ length: 8 }, () => fixture((kit) => kit.calendar()));

export async function scratchCalendar(kit: Kit): Promise<Item> {
  const calendar = scratch[kit.session.serial() % scratch.length];
  expect(calendar !== undefined, "no scratch calendar");
  return calendar(kit);
}

/** Makes an event; returns it as create and as the list show it. */
export async function bothForms(
  kit: Kit,
  params: Params,
  calendarParams?: Params,
): Promise<readonly [Item, Item]> {
  const calendar = await (calendarParams === undefined ? scratchCalendar(kit) : kit.calendar(calendarParams));
  const event = await kit.event(calendar, params);
  return [event, withId(await kit.events(calendar), idOf(event), "events")];
}

/** Both forms show these values. */
export async function creates(
  kit: Kit,
  params: Params,
  wanted: Item,
  calendarParams?: Params,
): Promise<void> {
  const [made, listed] = await bothForms(kit, params, calendarParams);
  for (const [field, value] of Object.entries(wanted)) {
    equal(made[field], value, `${field} of the answer`);
    equal(listed[field], value, `${field} in the list`);
  }
}

/** Refused, and no event was made: one would be found by its location. */
export async function refusesToCreateEvent(kit: Kit, params: Params): Promise<void> {
  const [calendar, location] = [await refusals(kit), kit.name()];
  await kit.refused("createEvent", { calendar_id: idOf(calendar), location, ...params });
  const made = (await kit.events(calendar)).filter((event) => event["location"] === location);
  equal(made, [], "events after a refused create");
}

export const refusals = fixture((kit) => kit.calendar());

/** One event with everything set and one with nothing set but what is mandatory, as create and as the list show it. */
export const full = fixture((kit) => bothForms(kit, complete));
export const bare = fixture((kit) => bothForms(kit, {}));

/** Both forms of an event show these values. */
export async function shows(kit: Kit, which: typeof full, wanted: Item): Promise<void> {
  for (const event of await which(kit))
    for (const [field, value] of Object.entries(wanted)) equal(event[field], value, field);
}

export const complete = {
  title: "Opening night",
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
