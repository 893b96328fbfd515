import { expect, test } from "vitest";
import { type EventFields, newFields } from "./event-fields.js";
import { areTold, isKnownSoon, type Known } from "../../parts/soon.js";
import { isTold } from "./told-fields.js";

const now = Date.parse("2027-03-05T12:00:00Z");

const training = (start_date: string, more: Partial<Known> = {}): Known => ({
  published: true,
  status: "confirmed",
  start_date,
  end_date: start_date,
  timezone: "Europe/Berlin",
  ...more,
});

test("followers know what is published, not cancelled, not over and begins within 14 days", () => {
  const known = (event: Known): boolean => isKnownSoon(event, now);
  expect(known(training("2027-03-05T13:00"))).toBe(true); // noon in UTC
  expect(known(training("2027-03-05T12:59"))).toBe(false);
  expect(known(training("2027-03-04T12:00", { end_date: "2027-03-06T12:00" }))).toBe(true);
  expect(known(training("2027-03-19T13:00"))).toBe(true);
  expect(known(training("2027-03-19T13:01"))).toBe(false);
  expect(known(training("2027-03-05"))).toBe(true); // all day, until midnight
  expect(known(training("2027-03-04"))).toBe(false);
  expect(known(training("2027-03-06T12:00", { published: false }))).toBe(false);
  expect(known(training("2027-03-06T12:00", { status: "cancelled" }))).toBe(false);
});

test("followers learn of a save when it changes what followers see of an event that is or becomes soon", () => {
  const initial: EventFields = newFields("2027-03-06", "Europe/Berlin");
  const far: EventFields = newFields("2027-06-06", "Europe/Berlin");
  const event = training("2027-03-06T19:00");
  const told = (fields: Partial<EventFields>, hasSoon = false): boolean =>
    isTold({ event, initial, fields: { ...initial, ...fields } }, hasSoon, now);
  expect(told({})).toBe(false);
  expect(told({ color_id: "3", reminder: "60", categories: "Youth" })).toBe(false);
  expect(told({ location: "Hall 2" })).toBe(true);
  expect(told({ startDay: "2027-06-01", endDay: "2027-06-01" })).toBe(true);
  expect(told({ published: "false" })).toBe(true);
  const added = (fields: EventFields): boolean => isTold({ event: undefined, initial, fields }, false, now);
  expect(added(initial)).toBe(true);
  expect(added({ ...initial, published: "false" })).toBe(false);
  expect(added(far)).toBe(false);
  const later = training("2027-06-06T19:00");
  const moved = { ...far, startDay: "2027-03-07", endDay: "2027-03-07" };
  expect(isTold({ event: later, initial: far, fields: moved }, false, now)).toBe(true);
  expect(isTold({ event: later, initial: far, fields: { ...far, title: "B" } }, false, now)).toBe(false);
  expect(isTold({ event: later, initial: far, fields: { ...far, title: "B" } }, true, now)).toBe(true);
  const off = training("2027-03-06T19:00", { status: "cancelled" });
  expect(isTold({ event: off, initial, fields: { ...initial, title: "B" } }, false, now)).toBe(false);
});

test("followers learn of a change of many events unless it is of colours or categories alone, or of none that is soon", () => {
  const [soon, far] = [training("2027-03-06T19:00"), training("2027-04-01T19:00")];
  expect(areTold({ location: "Hall 2" }, [far, soon], now)).toBe(true);
  expect(areTold({ location: "Hall 2" }, [far], now)).toBe(false);
  expect(areTold({ shift_days: -20 }, [far], now)).toBe(true);
  expect(areTold({ color_id: "3" }, [soon], now)).toBe(false);
  expect(areTold({ delete: true }, [soon], now)).toBe(true);
  expect(areTold({ published: "true" }, [{ ...soon, published: false }], now)).toBe(true);
  expect(areTold({ status: "confirmed" }, [{ ...soon, status: "cancelled" }], now)).toBe(true);
  expect(areTold(undefined, [soon], now)).toBe(false);
});
