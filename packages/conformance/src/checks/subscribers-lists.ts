import { equal, expect, notTestable } from "../engine/assert.js";
import { idOf, idsOf, number } from "../engine/json.js";
import { needs, subscribers, some, count, monthOf, byId, steady } from "./subscriber-kit.js";
import { profile } from "../engine/check.js";

const { required, recommended } = profile("subscribers");

export const subscriberListChecks = [
  required(
    "subscribers.list.inactive",
    "4.9 inactive",
    "list/inactive/ lists inactive subscribers, and inactive ones only",
    steady(async (kit) => {
      const all = await subscribers(kit);
      const inactive = await subscribers(kit, "listInactiveSubscribers");
      expect(
        inactive.every(({ active }) => String(active) === "false"),
        "list/inactive/: expected inactive subscribers only.",
      );
      equal(
        [...idsOf(inactive)].sort(),
        all
          .filter(({ active }) => String(active) === "false")
          .map(idOf)
          .sort(),
        "inactive subscribers",
      );
      if (inactive.length === 0) throw notTestable("the calendar has no inactive subscriber");
    }),
    needs,
  ),
  required(
    "subscribers.list.blocked",
    "4.9 blocked",
    "list/blocked/ lists blocked subscribers, and blocked ones only",
    steady(async (kit) => {
      const all = await subscribers(kit);
      const blocked = await subscribers(kit, "listBlockedSubscribers");
      expect(
        blocked.every((one) => String(one["blocked"]) === "true"),
        "list/blocked/: expected blocked subscribers only.",
      );
      equal(
        [...idsOf(blocked)].sort(),
        all
          .filter((one) => String(one["blocked"]) === "true")
          .map(idOf)
          .sort(),
        "blocked subscribers",
      );
      if (blocked.length === 0) throw notTestable("the calendar has no blocked subscriber");
    }),
    needs,
  ),
  recommended(
    "subscribers.list.everyone",
    "R5.4",
    "The plain list has active, inactive and blocked subscribers",
    steady(async (kit) => {
      const ids = idsOf(await subscribers(kit));
      for (const operation of ["listInactiveSubscribers", "listBlockedSubscribers"] as const)
        for (const id of idsOf(await subscribers(kit, operation)))
          expect(ids.includes(id), `${id} of ${operation} is not in the plain list.`);
    }),
    needs,
  ),
  required(
    "subscribers.list.id-orders",
    "4.9 order_by",
    "id-asc and id-desc list by id",
    steady(async (kit) => {
      const all = [...(await some(kit))].sort(byId).map(idOf);
      equal(idsOf(await subscribers(kit, "listSubscribers", { order_by: "id-asc" })), all, "id-asc");
      equal(
        idsOf(await subscribers(kit, "listSubscribers", { order_by: "id-desc" })),
        all.toReversed(),
        "id-desc",
      );
    }),
    needs,
  ),
  required(
    "subscribers.list.date-desc-is-accepted",
    "4.9 order_by",
    "date-desc lists all subscribers",
    steady(async (kit) => {
      equal(
        (await subscribers(kit, "listSubscribers", { order_by: "date-desc" })).length,
        (await some(kit)).length,
        "subscribers",
      );
    }),
    needs,
  ),
  recommended(
    "subscribers.list.date-desc",
    "R3.4",
    "date-desc lists the latest subscription first",
    async (kit) => {
      const stamps = (await subscribers(kit, "listSubscribers", { order_by: "date-desc" })).map((one) =>
        number(one, "unixtime_stamp"),
      );
      equal(
        stamps,
        [...stamps].sort((a, b) => b - a),
        "unixtime_stamp",
      );
    },
    needs,
  ),
  recommended(
    "subscribers.list.default-order",
    "R3.4",
    "Without order_by the subscriber created last is listed first",
    steady(async (kit) => {
      equal(idsOf(await subscribers(kit)), [...(await some(kit))].sort(byId).map(idOf).toReversed(), "ids");
    }),
    needs,
  ),
  required(
    "subscribers.list.month",
    "4.9 month",
    "month and year list the subscribers of that month only",
    steady(async (kit) => {
      const all = await some(kit);
      const [month, year] = monthOf(all[0]);
      const wanted = all.filter((one) => monthOf(one).join() === [month, year].join());
      equal(
        idsOf(await subscribers(kit, "listSubscribers", { month, year })),
        idsOf(wanted),
        `subscribers of ${month}/${year}`,
      );
      equal(await subscribers(kit, "listSubscribers", { month, year: "1971" }), [], "subscribers of 1971");
    }),
    needs,
  ),
  recommended(
    "subscribers.list.month-count",
    "R3.3",
    "subscribers_count counts the subscribers of the month",
    steady(async (kit) => {
      const [month, year] = monthOf((await some(kit))[0]);
      equal(
        await count(kit, "listSubscribers", { month, year }),
        (await subscribers(kit, "listSubscribers", { month, year })).length,
        "subscribers_count",
      );
    }),
    needs,
  ),
  required(
    "subscribers.list.month-13",
    "8 month",
    "Month 13 is refused",
    async (kit) => {
      await kit.refused("listSubscribers", { calendar_id: kit.followed, month: "13", year: "2026" });
    },
    needs,
  ),
  recommended(
    "subscribers.list.month-alone",
    "R3.5",
    "month without year is refused",
    async (kit) => {
      await kit.refused("listSubscribers", { calendar_id: kit.followed, month: "06" });
    },
    needs,
  ),
  recommended(
    "subscribers.list.unknown-order",
    "R3.7",
    "An unknown order_by is refused",
    async (kit) => {
      await kit.refused("listSubscribers", { calendar_id: kit.followed, order_by: "sideways" });
    },
    needs,
  ),
];
