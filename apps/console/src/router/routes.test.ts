import { expect, test } from "vitest";
import { calendarPath, printAddress, routeOf } from "./routes.js";

test.each([
  ["", "calendars"],
  ["/", "calendars"],
  ["/calendars/7", "calendar"],
  ["/calendars/7/", "calendar"],
  ["/calendars/7/share", "share"],
  ["/calendars/7/import", "import"],
  ["/month", "month"],
  ["/trash", "trash"],
  ["/you", "you"],
  ["/profile", "profile"],
  ["/join", "join"],
  ["/oidc", "oidc"],
  ["/calendars/x", "unknown"],
  ["/calendars/7/none", "unknown"],
  ["/calendars/7/share/more", "unknown"],
  ["/trash/7", "unknown"],
  ["/constructor", "unknown"],
])("%s shows %s", (path, screen) => {
  expect(routeOf(path).screen).toBe(screen);
});

test("an address leads back to its calendar", () => {
  expect(routeOf(calendarPath("12", "share"))).toEqual({ screen: "share", id: "12" });
  expect(printAddress(calendarPath("12"), { month: "2027-03", event: "" })).toBe(
    "/calendars/12?month=2027-03",
  );
});
