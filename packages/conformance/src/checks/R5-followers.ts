import { equal, expect, failure, show } from "../engine/assert.js";
import { followers, recommended } from "../engine/check.js";
import { idsOf, number, text } from "../engine/json.js";
import { everyone, followedCalendar, some, subscribers, variants } from "../steps/subscribers.js";

/** Rulings R5: followers. */
export const checks = [
  recommended(
    "subscribers.counters",
    ["R5.2", "2.3 followers"],
    "followers_total and followers_active of the calendar count its subscribers",
    followers,
    async (kit) => {
      const all = await some(kit);
      const { followers_total: total, followers_active: active } = await followedCalendar(kit);
      const isActive = all.filter((one) => one["active"] === "true" && one["blocked"] === "false");
      equal([total, active], [String(all.length), String(isActive.length)], "followers_total, followers_active");
    },
  ),
  recommended("subscribers.list.everyone", "R5.4", "The plain list has active, inactive and blocked subscribers", followers, async (kit) => {
    const ids = idsOf(await subscribers(kit));
    for (const operation of variants)
      for (const id of idsOf(await subscribers(kit, operation))) expect(ids.includes(id), `${id} of ${operation} is not in the plain list.`);
  }),
  recommended("subscribers.unknown-country", "R5.5", "country has two capital letters", followers, async (kit) => {
    for (const one of await everyone(kit)) expect(/^[A-Z]{2}$/.test(text(one, "country")), `country: got ${text(one, "country")}.`);
  }),
  recommended(
    "subscribers.date-is-in-the-calendar-zone",
    "R5.5",
    "date is the time of subscription in the calendar's time zone",
    followers,
    async (kit) => {
      const clock = clockIn(text(await followedCalendar(kit), "timezone"));
      for (const one of await everyone(kit)) {
        const part: Record<string, string> = {};
        for (const { type, value } of clock.formatToParts(number(one, "unixtime_stamp") * 1_000)) part[type] = value;
        equal(text(one, "date"), `${part["month"]}/${part["day"]}/${part["year"]} ${part["hour"]}:${part["minute"]}:${part["second"]}`, "date");
      }
    },
  ),
];

/** An invalid time zone is a finding. */
function clockIn(timeZone: string): Intl.DateTimeFormat {
  try {
    const [digits, long] = ["2-digit", "numeric"] as const;
    return new Intl.DateTimeFormat("en-US", {
      timeZone,
      year: long,
      month: digits,
      day: digits,
      hour: digits,
      minute: digits,
      second: digits,
      hourCycle: "h23",
    });
  } catch {
    throw failure(`timezone: expected a time zone label, got ${show(timeZone)}.`);
  }
}
