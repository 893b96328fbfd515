import { equal } from "../engine/assert.js";
import { idOf, idsOf } from "../engine/json.js";
import { threeEvents, titles } from "./event-list-kit.js";
import { profile } from "../engine/check.js";

const { required, recommended } = profile("core");

export const eventOrderChecks = [
  required(
    "events.list.default-order",
    "4.5 default",
    "Without order_by the event created last is listed first",
    async (kit) => equal(await titles(kit, {}), ["February", "January", "March"], "order"),
  ),
  required("events.list.id-asc", "4.5 order_by", "id-asc lists by ascending id", async (kit) => {
    const { calendar } = await threeEvents(kit);
    const ids = idsOf(await kit.events(calendar, { order_by: "id-asc" })).map(Number);
    equal(
      ids,
      [...ids].sort((a, b) => a - b),
      "ids",
    );
    equal(ids.length, 3, "number of events");
  }),
  required("events.list.id-desc", "4.5 order_by", "id-desc lists by descending id", async (kit) => {
    const { calendar } = await threeEvents(kit);
    const ids = idsOf(await kit.events(calendar, { order_by: "id-desc" })).map(Number);
    equal(
      ids,
      [...ids].sort((a, b) => b - a),
      "ids",
    );
    equal(ids.length, 3, "number of events");
  }),
  required("events.list.date-desc-is-accepted", "4.5 order_by", "date-desc lists all events", async (kit) =>
    equal(
      [...(await titles(kit, { order_by: "date-desc" }))].sort(),
      ["February", "January", "March"],
      "events",
    ),
  ),
  recommended("events.list.date-desc", "R3.4", "date-desc lists the latest start first", async (kit) =>
    equal(await titles(kit, { order_by: "date-desc" }), ["March", "February", "January"], "order"),
  ),
  recommended(
    "events.list.date-desc-is-by-instant",
    "R3.4",
    "date-desc compares instants, not wall clocks",
    async (kit) => {
      const calendar = await kit.calendar();
      await kit.event(calendar, { title: "Tokyo", timezone: "Asia/Tokyo", start_date: "07/04/2026 20:00" });
      await kit.event(calendar, {
        title: "Los Angeles",
        timezone: "America/Los_Angeles",
        start_date: "07/04/2026 09:00",
      });
      const order = (await kit.events(calendar, { order_by: "date-desc" })).map(({ title }) => title);
      equal(order, ["Los Angeles", "Tokyo"], "order");
    },
  ),
  recommended(
    "events.list.ties",
    "R3.4",
    "Events of one start and one second are ordered by id",
    async (kit) => {
      const calendar = await kit.calendar();
      const ids: string[] = [];
      for (let made = 0; made < 12; made++) ids.push(idOf(await kit.event(calendar)));
      const newest = ids.toReversed();
      equal(idsOf(await kit.events(calendar)), newest, "default order");
      equal(idsOf(await kit.events(calendar, { order_by: "date-desc" })), newest, "date-desc");
      equal(idsOf(await kit.events(calendar, { order_by: "id-asc" })), ids, "id-asc");
      equal(idsOf(await kit.events(calendar, { upcoming: "2020-01-01 00:00:00" })), ids, "upcoming");
    },
  ),
  recommended(
    "events.list.save-keeps-order",
    "4.5 default",
    "Saving an event does not move it in the default order",
    async (kit) => {
      const calendar = await kit.calendar();
      const [one, two] = [await kit.event(calendar), await kit.event(calendar)];
      await kit.tick();
      await kit.ok("saveEvent", { event_id: idOf(one), title: "Saved", start_date: "07/04/2026 13:30" });
      equal(idsOf(await kit.events(calendar)), [idOf(two), idOf(one)], "order");
    },
  ),
  recommended("events.list.unknown-order", "R3.7", "An unknown order_by is refused", async (kit) => {
    await kit.refused("listEvents", { calendar_id: (await threeEvents(kit)).calendar, order_by: "sideways" });
  }),
  required(
    "events.list.calendar-is-mandatory",
    "4.5 calendar_id",
    "The list without calendar_id, or with an empty one, is refused",
    async (kit) => {
      await kit.refused("listEvents");
      await kit.refused("listEvents", { calendar_id: "" });
    },
    { writes: false },
  ),
];
