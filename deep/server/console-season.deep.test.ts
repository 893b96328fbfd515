import type { Locator } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { de } from "../../apps/console/src/texts/de.js";
import type { TestAccount, TestServer } from "../../apps/server/test/harness.js";
import { violations, type WatchedPage, withoutBrowser } from "./browser.js";
import { startConsole } from "./console-world.js";

// A season of rehearsals in the console: holidays, cancellations, the trash and the history of a series.

let world: Awaited<ReturnType<typeof startConsole>> | undefined;
let server: TestServer;
let owner: TestAccount;
let made: WatchedPage;
let calendarId: string;

beforeAll(async () => {
  if (withoutBrowser !== "") return;
  world = await startConsole();
  ({ server, owner, made } = world);
  const create = async (title: string): Promise<string> =>
    (await owner.call("createCalendar", { title, timezone: "Europe/Berlin" })).body.calendar.id;
  calendarId = await create("Proben");
  const holidays = await create("Schulferien");
  await owner.call("eventsCreate", {
    calendar_id: holidays,
    title: "Weihnachtsferien",
    start_date: "2027-12-20",
    end_date: "2028-01-07",
    all_day_event: "true",
  });
});
afterAll(() => world?.stop());

const button = (name: string): Locator => made.page.getByRole("button", { name, exact: true });
const field = (name: string): Locator => made.page.getByLabel(name, { exact: true });
const said = (text: string): Locator => made.page.getByRole("status").getByText(text);
const open = (query: string): Promise<unknown> =>
  made.page.goto(`${server.url}/console/calendars/${calendarId}?${query}`);
const eventsOf = async (): Promise<readonly Record<string, string>[]> =>
  (await owner.get("eventsList", { calendar_id: calendarId, order_by: "date-asc" })).body.events;
const daysOf = async (): Promise<readonly string[]> =>
  (await eventsOf()).map(({ start_date = "" }) => start_date.slice(0, 10));

test.skipIf(withoutBrowser !== "")(
  `a series leaves out what falls into the holidays, and one of them is put back later${withoutBrowser}`,
  async () => {
    const { page } = made;
    await open("new=2027-12-07&day=2027-12-07");
    await field(de.event.title).fill("Orchesterprobe");
    await field(de.series.repeat).selectOption("WEEKLY");
    await field(de.series.count).fill("7");
    await page.getByText(de.series.leaveOut).click();
    await field(de.series.outHolidays).selectOption({ label: "Schulferien" });
    await page.getByText(de.series.leftOut(3), { exact: true }).first().waitFor();
    expect(await violations(page)).toEqual([]);
    await button(de.save).click();
    await said(de.series.addedMany(4)).waitFor();
    const term = ["2027-12-07", "2027-12-14", "2028-01-11", "2028-01-18"];
    expect(await daysOf()).toEqual(term);
    const [first] = await eventsOf();
    await open(`day=2027-12-07&event=${first?.["id"]}`);
    await button(de.series.change).click();
    await page.locator("details").getByText(de.series.leftOut(3)).click();
    await page.getByRole("checkbox", { name: /4\. Jan\. 2028/ }).check();
    await field(de.series.ends).selectOption("never"); // the list stays open while other dates are read
    await page.getByRole("checkbox", { name: /4\. Jan\. 2028/ }).waitFor();
    await field(de.series.ends).selectOption("count");
    await button(de.save).click();
    await page.getByRole("button", { name: de.series.scope.all(5) }).click();
    await said(de.series.savedMany(5)).waitFor();
    expect(await daysOf()).toEqual([...term.slice(0, 2), "2028-01-04", ...term.slice(2)]);
  },
);

test.skipIf(withoutBrowser !== "")(
  `this date and the later ones are cancelled with a sentence, and undo takes it back${withoutBrowser}`,
  async () => {
    const { page } = made;
    const before = await eventsOf();
    await open(`day=2028-01-11&event=${before[3]?.["id"]}`);
    await button(de.event.cancelOrRemove).click();
    await field(de.series.which).selectOption("following");
    await page.getByLabel(de.event.cancelWhy).fill("Halle gesperrt");
    await button(de.event.cancel).click();
    await said(de.series.savedMany(2)).waitFor();
    const states = async () => (await eventsOf()).map(({ status, description }) => [status, description]);
    const [open1, closed] = [
      ["confirmed", ""],
      ["cancelled", "Abgesagt: Halle gesperrt"],
    ];
    expect(await states()).toEqual([open1, open1, open1, closed, closed]);
    await button(de.undo).click();
    await said(de.undone).waitFor();
    expect(await states()).toEqual(Array(5).fill(open1));
  },
);

test.skipIf(withoutBrowser !== "")(
  `an end before the start is asked about when the night would be long${withoutBrowser}`,
  async () => {
    await open("new=2028-02-05&day=2028-02-05");
    await field(de.event.title).fill("Konzert");
    await field(de.event.time(de.event.start)).fill("19:00");
    await field(de.event.time(de.event.end)).fill("17:30");
    await button(de.save).click();
    await made.page.getByText(/22,5 Stunden/).waitFor();
    await button(de.cancel).click();
    await field(de.event.time(de.event.end)).fill("21:30");
    await button(de.save).click();
    await said("Konzert").waitFor();
  },
);

test.skipIf(withoutBrowser !== "")(
  `a series that is deleted is one row of the trash and one entry of the history, and all of it comes back${withoutBrowser}`,
  async () => {
    const { page } = made;
    await page.addInitScript("requestAnimationFrame = () => 0"); // a busy machine draws late
    const [first] = await eventsOf();
    await open(`day=2027-12-07&event=${first?.["id"]}`);
    await button(de.event.cancelOrRemove).click();
    await button(de.event.remove).click();
    await page.getByRole("button", { name: de.series.scope.all(5) }).click();
    await said(de.series.removedMany(5)).waitFor();
    await page.waitForLoadState("networkidle");
    expect(made.faults).toEqual([]); // what is gone is not asked for again
    await page.goto(`${server.url}/console/calendars/${calendarId}/history`);
    const entry = page.getByRole("listitem").filter({ hasText: de.history.actions.deleted });
    await entry.getByText(/5 Termine ab Dienstag, 7\. Dezember 2027/).waitFor();
    expect(await entry.count()).toBe(1);
    await page.goto(`${server.url}/console/trash`);
    await page.getByText(/5 Termine ab Dienstag, 7\. Dezember 2027/).waitFor();
    expect(await button(de.trash.restore).count()).toBe(1);
    await button(de.trash.restore).click();
    await page.getByText(de.trash.empty).waitFor();
    expect((await daysOf()).length).toBe(6);
  },
);

test.skipIf(withoutBrowser !== "")(
  `on a phone what was saved or imported is on the screen, and the next event is one that takes place${withoutBrowser}`,
  async () => {
    const { page } = made;
    const today = new Date().toISOString().slice(0, 10);
    const late = { calendar_id: calendarId, title: "Ausgefallen", status: "cancelled" };
    await owner.call("eventsCreate", { ...late, start_date: `${today}T23:58`, end_date: `${today}T23:59` });
    await page.goto(`${server.url}/console/`);
    const card = page.getByRole("listitem").filter({ hasText: "Proben" });
    await card.getByText("Orchesterprobe").waitFor();
    await page.setViewportSize({ width: 360, height: 740 });
    await open("day=2027-12-07&view=agenda");
    await page.getByText("Orchesterprobe").first().waitFor();
    const isSeen = (text: Locator): Promise<boolean> =>
      text.evaluate((element) => {
        const { x, y, width, height } = element.getBoundingClientRect();
        return element.contains(document.elementFromPoint(x + width / 2, y + height / 2));
      });
    await button(de.calendar.newEvent).first().click();
    await field(de.event.title).fill("Adventssingen");
    await page.getByLabel(de.event.date(de.event.start)).fill("2027-12-30");
    await button(de.save).click();
    await said("Adventssingen").waitFor();
    await expect.poll(() => isSeen(page.locator(".agenda").getByText("Adventssingen"))).toBe(true);
    await page.goto(`${server.url}/console/calendars/${calendarId}/import`);
    const rows = Array.from(
      { length: 30 },
      (_none, at) => `Übung ${at}\t2028-03-${String(at + 1).padStart(2, "0")}`,
    );
    await field(de.import.paste).fill(["Titel\tDatum", ...rows].join("\n"));
    await button(de.import.look).click();
    await button(de.import.button(30)).click();
    await expect.poll(() => isSeen(page.getByRole("link", { name: de.import.see }))).toBe(true);
  },
);
