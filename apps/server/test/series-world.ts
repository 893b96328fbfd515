import { expect } from "vitest";
import type { TestAccount } from "./harness.js";

/** An event as the tests of series look at it. */
export interface Shown {
  readonly id: string;
  readonly start_date: string;
  readonly series_id: string;
  readonly [name: string]: unknown;
}

/** A weekly council of four evenings, over the end of summer time. */
export const council = {
  title: "Council",
  location: "Town hall",
  start_date: "2026-10-12T19:00",
  end_date: "2026-10-12T21:00",
  rrule: "FREQ=WEEKLY;COUNT=4",
};
export const weeks = ["2026-10-12T19:00", "2026-10-19T19:00", "2026-10-26T19:00", "2026-11-02T19:00"];

/** What the tests of series do again and again, for an account. */
export function seriesOf(owner: TestAccount) {
  async function newCalendar(): Promise<string> {
    const answer = await owner.call("createCalendar", { title: "Council", timezone: "Europe/Berlin" });
    return answer.body.calendar.id;
  }
  async function create(change: Readonly<Record<string, string>> = {}) {
    const calendar_id = await newCalendar();
    const answer = await owner.call("eventsSeriesCreate", { calendar_id, ...council, ...change });
    expect(answer.status, answer.text).toBe(200);
    const ids: readonly string[] = answer.body.event_ids;
    return { calendar_id, ids, series: answer.body.series, first: ids[0] ?? "" };
  }
  /** The events of a calendar, soonest first. */
  async function eventsOf(calendar_id: string): Promise<readonly Shown[]> {
    const events: Shown[] = [];
    for (let page = 1, next = "?"; next !== ""; page++) {
      const { body } = await owner.call("eventsList", {
        calendar_id,
        order_by: "id-asc",
        page: String(page),
      });
      events.push(...body.events);
      next = body.paging.next;
    }
    return events.toSorted((one, other) => (one.start_date < other.start_date ? -1 : 1));
  }
  return {
    newCalendar,
    create,
    eventsOf,
    startsOf: async (calendar_id: string) =>
      (await eventsOf(calendar_id)).map(({ start_date }) => start_date),
    update: (event_id: string, scope: string, params: Readonly<Record<string, string>>) =>
      owner.call("eventsSeriesUpdate", { event_id, scope, ...params }),
    /** A cursor of the changes from now on. */
    cursorOf: async (calendar_id: string): Promise<string> =>
      (await owner.call("eventsChanges", { calendar_id })).body.cursor,
  };
}
