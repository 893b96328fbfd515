import { equal, expect, sameSet } from "../engine/assert.js";
import { followers } from "../engine/check.js";
import type { Calls } from "../engine/operations.js";
import { idOf, type Item, list, member, number } from "../engine/json.js";
import type { Kit } from "../engine/kit.js";
import { calendarDetails, extension, ok, refuses } from "../steps/extensions.js";

const dayMs = 86_400_000;

async function statistics(kit: Kit, params: Readonly<Record<string, string>>): Promise<Item> {
  return member({ body: (await ok(kit, "GET calendars/statistics/", params)).body }, "body");
}

function datesOf(found: Item): readonly unknown[] {
  return list(found, "days").map(({ date }) => date);
}

/** What its operations need. */
export const calls: Calls = {
  "GET calendars/statistics/": ({ calendar_id }) => ({ calendar_id }),
};

/** Sentences of docs/extensions.md. */
export const sentences = {
  "X8.7 days": "calendars/statistics/ returns per day the followers gained, lost and active: days in UTC, the last 30 or from and to.",
  "X8.7 range": "From and to are real dates in their order, at most 730 days apart.",
  "X8.7 sums": "It returns the polls by application and the categories picked.",
};

/** extensions X8.7: the counts of a calendar's days. */
export const checks = [
  extension("statistics.days", ["X8.7 days", "X8.7 sums"], "Statistics are of the last 30 days, or from and to", async (kit) => {
    const calendar_id = idOf(await kit.calendar());
    const found = await statistics(kit, { calendar_id });
    const dates = datesOf(found);
    const days = dates.map((date) => Date.parse(String(date)));
    expect(
      days.length === 30 && days.every((day, index) => index === 0 || day === (days[index - 1] ?? 0) + dayMs),
      "days: expected 30 that follow each other.",
    );
    for (const { date: _date, ...counts } of list(found, "days"))
      equal(counts, { followed: 0, unfollowed: 0, active: 0 }, "counts of a calendar without followers");
    const [, from, , to] = dates.map(String);
    equal(datesOf(await statistics(kit, { calendar_id, from: from ?? "", to: to ?? "" })), dates.slice(1, 4), "days from and to");
    const apps = ["apple", "browser", "google", "ical", "office365", "other", "outlook", "outlookcom", "yahoo"];
    const polls = member(found, "apps");
    sameSet(Object.keys(polls), apps, "apps");
    equal(
      Object.values(polls),
      apps.map(() => 0),
      "apps of a calendar without polls",
    );
    equal(found["categories"], [], "categories of a calendar without followers");
  }),
  extension("statistics.range", "X8.7 range", "From and to are real dates in their order, at most 730 days apart", async (kit) => {
    const calendar_id = idOf(await kit.calendar());
    for (const [range, wrong] of [
      [{ from: "2026-02-30" }, "from"],
      [{ to: "07/02/2026" }, "to"],
      [{ from: "2026-07-02", to: "2026-07-01" }, "from"],
      [{ from: "2024-07-01", to: "2026-07-02" }, "from"],
    ] as const) {
      const { body } = await refuses(kit, [400, "parameter_invalid"], "GET calendars/statistics/", { calendar_id, ...range });
      equal(
        list(member(body, "meta"), "errors").map(({ parameter }) => parameter),
        [wrong],
        "parameters in meta.errors",
      );
    }
    equal(datesOf(await statistics(kit, { calendar_id, from: "2024-07-02", to: "2026-07-02" })).length, 731, "days of the longest range");
  }),
  extension("statistics.followers", "X8.7 days", "The active followers of today are those of the calendar", followers, async (kit) => {
    const { followers_active: active } = await calendarDetails(kit, kit.followed);
    const today = list(await statistics(kit, { calendar_id: kit.followed }), "days").at(-1);
    equal(number(today ?? {}, "active"), active, "active of the last day");
  }),
];
