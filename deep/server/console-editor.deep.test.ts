import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Locator } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { de } from "../../apps/console/src/texts/de.js";
import type { TestAccount, TestServer } from "../../apps/server/test/harness.js";
import { type WatchedPage, withoutBrowser } from "./browser.js";
import { startConsole } from "./console-world.js";

// Forms of the console that are opened a second time, sent by Enter or half typed, and what is clicked beside them.

describe.skipIf(withoutBrowser !== "")(`forms of the console${withoutBrowser}`, () => {
  let world: Awaited<ReturnType<typeof startConsole>> | undefined;
  let server: TestServer;
  let owner: TestAccount;
  let made: WatchedPage;
  let calendar: { readonly id: string };

  beforeAll(async () => {
    world = await startConsole();
    ({ server, owner, made } = world);
    calendar = (await owner.call("createCalendar", { title: "Verein", timezone: "Europe/Berlin" })).body
      .calendar;
  });
  afterAll(() => world?.stop());

  const button = (name: string): Locator => made.page.getByRole("button", { name, exact: true });
  const field = (name: string): Locator => made.page.getByLabel(name, { exact: true });
  const dialog = (name: string): Locator => made.page.getByRole("dialog", { name, exact: true });
  const said = (text: string): Locator => made.page.getByRole("status").getByText(text);
  const row = (title: string): Locator =>
    made.page.getByRole("main").getByRole("button", { name: new RegExp(title) });
  const open = (query: string): Promise<unknown> =>
    made.page.goto(`${server.url}/console/calendars/${calendar.id}?${query}`);
  const add = async (title: string, start_date: string, more: object = {}): Promise<string> =>
    (await owner.call("eventsCreate", { calendar_id: calendar.id, title, start_date, ...more })).body.event
      .id;
  const eventsOf = async (q: string): Promise<readonly Record<string, unknown>[]> =>
    (await owner.get("eventsList", { calendar_id: calendar.id, q, order_by: "date-asc" })).body.events;

  test("a date that was left out stays left out when the series is opened again", async () => {
    const { page } = made;
    const rule = { title: "Probe", start_date: "2027-12-17T19:00", rrule: "FREQ=WEEKLY;COUNT=4" };
    await owner.call("eventsSeriesCreate", { calendar_id: calendar.id, ...rule });
    await open("day=2027-12-17&view=agenda");
    const openSeries = async (): Promise<void> => {
      await row("Probe").first().click();
      await button(de.series.change).click();
      await page.locator(".repeat details.more summary").first().click();
    };
    const saveAll = async (count: number): Promise<void> => {
      await button(de.save).click();
      await page.getByRole("button", { name: de.series.scope.all(count) }).click();
      await said(de.series.savedMany(count)).last().waitFor();
      await dialog(de.event.edit).waitFor({ state: "detached" });
    };
    await openSeries();
    await page.getByLabel("Fr., 24. Dez. 2027").uncheck();
    await saveAll(3);
    await openSeries();
    expect(await page.getByLabel("Fr., 24. Dez. 2027").isChecked()).toBe(false);
    await page.getByLabel("Fr., 31. Dez. 2027").uncheck();
    await saveAll(2);
    const dates = (await eventsOf("Probe")).map(({ start_date }) => start_date);
    expect(dates).toEqual(["2027-12-17T19:00", "2028-01-07T19:00"]);
  });

  test("an event that is found and opened again has what was saved", async () => {
    const { page } = made;
    await add("Flohmarkt", "2027-11-06T10:00");
    await page.goto(`${server.url}/console/`);
    const find = async (title: string): Promise<void> => {
      await page.getByRole("link", { name: de.nav.search, exact: true }).click();
      await field(de.search.query).fill(title);
      await button(de.search.find).click();
      await row(title).click();
    };
    await find("Flohmarkt");
    await field(de.event.title).fill("Großer Markt");
    await button(de.save).click();
    await said(de.event.saved("Großer Markt")).waitFor();
    await find("Großer Markt");
    expect(await field(de.event.title).inputValue()).toBe("Großer Markt");
    await field(de.event.title).fill("Kleiner Markt");
    await button(de.save).click();
    await said(de.event.saved("Kleiner Markt")).waitFor();
  });

  test("an event that is opened before its list is read again has what was saved", async () => {
    const { page } = made;
    await add("Lesung", "2027-10-06T10:00");
    await open("day=2027-10-06&view=agenda");
    await row("Lesung").click();
    await field(de.event.title).fill("Lesung im Garten");
    let goOn = (): void => undefined;
    const held = new Promise<void>((resolve) => (goOn = resolve));
    await page.route(/\/events\/list\//, async (route) => {
      await held;
      await route.continue();
    });
    await button(de.save).click();
    await said(de.event.saved("Lesung im Garten")).waitFor();
    await row("Lesung").click();
    const title = await field(de.event.title).inputValue();
    goOn();
    await page.unrouteAll({ behavior: "wait" });
    expect(title).toBe("Lesung im Garten");
  });

  test("Enter in a field of a dialog over the form saves no form", async () => {
    const { page } = made;
    const id = await add("Sommerfest", "2027-06-05T15:00");
    await open(`day=2027-06-05&view=agenda&event=${id}`);
    await button(de.event.cancelOrRemove).click();
    await page.getByLabel(de.event.cancelWhy).fill("Halle gesperrt.");
    await page.keyboard.press("Enter");
    await button(de.event.cancel).click({ timeout: 5_000 });
    await said(de.event.cancelled("Sommerfest")).waitFor();
    expect(await eventsOf("Sommerfest")).toMatchObject([{ updated_times: 1, status: "cancelled" }]);
    await row("Sommerfest").click();
    await button(`${de.event.duplicate} …`).click();
    await field(`${de.event.onDates} 1`).press("Enter");
    await button(de.event.duplicate).click({ timeout: 5_000 });
    await said(de.event.duplicated(1)).waitFor();
    expect((await eventsOf("Sommerfest")).map(({ updated_times }) => updated_times)).toEqual([1, 0]);
  });

  test("a file that was corrected can be chosen again", async () => {
    const { page } = made;
    const folder = await mkdtemp(join(tmpdir(), "kalends-"));
    const file = join(folder, "a.csv");
    const cdp = await page.context().newCDPSession(page);
    // As the window of the system does it: a test's own setInputFiles says "change" even where a browser does not.
    const choose = async (): Promise<void> => {
      const opened = page.waitForEvent("filechooser");
      await field(de.import.file).click();
      await opened;
      const expression = "document.querySelector('main input[type=file]')";
      const { objectId } = (await cdp.send("Runtime.evaluate", { expression })).result;
      await cdp.send("DOM.setFileInputFiles", { files: [file], ...(objectId && { objectId }) });
    };
    await page.goto(`${server.url}/console/calendars/${calendar.id}/import`);
    await writeFile(file, "Titel;Datum;Uhrzeit\nTanz;31.02.2027;19:00");
    await choose();
    await page.getByText(de.import.row(2, de.import.noDate)).waitFor({ timeout: 5_000 });
    await writeFile(file, "Titel;Datum;Uhrzeit\nTanz;28.02.2027;19:00");
    await choose();
    await page.getByText(/Tanz · Sonntag, 28\. Februar 2027/).waitFor({ timeout: 5_000 });
    await rm(folder, { recursive: true });
  });

  test("a year of six digits is no time of a draft", async () => {
    const { page } = made;
    const id = await add("Entwurf", "2027-05-05T10:00", { published: "false" });
    await open(`day=2027-05-05&view=agenda&event=${id}`);
    await field(de.draft.label).selectOption("at");
    await field(de.draft.at).fill("2027-04-01T10:00");
    await field(de.draft.at).press("Tab"); // from the day to the month
    await page.keyboard.press("Tab");
    await page.keyboard.type("202719");
    await field(de.event.title).fill("Entwurf 2");
    expect(await field(de.draft.at).inputValue()).toMatch(/^\d{4}-04-01T/);
    await button(de.close).click();
    await button(de.event.leave.discard).click();
  });

  test("a series without an interval and without a last day is no date in words", async () => {
    const { page } = made;
    await open("new=2027-08-04&day=2027-08-04");
    await field(de.event.title).fill("Kurs");
    await field(de.series.repeat).selectOption("WEEKLY");
    await field(de.series.ends).selectOption("until");
    await field(de.series.howMany.WEEKLY).fill("");
    await field(de.series.until).fill("");
    await button(de.save).click();
    await page.locator(".error").first().waitFor({ timeout: 5_000 });
    expect(await field(de.event.title).inputValue()).toBe("Kurs");
    await button(de.close).click();
    await button(de.event.leave.discard).click();
  });

  test("a calendar is restored from the trash before the calendars are loaded", async () => {
    const { page } = made;
    const { id } = (await owner.call("createCalendar", { title: "Alter Chor", timezone: "Europe/Berlin" }))
      .body.calendar;
    await owner.call("calendarsDelete", { calendar_id: id });
    let goOn = (): void => undefined;
    const held = new Promise<void>((resolve) => (goOn = resolve));
    await page.route(/\/calendars(?:\/list|\?|$)/, async (route) => {
      if (route.request().resourceType() === "fetch") await held;
      await route.continue();
    });
    await page.goto(`${server.url}/console/trash`);
    await page
      .getByRole("listitem")
      .filter({ hasText: "Alter Chor" })
      .getByRole("button", { name: de.trash.restore })
      .click();
    await said(de.trash.restored("Alter Chor")).waitFor({ timeout: 5_000 });
    goOn();
    await page.unrouteAll({ behavior: "wait" });
  });

  test("undo of publishing many gives a draft its time again", async () => {
    const publish_at = "2027-08-01T09:00:00Z";
    await add("Geplant", "2027-09-05T10:00", { published: "false", publish_at });
    await add("Ungeplant", "2027-09-06T10:00", { published: "false" });
    const drafts = async (): Promise<unknown> => {
      const query = { calendar_id: calendar.id, from: "2027-09-01", to: "2027-09-30", published: "false" };
      return (await owner.get("eventsList", { ...query, order_by: "date-asc" })).body.events;
    };
    await open("day=2027-09-05&view=agenda");
    await button(de.many.select).click();
    await field(de.many.all("September 2027")).check();
    await button(de.many.change).click();
    await field(de.many.what).selectOption("publish");
    await button(de.many.doIt(2)).click();
    await said(de.many.did(2)).waitFor();
    await button(de.undo).click();
    await said(de.undone).waitFor();
    expect(await drafts()).toMatchObject([
      { published: false, publish_at },
      { published: false, publish_at: "" },
    ]);
  });

  test("the link to the content moves the focus there", async () => {
    const { page } = made;
    await page.goto(`${server.url}/console/trash`);
    await page.getByRole("link", { name: de.skip }).press("Enter");
    await expect.poll(() => page.evaluate("document.activeElement.id")).toBe("main");
    expect(new URL(page.url()).hash).toBe("");
  });

  describe("a day of the next month, in the month before it", () => {
    const day = (date: string): Locator => made.page.locator(`td[data-day="${date}"]`);
    const title = "Aprilscherz";
    beforeAll(() => add(title, "2027-04-01T19:00"));
    beforeEach(async () => {
      await open("day=2027-03-10&view=month");
      await day("2027-04-01").locator(".chip").waitFor();
    });

    test("opens its event by a click", async () => {
      await day("2027-04-01").locator(".chip").click();
      await dialog(de.event.edit).waitFor({ timeout: 5_000 });
    });

    test("begins an event on it by a double click", async () => {
      await day("2027-04-01").dblclick({ position: { x: 60, y: 8 } });
      await dialog(de.event.add).waitFor({ timeout: 5_000 });
      expect(await field(de.event.date(de.event.start)).inputValue()).toBe("2027-04-01");
    });

    test("turns the month by one click", async () => {
      await day("2027-04-01").click({ position: { x: 60, y: 8 } });
      await day("2027-04-15").waitFor();
      expect(await day("2027-04-01").getAttribute("aria-selected")).toBe("true");
    });

    test("gives its event to the day that it is dragged to", async () => {
      const { page } = made;
      await page.locator(".month-grid.draggable").waitFor();
      await day("2027-04-01").locator(".chip").hover();
      const { x = 0, y = 0, width = 0 } = (await day("2027-04-02").boundingBox()) ?? {};
      await page.mouse.down();
      await page.mouse.move(x + width / 2, y + 10, { steps: 5 }); // where it was before the press
      await page.mouse.up();
      await button(de.save).click({ timeout: 5_000 });
      await said(de.event.saved(title)).waitFor();
      expect(await eventsOf(title)).toMatchObject([{ start_date: "2027-04-02T19:00" }]);
    });
  });
});
