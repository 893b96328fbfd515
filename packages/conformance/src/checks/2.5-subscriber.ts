import { equal, expect } from "../engine/assert.js";
import { followers, required } from "../engine/check.js";
import type { Item } from "../engine/item.js";
import { idOf, member, number, text } from "../engine/json.js";
import type { Kit } from "../engine/kit.js";
import { fits } from "../engine/shapes.js";
import { everyone, some, variants } from "../steps/subscribers.js";

/** Judges each subscriber of each list. */
const each =
  (judge: (one: Item) => void) =>
  async (kit: Kit): Promise<void> => {
    await some(kit);
    for (const one of await everyone(kit)) judge(one);
  };

const furthestZone = 14 * 3_600;

/** contract 2.5: the fields of a subscriber. */
export const checks = [
  required(
    "subscribers.list.fields",
    ["2.5 fields", "4.9 list"],
    "Listed subscribers have all fields as strings",
    followers,
    each((one) => fits(one, "subscriber", ["id", "name", "email", "ip", "country", "calendar_type"])),
  ),
  required(
    "subscribers.list.unknown-is-the-text-null",
    "2.5 null",
    "postal, city and state are texts; unknown is the text null",
    followers,
    each((one) => {
      fits(one, "subscriber", ["postal", "city", "state"]);
      for (const field of ["postal", "city", "state"]) expect(one[field] !== "", `${field}: expected a text, or null as a text, got an empty one.`);
    }),
  ),
  required(
    "subscribers.list.date",
    "2.5 date",
    "date is MM/DD/YYYY HH:MM:SS and unixtime_stamp an integer",
    followers,
    each((one) => {
      fits(one, "subscriber", ["date", "unixtime_stamp"]);
      const [day = "", time = ""] = text(one, "date").split(" ");
      const [month = "", dayOfMonth = "", year = ""] = day.split("/");
      const asUtc = Date.parse(`${year}-${month}-${dayOfMonth}T${time}Z`) / 1_000;
      const apart = Math.abs(asUtc - number(one, "unixtime_stamp"));
      expect(apart <= furthestZone, `date and unixtime_stamp are ${apart} seconds apart.`);
    }),
  ),
  required(
    "subscribers.list.flags",
    "2.5 flags",
    "active and blocked are the texts true or false",
    followers,
    each((one) => fits(one, "subscriber", ["active", "blocked"])),
  ),
  required(
    "subscribers.list.count",
    ["2.5 count", "4.9 list"],
    "Each list carries the calendar's id and subscribers_count as an integer",
    followers,
    async (kit) => {
      for (const operation of variants) {
        const { body } = await kit.ok(operation, { calendar_id: kit.followed });
        const { id, subscribers_count: total } = member(body, "calendar");
        equal(id, kit.followed, `calendar.id of ${operation}`);
        expect(Number.isInteger(total), `subscribers_count of ${operation}: expected an integer, got ${String(total)}.`);
        equal(typeof member(body, "paging")["next"], "string", "type of paging.next");
      }
    },
  ),
  required("subscribers.details.calendar", "2.5 details", "Details carry the calendar with its id only", followers, async (kit) => {
    const subscriber_id = idOf((await some(kit))[0]);
    const { body } = await kit.ok("getSubscriber", { calendar_id: kit.followed, subscriber_id });
    equal(member(body, "calendar"), { id: kit.followed }, "calendar");
  }),
];
