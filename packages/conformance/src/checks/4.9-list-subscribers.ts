import { equal, sameSet } from "../engine/assert.js";
import { followers, reads, required } from "../engine/check.js";
import { idOf, idsOf, list, member } from "../engine/json.js";
import { byId, lists, monthOf, some, subscribers, variants } from "../steps/subscribers.js";

/** contract 4.9: the list of subscribers, and its two variants. */
export const checks = [
  ...variants.map((operation) =>
    required(
      `subscribers.calendar-is-mandatory.${operation}`,
      "4.9 calendar_id",
      `${operation} without calendar_id is refused`,
      reads,
      async (kit) => {
        await kit.refused(operation);
      },
    ),
  ),
  required("subscribers.list.none", ["4.9 list", "2.1 paging"], "A new calendar has no subscribers, in any list", async (kit) => {
    const calendar_id = idOf(await kit.calendar());
    for (const operation of variants) {
      const { body } = await kit.ok(operation, { calendar_id });
      equal([list(body, "subscribers"), member(body, "calendar")["subscribers_count"]], [[], 0], `subscribers and subscribers_count of ${operation}`);
      equal(member(body, "paging")["previous"], "", `paging.previous of ${operation}`);
    }
  }),
  required("subscribers.list.inactive", "4.9 inactive", "list/inactive/ lists inactive subscribers, and inactive ones only", followers, (kit) =>
    lists(kit, "listInactiveSubscribers", "active", "false"),
  ),
  required("subscribers.list.blocked", "4.9 blocked", "list/blocked/ lists blocked subscribers, and blocked ones only", followers, (kit) =>
    lists(kit, "listBlockedSubscribers", "blocked", "true"),
  ),
  required("subscribers.list.id-orders", "4.9 order_by", "id-asc and id-desc list by id, in each list", followers, async (kit) => {
    await some(kit);
    for (const operation of variants) {
      const ids = [...(await subscribers(kit, operation))].sort(byId).map(idOf);
      equal(idsOf(await subscribers(kit, operation, { order_by: "id-asc" })), ids, `id-asc of ${operation}`);
      equal(idsOf(await subscribers(kit, operation, { order_by: "id-desc" })), ids.toReversed(), `id-desc of ${operation}`);
    }
  }),
  required("subscribers.list.date-desc-is-accepted", "4.9 order_by", "date-desc lists all subscribers of each list", followers, async (kit) => {
    await some(kit);
    for (const operation of variants)
      sameSet(idsOf(await subscribers(kit, operation, { order_by: "date-desc" })), idsOf(await subscribers(kit, operation)), operation);
  }),
  required(
    "subscribers.list.month",
    "4.9 month",
    "month and year list the subscribers of that month only, in each list and order",
    followers,
    async (kit) => {
      await some(kit);
      for (const operation of variants) {
        const all = await subscribers(kit, operation);
        for (const { month, year } of new Set(all.slice(0, 3).map(monthOf))) {
          const wanted = idsOf(all.filter((one) => monthOf(one).month === month && monthOf(one).year === year));
          for (const order_by of [undefined, "id-asc", "date-desc"])
            sameSet(idsOf(await subscribers(kit, operation, { month, year, order_by })), wanted, `${operation} of ${month}/${year}`);
          equal(await subscribers(kit, operation, { month, year: "1971" }), [], `${operation} of 1971`);
        }
      }
    },
  ),
];
