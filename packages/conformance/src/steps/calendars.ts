import { equal, notTestable } from "../engine/assert.js";
import type { Run } from "../engine/check.js";
import type { Item } from "../engine/item.js";
import { idOf, idsOf, member, text, withId } from "../engine/json.js";
import { fixture, type Kit, wasRefused } from "../engine/kit.js";
import { equalField } from "../engine/origins.js";
import { isSuccess } from "../engine/session.js";
import type { Params } from "../engine/target.js";

/** A calendar that nothing changes. */
export const plainCalendar = fixture((kit) => kit.calendar({ description: "plain" }));

/** The calendar as the list shows it. */
export async function listedCalendar(
  kit: Kit,
  calendar: Item,
  title = text(calendar, "title"),
): Promise<Item> {
  return withId(await kit.calendars(title), idOf(calendar), "calendars");
}

/** Saves a calendar; its title and a zone are sent, too. */
export async function saveCalendar(kit: Kit, calendar: Item, params: Params = {}): Promise<Item> {
  const title = text(calendar, "title");
  const all = { calendar_id: idOf(calendar), title, timezone: "Asia/Tokyo", ...params };
  return member((await kit.ok("saveCalendar", all)).body, "calendar");
}

/** A calendar made with these parameters shows these values, in the answer and in the list. */
export function makes(sent: Params, wanted: Item): Run {
  return async (kit) => {
    const calendar = await kit.calendar(sent);
    const listed = await listedCalendar(kit, calendar);
    for (const [field, value] of Object.entries(wanted)) {
      equalField(calendar, field, value, "of the answer");
      equalField(listed, field, value, "in the list");
    }
  };
}

/** A calendar that was made with `made` and saved with `sent` shows these values; the answer of save has no timezone. */
export function savesAs(made: Params, sent: Params, wanted: Item): Run {
  return async (kit) => {
    const calendar = await kit.calendar(made);
    const saved = await saveCalendar(kit, calendar, sent);
    const listed = await listedCalendar(kit, calendar, sent["title"] ?? text(calendar, "title"));
    for (const [field, value] of Object.entries(wanted)) {
      if (field !== "timezone") equalField(saved, field, value, "of the answer");
      equalField(listed, field, value, "in the list");
    }
  };
}

/** Creating a calendar with these parameters is refused, and nothing is made. */
export function refusesCalendar(params: Params): Run {
  return async (kit) => {
    const name = kit.name();
    const all = { title: name, calendarname: name, description: name, timezone: "Europe/Paris", ...params };
    await kit.refused("createCalendar", all);
    equal(await kit.calendars(name), [], "calendars after a refused create");
  };
}

/** Saving a calendar with these parameters is refused, and it stays as it was. */
export function refusesCalendarSave(params: Params): Run {
  return async (kit) => {
    const calendar = await kit.calendar({ description: "before" });
    const before = await listedCalendar(kit, calendar);
    const changes = { title: text(calendar, "title"), calendarname: "Changed", description: "changed" };
    const all = { calendar_id: idOf(calendar), ...changes, timezone: "Asia/Tokyo", ...params };
    await kit.refused("saveCalendar", all);
    equal(await listedCalendar(kit, calendar), before, "the calendar after a refused save");
  };
}

/** Deleting with these parameters is refused, and a calendar that is there stays. */
export function refusesCalendarDelete(params: Params): Run {
  return async (kit) => {
    const calendar = await kit.calendar();
    await kit.refused("deleteCalendar", params);
    equal(idsOf(await kit.calendars(text(calendar, "title"))), [idOf(calendar)], "calendars");
  };
}

/** An id of the right form that no calendar has: that of one just deleted. */
export async function deletedCalendar(kit: Kit): Promise<string> {
  const id = idOf(await kit.calendar());
  await kit.ok("deleteCalendar", { calendar_id: id });
  return id;
}

/** A palette that is not the default one, as far as the server has a known id of one. */
export async function otherPalette(kit: Kit): Promise<string | undefined> {
  const standard = (await plainCalendar(kit))["palette_id"];
  for (const palette_id of ["2", "3", "1"].filter((id) => id !== standard)) {
    const answer = await kit.call("createCalendar", {
      title: kit.name(),
      timezone: "Asia/Tokyo",
      palette_id,
    });
    if (!isSuccess(answer)) {
      wasRefused(answer, "createCalendar");
      continue;
    }
    equal(member(answer.body, "calendar")["palette_id"], palette_id, "palette_id of the answer");
    return palette_id;
  }
  return undefined;
}

/** Another palette than the default one; without a known id of one there is nothing to judge. */
export async function someOtherPalette(kit: Kit): Promise<string> {
  const palette_id = await otherPalette(kit);
  if (palette_id === undefined)
    throw notTestable("the server refuses the palettes 1, 2 and 3, except its default one");
  return palette_id;
}
