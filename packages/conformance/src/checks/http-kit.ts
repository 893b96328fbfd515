import { equal } from "../engine/assert.js";
import { idOf, idsOf, text } from "../engine/json.js";
import { fixture, type Kit } from "../engine/kit.js";

export const reads = { writes: false };

export const event = fixture(async (kit) => {
  const calendar = await kit.calendar();
  return { calendar, title: text(calendar, "title"), event: idOf(await kit.event(calendar)) };
});

export async function stillThere(kit: Kit): Promise<void> {
  const { calendar, title, event: id } = await event(kit);
  equal(idsOf(await kit.calendars(title)), [idOf(calendar)], "the calendar");
  const events = await kit.events(calendar);
  equal([idsOf(events), events[0]?.["updated_times"]], [[id], "0"], "its event");
}
