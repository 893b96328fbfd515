import { expect } from "vitest";
import type { TestAccount } from "./harness.js";

/** Every field that a request gives an event. */
export const fullEvent = {
  title: "Opening night",
  description: "Line one\r\nLine two",
  location: "Town hall",
  organizer: "Ada",
  organizer_email: "ada@example.com",
  timezone: "Asia/Tokyo",
  color_id: "4",
  reminder: "30",
  start_date: "2026-08-04T13:30",
  end_date: "2026-08-05T02:00",
  status: "tentative",
  categories: "Concerts,Children",
  custom_data: '{"hall":"2b","seats":40}',
};

/** Calls of an account that must succeed. */
export function callsOf(owner: TestAccount) {
  const ok = async (...call: Parameters<TestAccount["call"]>) => {
    const answer = await owner.call(...call);
    expect(answer.status, answer.text).toBe(200);
    return answer.body;
  };
  return {
    ok,
    newCalendar: async (title = "x"): Promise<{ readonly id: string; readonly uniquekey: string }> =>
      (await ok("createCalendar", { title, timezone: "Europe/Berlin" })).calendar,
    addEvent: async (calendar_id: string, fields: Readonly<Record<string, string>> = {}): Promise<string> =>
      (await ok("eventsCreate", { calendar_id, title: "x", start_date: "2026-08-04T13:30", ...fields })).event
        .id,
    trash: async (filter: Readonly<Record<string, string>> = {}) => (await ok("trashList", filter)).trash,
    refusal: async (...call: Parameters<TestAccount["call"]>) => {
      const { status, body } = await owner.call(...call);
      return [status, body.meta.error_type];
    },
  };
}
