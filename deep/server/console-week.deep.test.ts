import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { de } from "../../apps/console/src/texts/de.js";
import { addFollower } from "../../apps/server/test/calls.js";
import type { TestAccount, TestServer } from "../../apps/server/test/harness.js";
import { ownerGrant } from "../../apps/server/test/people.js";
import { openPage, violations, type WatchedPage, withoutBrowser } from "./browser.js";
import { signIn, startConsole } from "./console-world.js";

// The week and the dragging of events in the console, with a pointer, with keys, and on a phone.

let world: Awaited<ReturnType<typeof startConsole>> | undefined;
let server: TestServer;
let owner: TestAccount;
let made: WatchedPage;
let calendarId: string;

beforeAll(async () => {
  if (withoutBrowser !== "") return;
  world = await startConsole();
  ({ server, owner, made } = world);
  await made.page.setViewportSize({ width: 1280, height: 1400 });
  calendarId = await create("Proben");
  await add("Orchesterprobe", "2027-03-02T19:00", "2027-03-02T21:00");
  await add("Probentag", "2027-03-05", "2027-03-05", { all_day_event: "true" });
  const chor = { calendar_id: calendarId, title: "Chor", rrule: "FREQ=WEEKLY;COUNT=4" };
  await owner.call("eventsSeriesCreate", {
    ...chor,
    start_date: "2027-03-03T18:00",
    end_date: "2027-03-03T19:30",
  });
});
afterAll(() => world?.stop());

const create = async (title: string): Promise<string> =>
  (await owner.call("createCalendar", { title, timezone: "Europe/Berlin" })).body.calendar.id;
const add = async (title: string, start_date: string, end_date: string, more = {}): Promise<void> => {
  await owner.call("eventsCreate", { calendar_id: calendarId, title, start_date, end_date, ...more });
};
const button = (name: string): Locator => made.page.getByRole("button", { name, exact: true });
const said = (text: string): Locator => made.page.getByRole("status").getByText(text);
const addressOf = (view: string, day: string): string =>
  `${server.url}/console/calendars/${calendarId}?day=${day}&view=${view}`;
const shown = (title: string, page: Page = made.page): Locator =>
  page.locator("[data-event]", { hasText: title }).first();
/** Shows a month or a week whose events can be dragged. */
const open = async (view: string, day: string): Promise<void> => {
  await made.page.goto(addressOf(view, day));
  await made.page.locator(".draggable").waitFor();
  await shown("Orchesterprobe").waitFor();
};
const timesOf = async (title: string): Promise<readonly string[]> => {
  const { events } = (await owner.get("eventsList", { calendar_id: calendarId, order_by: "date-asc" })).body;
  const own = events.filter((event: Record<string, string>) => event["title"] === title);
  return own.map((event: Record<string, string>) => `${event["start_date"]} ${event["end_date"]}`);
};

const boxOf = async (at: Locator) => {
  await at.scrollIntoViewIfNeeded();
  const box = await at.boundingBox();
  if (box === null) throw new Error("It is not shown.");
  return box;
};
/** Presses an event in its middle. The button stays down. */
const press = async (title: string): Promise<void> => {
  const { x, y, width, height } = await boxOf(shown(title));
  await made.page.mouse.move(x + width / 2, y + height / 2);
  await made.page.mouse.down();
};
/** Presses an event, at its lower edge or in it, and moves the pointer by days and down by hours. The button stays down. */
const drag = async (title: string, grip: "middle" | "edge", days = 0, down = 0): Promise<void> => {
  const { mouse } = made.page;
  const { x, y, width, height } = await boxOf(shown(title));
  const hours = await made.page.locator("[data-hours]").first().boundingBox();
  const from = { x: x + width / 2, y: grip === "edge" ? y + height - 3 : y + height / 2 };
  await mouse.move(from.x, from.y);
  await mouse.down();
  await mouse.move(from.x + days * (hours?.width ?? 0), from.y + (down / 24) * (hours?.height ?? 0), {
    steps: 6,
  });
};

test.skipIf(withoutBrowser !== "")(
  `an event that is dragged in the month is stored after what followers will see, and undo takes it back${withoutBrowser}`,
  async () => {
    const { page } = made;
    await addFollower(server, owner, calendarId, { calendar_type: "google" });
    await open("month", "2027-03-02");
    await press("Orchesterprobe");
    const target = await boxOf(page.locator('[data-day="2027-03-11"]'));
    await page.mouse.move(target.x + 20, target.y + 20, { steps: 6 });
    expect(await page.locator(".drag-line").innerText()).toMatch(/11\. März, 19:00–21:00/);
    await page.mouse.up();
    const dialog = page.getByRole("dialog");
    await dialog.getByText(de.drag.was("Dienstag, 2. März 2027, 19:00–21:00 Uhr")).waitFor();
    await dialog.getByText("Donnerstag, 11. März 2027, 19:00–21:00 Uhr").waitFor();
    await dialog.getByText(de.drag.followed(1)).waitFor();
    expect(await violations(page)).toEqual([]);
    expect(await timesOf("Orchesterprobe")).toEqual(["2027-03-02T19:00 2027-03-02T21:00"]);
    await button(de.save).click();
    await said("Orchesterprobe").waitFor();
    expect(await timesOf("Orchesterprobe")).toEqual(["2027-03-11T19:00 2027-03-11T21:00"]);
    await button(de.undo).click();
    await said(de.undone).waitFor();
    expect(await timesOf("Orchesterprobe")).toEqual(["2027-03-02T19:00 2027-03-02T21:00"]);
  },
);

test.skipIf(withoutBrowser !== "")(
  `Escape puts a dragged event back, while it is dragged and when it is asked about${withoutBrowser}`,
  async () => {
    const { page } = made;
    await open("week", "2027-03-02");
    await drag("Orchesterprobe", "middle", 1, -3);
    expect(await page.locator(".drag-mark").count()).toBe(1);
    await page.keyboard.press("Escape");
    expect(await page.locator(".drag-mark, .drag-line, [data-drop]").count()).toBe(0);
    await page.mouse.up();
    expect(await page.getByRole("dialog").count()).toBe(0);
    await drag("Orchesterprobe", "middle", 1, -3);
    await page.mouse.up();
    await page.getByRole("dialog").getByText(de.drag.move("Orchesterprobe")).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    expect(await timesOf("Orchesterprobe")).toEqual(["2027-03-02T19:00 2027-03-02T21:00"]);
  },
);

test.skipIf(withoutBrowser !== "")(
  `the week lengthens an event by its edge, moves it by its middle, and lengthens whole days to the side${withoutBrowser}`,
  async () => {
    const { page } = made;
    await open("week", "2027-03-02");
    await drag("Orchesterprobe", "edge", 0, 1.25);
    await page.mouse.up();
    await page.getByRole("dialog").getByText(de.drag.end("Orchesterprobe")).waitFor();
    await button(de.save).click();
    await said("Orchesterprobe").waitFor();
    expect(await timesOf("Orchesterprobe")).toEqual(["2027-03-02T19:00 2027-03-02T22:15"]);
    await drag("Orchesterprobe", "middle", 2, -3.5);
    await page.mouse.up();
    await button(de.save).click();
    await expect.poll(() => timesOf("Orchesterprobe")).toEqual(["2027-03-04T15:30 2027-03-04T18:45"]);
    const whole = await boxOf(shown("Probentag"));
    await page.mouse.move(whole.x + whole.width - 3, whole.y + 8);
    await page.mouse.down();
    await page.mouse.move(whole.x + whole.width * 2.5, whole.y + 8, { steps: 6 });
    await page.mouse.up();
    await page.getByRole("dialog").getByText(de.drag.end("Probentag")).waitFor();
    await button(de.save).click();
    await said("Probentag").waitFor();
    expect(await timesOf("Probentag")).toEqual(["2027-03-05T00:00 2027-03-07T00:00"]);
  },
);

test.skipIf(withoutBrowser !== "")(
  `a dragged date of a series asks which dates are meant, and the rest stays${withoutBrowser}`,
  async () => {
    const { page } = made;
    await open("week", "2027-03-04");
    await drag("Chor", "middle", 1, 0.5);
    await page.mouse.up();
    await page.getByText(de.event.publishes).waitFor(); // beside the answers, so that one press stores it
    await page.getByRole("button", { name: de.series.scope.this("Mittwoch, 3. März 2027") }).click();
    await said(de.series.savedMany(1)).waitFor();
    const rest = ["10", "17", "24"].map((day) => `2027-03-${day}T18:00 2027-03-${day}T19:30`);
    expect(await timesOf("Chor")).toEqual(["2027-03-04T18:30 2027-03-04T20:00", ...rest]);
    await button(de.undo).click();
    await said(de.undone).waitFor();
    expect(await timesOf("Chor")).toEqual(["2027-03-03T18:00 2027-03-03T19:30", ...rest]);
  },
);

test.skipIf(withoutBrowser !== "")(
  `a click into an empty hour begins an event there, and keys reach every event of the week${withoutBrowser}`,
  async () => {
    const { page } = made;
    await open("week", "2027-03-01");
    expect(await violations(page)).toEqual([]);
    const monday = page.locator('[data-hours][data-day="2027-03-01"]');
    const { height } = await boxOf(monday);
    await monday.click({ position: { x: 20, y: (height / 24) * 16.6 } });
    await expect
      .poll(() => page.getByLabel(de.event.time(de.event.start), { exact: true }).inputValue())
      .toBe("16:30");
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await page.getByRole("button", { name: de.calendar.newEventOn("Montag, 1. März 2027") }).focus();
    const focus = (): Promise<string> => page.evaluate("document.activeElement.textContent");
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowDown");
    expect(await focus()).toContain("Chor");
    await page.keyboard.press("ArrowRight");
    expect(await focus()).toContain("Orchesterprobe");
    await page.keyboard.press("ArrowRight");
    expect(await focus()).toContain("Probentag");
    await page.keyboard.press("PageDown");
    await page.getByRole("group", { name: "8.–14. März 2027" }).waitFor();
    expect(page.url()).toContain("day=2027-03-12&view=week");
    await page.goto(addressOf("month", "2027-03-28"));
    await button(de.week.week).click();
    await page.getByText(de.week.clockChange).waitFor(); // from two to three it is never, on the Sunday
    expect(page.url()).toContain("day=2027-03-28&view=week");
  },
);

test.skipIf(withoutBrowser !== "")(
  `a new event from all calendars asks for its calendar, and leads back to them${withoutBrowser}`,
  async () => {
    const { page } = made;
    const all = `${server.url}/console/month?day=2027-03-08&view=month`;
    await page.goto(all);
    await button(de.calendar.newEvent).first().click(); // with one calendar there is nothing to ask
    await page.waitForURL(`**/calendars/${calendarId}?**`);
    await page.getByLabel(de.event.title, { exact: true }).waitFor();
    await page.keyboard.press("Escape");
    await page.waitForURL("**/month?**");
    await create("Konzerte");
    await page.goto(all);
    await page.getByText(de.overview.chosen(2, 2)).waitFor();
    await button(de.calendar.newEvent).first().click();
    await page.getByRole("dialog").getByText(de.adding.which).waitFor();
    expect(await violations(page)).toEqual([]);
    await button("Konzerte").click();
    await page.getByLabel(de.event.title, { exact: true }).fill("Premiere");
    await button(de.save).click();
    await said("Premiere").waitFor();
    await page.waitForURL("**/month?**");
    await shown("Premiere").waitFor();
  },
);

test.skipIf(withoutBrowser !== "")(
  `a phone shows three days that fit and can be read, and drags nothing${withoutBrowser}`,
  async () => {
    if (world === undefined) return;
    const options = {
      locale: "de-DE",
      bypassCSP: true,
      viewport: { width: 360, height: 740 },
      hasTouch: true,
    };
    const phone = await openPage(world.browser, server.url, { ...options, isMobile: true });
    const { page } = phone;
    await signIn(page, server, owner.id);
    await page.goto(addressOf("week", "2027-03-03"));
    await page.getByRole("group", { name: "3.–5. März 2027" }).waitFor();
    await shown("Chor", page).waitFor();
    expect(await page.locator("[data-hours]").count()).toBe(3);
    expect(await page.locator(".draggable").count()).toBe(0);
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(360);
    const cut = `[...document.querySelectorAll(".week-event .chip-title")].filter((each) => each.scrollWidth > each.clientWidth + 1 && each.clientWidth > 0).length`;
    expect(await page.evaluate(cut)).toBe(0);
    expect(await violations(page)).toEqual([]);
    await page.getByRole("button", { name: de.week.later("6.–8. März 2027") }).click();
    await page.getByRole("group", { name: "6.–8. März 2027" }).waitFor();
    expect(phone.faults).toEqual([]);
    await phone.close();
  },
);

test.skipIf(withoutBrowser !== "")(
  `someone who only looks sees the week, and can neither drag nor add${withoutBrowser}`,
  async () => {
    if (world === undefined) return;
    const looks = await openPage(world.browser, server.url, { locale: "de-DE" });
    await signIn(looks.page, server, owner.id, [{ ...ownerGrant, role: "viewer" }]);
    await looks.page.goto(addressOf("week", "2027-03-03"));
    await shown("Chor", looks.page).waitFor();
    await looks.page.waitForLoadState("networkidle");
    expect(await looks.page.locator(".draggable, .week-add, .addable").count()).toBe(0);
    expect(looks.faults).toEqual([]);
    await looks.close();
  },
);
