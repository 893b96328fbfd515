import { equal, expect, failure, show } from "../engine/assert.js";
import { idOf, list, member, number, text, withId } from "../engine/json.js";
import type { OperationName } from "../engine/operations.js";
import { fits } from "../engine/shapes.js";
import { followedCalendar, needs, some, details, steady } from "./subscriber-kit.js";
import { profile } from "../engine/check.js";

const { required, recommended } = profile("subscribers");

export const subscriberDetailChecks = [
  ...(["listSubscribers", "listInactiveSubscribers", "listBlockedSubscribers"] as const).map(
    (operation: OperationName) =>
      required(
        `subscribers.calendar-is-mandatory.${operation}`,
        "4.9 calendar_id",
        `${operation} without calendar_id is refused`,
        async (kit) => {
          await kit.refused(operation);
        },
        { writes: false },
      ),
  ),
  required(
    "subscribers.list.none",
    ["4.9 list", "2.1 paging"],
    "A new calendar has no subscribers",
    async (kit) => {
      const calendar_id = idOf(await kit.calendar());
      const { body } = await kit.ok("listSubscribers", { calendar_id });
      equal(
        [list(body, "subscribers"), member(body, "calendar")["subscribers_count"]],
        [[], 0],
        "subscribers and subscribers_count",
      );
      equal(member(body, "paging")["previous"], "", "paging.previous");
    },
  ),
  required(
    "subscribers.details.array",
    ["4.10 result", "2.5 details"],
    "Details come as an array of one",
    async (kit) => {
      const id = idOf((await some(kit))[0]);
      equal(idOf(await details(kit, id)), id, "id");
    },
    needs,
  ),
  required(
    "subscribers.details.fields",
    ["2.5 fields", "2.5 null"],
    "Details have the fields and values of the list",
    steady(async (kit) => {
      for (const subscriber of (await some(kit)).slice(0, 5)) {
        const one = await details(kit, idOf(subscriber));
        fits(one, "subscriber");
        equal(one, withId([subscriber], idOf(one), "subscribers"), "details");
      }
    }),
    needs,
  ),
  required(
    "subscribers.details.calendar",
    "2.5 details",
    "Details carry the calendar with its id only",
    async (kit) => {
      const subscriber_id = idOf((await some(kit))[0]);
      const { body } = await kit.ok("getSubscriber", { calendar_id: kit.followed, subscriber_id });
      equal(member(body, "calendar"), { id: kit.followed }, "calendar");
    },
    needs,
  ),
  required(
    "subscribers.details.ids-are-mandatory",
    "4.10 ids",
    "Details without calendar_id or subscriber_id are refused",
    async (kit) => {
      await kit.refused("getSubscriber", { subscriber_id: idOf((await some(kit))[0]) });
      await kit.refused("getSubscriber", { calendar_id: kit.followed });
    },
    needs,
  ),
  required(
    "subscribers.details.of-this-calendar",
    "4.10 ids",
    "A subscriber is not found under another calendar",
    async (kit) => {
      const subscriber_id = idOf((await some(kit))[0]);
      await kit.refused("getSubscriber", { calendar_id: idOf(await kit.calendar()), subscriber_id });
    },
    { subscribers: true },
  ),
  required(
    "subscribers.details.unknown",
    "4.10 ids",
    "A subscriber that does not exist is refused",
    async (kit) => {
      await kit.refused("getSubscriber", { calendar_id: kit.followed, subscriber_id: "9007199254740991" });
    },
    needs,
  ),
  required(
    "subscribers.counters-are-those-of-the-calendar",
    "2.3 followers",
    "followers_total counts all who are listed, followers_active no more than that",
    steady(async (kit) => {
      const listed = (await some(kit)).length;
      const { followers_total: total, followers_active: active } = await followedCalendar(kit);
      expect(Number(total) >= listed, `followers_total: ${show(total)}, but ${listed} are listed.`);
      expect(Number(active) <= Number(total), `followers_active: ${show(active)} of ${show(total)}.`);
    }),
    needs,
  ),
  recommended(
    "subscribers.counters",
    ["R5.2", "2.3 followers"],
    "followers_total and followers_active of the calendar count its subscribers",
    steady(async (kit) => {
      const all = await some(kit);
      const calendar = await followedCalendar(kit);
      const active = all.filter((one) => one["active"] === "true" && one["blocked"] === "false");
      const { followers_total: total, followers_active: activeTotal } = calendar;
      equal(
        [total, activeTotal],
        [String(all.length), String(active.length)],
        "followers_total, followers_active",
      );
    }),
    needs,
  ),
  recommended(
    "subscribers.unknown-country",
    "R5.5",
    "country has two capital letters",
    async (kit) => {
      for (const one of await some(kit))
        expect(/^[A-Z]{2}$/.test(text(one, "country")), `country: got ${text(one, "country")}.`);
    },
    needs,
  ),
  recommended(
    "subscribers.date-is-in-the-calendar-zone",
    "R5.5",
    "date is the time of subscription in the calendar's time zone",
    async (kit) => {
      const zone = text(await followedCalendar(kit), "timezone");
      const inZone = clockIn(zone);
      for (const one of await some(kit)) {
        const part: Record<string, string> = {};
        for (const { type, value } of inZone.formatToParts(number(one, "unixtime_stamp") * 1_000))
          part[type] = value;
        const [day = "", time = ""] = text(one, "date").split(" ");
        const [month, dayOfMonth, year] = day.split("/").map(Number);
        equal(
          [month, dayOfMonth, (year ?? 0) % 100],
          [Number(part["month"]), Number(part["day"]), Number(part["year"])],
          "day",
        );
        equal(time, `${part["hour"]}:${part["minute"]}:${part["second"]}`, "time");
      }
    },
    needs,
  ),
];

/** What is not a time zone is the server's fault, never the suite's. */
function clockIn(timeZone: string): Intl.DateTimeFormat {
  try {
    return new Intl.DateTimeFormat("en-US", {
      timeZone,
      dateStyle: "short",
      timeStyle: "medium",
      hourCycle: "h23",
    });
  } catch {
    throw failure(`timezone: expected a time zone label, got ${show(timeZone)}.`);
  }
}
