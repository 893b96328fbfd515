import { equal, expect } from "../engine/assert.js";
import { member, number, text } from "../engine/json.js";
import { fits } from "../engine/shapes.js";
import { needs, subscribers, some, count, steady } from "./subscriber-kit.js";
import { profile } from "../engine/check.js";

const { required, recommended } = profile("subscribers");

export const subscriberFieldChecks = [
  required(
    "subscribers.list.fields",
    ["2.5 fields", "4.9 list"],
    "Listed subscribers have all fields as strings",
    async (kit) => {
      const fields = ["id", "name", "email", "ip", "country", "calendar_type"];
      for (const subscriber of await some(kit)) fits(subscriber, "subscriber", fields);
    },
    needs,
  ),
  required(
    "subscribers.list.unknown-is-the-text-null",
    "2.5 null",
    "postal, city and state are texts; unknown is the text null",
    async (kit) => {
      for (const subscriber of await some(kit)) {
        fits(subscriber, "subscriber", ["postal", "city", "state"]);
        for (const field of ["postal", "city", "state"])
          expect(subscriber[field] !== "", `${field}: expected a text, or null as a text, got an empty one.`);
      }
    },
    needs,
  ),
  required(
    "subscribers.list.date",
    "2.5 date",
    "date is MM/DD/YYYY HH:MM:SS and unixtime_stamp an integer",
    async (kit) => {
      for (const subscriber of await some(kit)) {
        fits(subscriber, "subscriber", ["date", "unixtime_stamp"]);
        const [day = "", time = ""] = text(subscriber, "date").split(" ");
        const [month = "", dayOfMonth = "", year = ""] = day.split("/");
        const asUtc = Date.parse(`${year}-${month}-${dayOfMonth}T${time}Z`) / 1_000;
        const apart = Math.abs(asUtc - number(subscriber, "unixtime_stamp"));
        expect(apart <= 14 * 3_600, `date and unixtime_stamp are ${apart} seconds apart.`);
      }
    },
    needs,
  ),
  required(
    "subscribers.list.flags",
    "2.5 flags",
    "active and blocked are the texts true or false",
    async (kit) => {
      for (const subscriber of await some(kit)) fits(subscriber, "subscriber", ["active", "blocked"]);
    },
    needs,
  ),
  required(
    "subscribers.list.count",
    ["2.5 count", "4.9 list"],
    "The list carries the calendar's id and subscribers_count as an integer",
    async (kit) => {
      const { body } = await kit.ok("listSubscribers", { calendar_id: kit.followed });
      const { id, subscribers_count: total } = member(body, "calendar");
      equal(id, kit.followed, "calendar.id");
      expect(Number.isInteger(total), `subscribers_count: expected an integer, got ${String(total)}.`);
      equal(typeof member(body, "paging")["next"], "string", "type of paging.next");
    },
    needs,
  ),
  recommended(
    "subscribers.list.count-is-all",
    "R3.3",
    "subscribers_count counts the subscribers of each list",
    steady(async (kit) => {
      for (const operation of [
        "listSubscribers",
        "listInactiveSubscribers",
        "listBlockedSubscribers",
      ] as const)
        equal(
          await count(kit, operation),
          (await subscribers(kit, operation)).length,
          `subscribers_count of ${operation}`,
        );
    }),
    needs,
  ),
];
