import { readFileSync } from "node:fs";
import { mkdtemp, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Locator } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { de } from "../../apps/console/src/texts/de.js";
import { es } from "../../apps/console/src/texts/es.js";
import { fr } from "../../apps/console/src/texts/fr.js";
import { addFollower } from "../../apps/server/test/calls.js";
import { newPerson } from "../../apps/server/test/people.js";
import { publishDueDrafts } from "../../apps/server/src/events/publish-job.js";
import { consoleManifest } from "../../apps/server/src/public/views/static-files.js";
import { startTestServer, type TestAccount, type TestServer } from "../../apps/server/test/harness.js";
import { type PostgresServer, startPostgres } from "../../apps/server/test/postgres.js";
import { launchBrowser, openPage, violations, type WatchedPage, withoutBrowser } from "./browser.js";
import { signIn } from "./console-world.js";

// What organizers do in the console, in a real browser: on each database, on a desktop and on a phone. Nothing may be written to the
// console of the browser, violate the policy, or be requested from elsewhere.

const isPostgresOff = process.env["KALENDS_TEST_POSTGRES"] === "off";
const desktop = { viewport: { width: 1280, height: 860 } };
const phone = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true };
/** Each database and each width; what a screen looks like does not depend on the database. */
const places = [
  ["SQLite", 1280, desktop],
  ["PostgreSQL", 360, phone],
] as const;

let browser: Browser;
let postgres: PostgresServer | undefined;
beforeAll(async () => {
  if (withoutBrowser !== "") return;
  browser = await launchBrowser();
  if (!isPostgresOff) postgres = await startPostgres();
});
afterAll(async () => {
  await browser?.close();
  await postgres?.remove();
});

const isSkipped = (database: string): boolean =>
  withoutBrowser !== "" || (isPostgresOff && database === "PostgreSQL");

describe.each(places.filter(([database]) => !isSkipped(database)))(
  "on %s at %i px",
  (database, _width, options) => {
    let server: TestServer;
    let owner: TestAccount;
    let made: WatchedPage;
    let calendar: { readonly id: string; readonly uniquekey: string };

    beforeAll(async () => {
      const settings = database === "SQLite" ? {} : { DATABASE_URL: `${postgres?.url}/postgres` };
      server = await startTestServer(settings);
      owner = await server.account();
      made = await openPage(browser, server.url, { locale: "de-DE", timezoneId: "Asia/Tokyo", ...options });
      await signIn(made.page, server, owner.id);
      await made.page.getByText(de.calendars.empty).waitFor();
      const created = await owner.call("createCalendar", { title: "Konzerte", timezone: "Europe/Berlin" });
      calendar = created.body.calendar;
    });
    afterAll(async () => {
      expect(made.faults).toEqual([]);
      await made.close();
      await server.stop();
    });

    // What fails in one test leaves the others their session.
    beforeEach(async () => {
      if ((await made.page.context().cookies()).length === 0) await signIn(made.page, server, owner.id);
    });

    const button = (name: string): Locator => made.page.getByRole("button", { name, exact: true });
    const field = (name: string): Locator => made.page.getByLabel(name, { exact: true });
    const dialog = (name: string): Locator => made.page.getByRole("dialog", { name, exact: true });
    const said = (text: string): Locator => made.page.getByRole("status").getByText(text);
    const open = (query: string): Promise<unknown> =>
      made.page.goto(`${server.url}/console/calendars/${calendar.id}?${query}`);
    const eventsOf = async (): Promise<readonly Record<string, string>[]> =>
      (await owner.get("eventsList", { calendar_id: calendar.id, order_by: "date-asc" })).body.events;
    const feed = async (): Promise<string> =>
      (await server.request(`/c/${calendar.uniquekey}/calendar.ics`)).text.replaceAll("\r\n ", "");
    const add = (
      title: string,
      start_date: string,
    ): Promise<{ readonly body: { event: { id: string; uid: string } } }> =>
      owner.call("eventsCreate", { calendar_id: calendar.id, title, start_date, timezone: "Europe/Berlin" });

    test("first calendar, first event, the link to follow: with the keyboard alone, in the zone of the calendar", async () => {
      const { page } = made;
      await page.goto(`${server.url}/console/`);
      await button(de.calendars.add).focus();
      await page.keyboard.press("Enter");
      await page.keyboard.type("Theater"); // the first field has the focus
      await field(de.calendars.zone).selectOption("Europe/Berlin");
      await button(de.calendars.create).press("Enter");
      await page.getByRole("heading", { name: "Theater", level: 1 }).waitFor();
      await button(de.calendar.newEvent).first().press("Enter");
      await field(de.event.title).waitFor();
      await page.keyboard.type("Premiere");
      await field(de.event.date(de.event.start)).fill("2027-03-05");
      const shown = page.getByText(/Freitag, 5\. März 2027.*19:00.*20:00.*Zeit in Berlin/);
      await shown.waitFor();
      await button(de.save).press("Enter");
      await said("Premiere").waitFor();
      await page.getByRole("link", { name: de.calendar.tabs.share, exact: true }).press("Enter");
      const link = await field(de.share.link).inputValue();
      expect(link).toMatch(new RegExp(`^${server.url}/c/\\w+$`));
      const follow = await server.request(new URL(link).pathname);
      expect(follow.text).toContain("Premiere");
      const ics = (await server.request(`${new URL(link).pathname}/calendar.ics`)).text;
      expect(ics).toContain("DTSTART:20270305T180000Z");
    });

    test("what is typed is kept over Escape and a reload, and gone once it is saved", async () => {
      const { page } = made;
      await open("new=2027-03-10&day=2027-03-10");
      await field(de.event.title).fill("Halb getippt");
      await field(de.event.date(de.event.start)).focus();
      await page.keyboard.type("05012027"); // the field is empty after a zero
      expect(await field(de.event.date(de.event.end)).inputValue()).toBe(
        await field(de.event.date(de.event.start)).inputValue(),
      );
      await page.keyboard.press("Escape");
      await dialog(de.event.leave.title).waitFor();
      await button(de.event.leave.stay).click();
      await page.reload();
      await page.getByText(de.event.draft).waitFor();
      expect(await field(de.event.title).inputValue()).toBe("Halb getippt");
      await button(de.save).click();
      await said("Halb getippt").waitFor();
      const drafts = await page.evaluate<string[]>("Object.keys(sessionStorage)");
      expect(drafts.filter((draft) => !draft.includes(" import "))).toEqual([]); // what another test has pasted
      await button(de.undo).dblclick(); // the second click finds nothing to undo
      await said(de.undone).waitFor();
      expect(await eventsOf()).toEqual([]);
    });

    test("a session that ends while someone types: signing in over the form saves once", async () => {
      const { page } = made;
      await open("new=2027-03-11&day=2027-03-11");
      await field(de.event.title).fill("Nur einmal");
      await page.context().clearCookies();
      await button(de.save).dispatchEvent("click"); // a read may have opened the sign-in over it
      const { link } = await newPerson(server, owner.id);
      await field(de.signIn.link).fill(link);
      await button(de.signIn.button).click();
      await said("Nur einmal").waitFor();
      expect((await eventsOf()).map(({ title }) => title)).toEqual(["Nur einmal"]);
      // The browser itself writes that a request was refused.
      expect(made.faults.splice(0).join()).toMatch(
        /^(?:,?console: Failed to load resource: [^,]*401[^,]*)+$/,
      );
    });

    test("a sign-in to another account takes nothing of this one, over the page or in a second tab", async () => {
      const { page } = made;
      const other = await server.account();
      await other.call("accountUpdate", { name: "Anderer Verein" });
      const profileOf = async (account: TestAccount) => (await account.get("accountDetails")).body.account;
      const [mine, theirs] = [await profileOf(owner), await profileOf(other)];
      const isOther = page.getByText(de.join.other(theirs.name, mine.name));
      const signInTo = async (account: TestAccount): Promise<void> => {
        const { link } = await newPerson(server, account.id);
        await field(de.signIn.link).fill(link);
        await button(de.signIn.button).click();
      };
      await page.goto(`${server.url}/console/profile`);
      await page.getByLabel(de.profile.website).fill("https://eins.example");
      await page.context().clearCookies();
      await button(de.save).dispatchEvent("click"); // a read may have opened the sign-in over it
      await signInTo(other);
      await isOther.waitFor();
      expect(await violations(page)).toEqual([]);
      expect(await profileOf(other)).toEqual(theirs);
      await signInTo(owner);
      await said(de.profile.saved).waitFor();
      expect((await profileOf(owner)).website).toBe("https://eins.example");

      await page.getByLabel(de.profile.website).fill("https://zwei.example");
      const second = await page.context().newPage();
      await signIn(second, server, other.id);
      await second.close();
      await isOther.waitFor();
      await button(de.join.goOn(theirs.name)).click();
      await page.getByText(de.calendars.empty).waitFor();
      await page.goto(`${server.url}/console/profile`);
      expect(await page.getByLabel(de.profile.website).inputValue()).toBe("");
      expect(await profileOf(other)).toEqual(theirs);
      await signIn(page, server, owner.id);
      await page.goto(`${server.url}/console/profile`);
      expect(await page.getByLabel(de.profile.website).inputValue()).toBe("https://zwei.example");
      await page.evaluate("sessionStorage.clear()");
      expect(made.faults.splice(0).join()).toMatch(
        /^(?:,?console: Failed to load resource: [^,]*401[^,]*)+$/,
      );
    });

    test("one of a series moves alone, and a title for all leaves it where it is", async () => {
      const { page } = made;
      await open("new=2027-04-06&day=2027-04-06");
      await field(de.event.title).fill("Probe");
      await field(de.series.repeat).selectOption("WEEKLY");
      await page.getByText(/^10 Termine:/).waitFor();
      await button(de.save).click();
      await said(de.series.addedMany(10)).waitFor();
      await open("day=2027-04-20&view=agenda");
      await page.getByRole("heading", { name: "Dienstag, 20. April 2027" }).waitFor();
      const third = page.locator("section", { hasText: "20. April" }).getByRole("button");
      await third.click();
      await field(de.event.date(de.event.start)).fill("2027-04-22");
      await page.getByText(/Donnerstag, 22. April 2027/).waitFor();
      expect(await page.getByText(/Jede Woche am Donnerstag/).count()).toBe(0); // it is of the series, on Tuesdays
      await button(de.save).click();
      await button(de.series.scope.this("Dienstag, 20. April 2027")).click();
      await said(de.series.savedMany(1)).waitFor();
      await page.locator("section", { hasText: "27. April" }).getByRole("button").click();
      await field(de.event.title).fill("Generalprobe");
      await page.getByText(de.event.more).click();
      await field(de.pictures.url).fill("ftp://probe");
      await button(de.save).click();
      await page.locator(".error").getByText(de.errors.url).waitFor();
      await expect.poll(() => page.evaluate("document.activeElement.value")).toBe("ftp://probe");
      await page.getByRole("alert").getByText(de.errors.form).waitFor();
      expect(made.faults.splice(0).join()).toMatch(
        /^(?:,?console: Failed to load resource: [^,]*400[^,]*)+$/,
      );
      await field(de.pictures.url).fill("");
      await button(de.save).click();
      await button(de.series.scope.all(10)).click();
      await said(de.series.savedMany(10)).waitFor();
      const series = (await eventsOf()).filter(({ title }) => title === "Generalprobe");
      expect(series.length).toBe(10);
      expect(JSON.stringify(series.slice(2, 4))).toMatch(/22.*27/);
    });

    test("what is deleted is in the trash though the tab closes, and comes back with its page", async () => {
      const { page } = made;
      const { event } = (await add("Flohmarkt", "2027-05-05T10:00")).body;
      await open(`day=2027-05-05&view=agenda&event=${event.id}`);
      await button(de.event.cancelOrRemove).click();
      await button(de.event.remove).click();
      await said(de.event.removed("Flohmarkt")).waitFor();
      await page.goto("about:blank");
      const address = `/c/${calendar.uniquekey}/e/${event.uid}`;
      expect((await server.request(address)).status).toBe(410);
      await page.goto(`${server.url}/console/trash`);
      const row = page.getByRole("listitem").filter({ hasText: "Flohmarkt" });
      await row.getByText("Mittwoch, 5. Mai 2027").waitFor();
      await row.getByRole("button", { name: de.trash.restore }).click();
      await said(de.trash.restored("Flohmarkt")).waitFor();
      expect((await server.request(address)).status).toBe(200);
      expect(await feed()).toContain(event.uid);
    });

    test("a cancelled event says so everywhere, and may take place after all", async () => {
      const { page } = made;
      const { event } = (await add("Sommerfest", "2027-06-05T15:00")).body;
      await open(`day=2027-06-05&view=agenda&event=${event.id}`);
      await button(de.event.cancelOrRemove).click();
      await button(de.event.cancel).click();
      await said(de.event.cancelled("Sommerfest")).waitFor();
      expect(await feed()).toMatch(/SUMMARY:Sommerfest[^]*?STATUS:CANCELLED/);
      const row = page.getByRole("button", { name: /Sommerfest/ });
      await expect.poll(() => row.innerText()).toContain(de.calendar.status.cancelled);
      await row.click();
      await button(de.event.cancelOrRemove).click();
      await button(de.event.revive).click();
      await said(de.event.revived("Sommerfest")).waitFor();
      expect(await feed()).not.toContain("STATUS:CANCELLED");
    });

    test("the month is one tab stop, and keys reach each day, over its end too", async () => {
      const { page } = made;
      await open("day=2027-05-31&view=month");
      const grid = page.getByRole("grid");
      await grid.waitFor();
      expect(await grid.locator("[tabindex='0']").count()).toBe(1);
      const cell = (name: string): Locator => page.getByRole("gridcell", { name, exact: true });
      await cell(de.calendar.cell("Montag, 31. Mai 2027", 0)).focus();
      for (const [key, day, count] of [
        ["ArrowRight", "Dienstag, 1. Juni 2027", 1],
        ["ArrowDown", "Dienstag, 8. Juni 2027", 1],
        ["Home", "Montag, 7. Juni 2027", 0],
        ["End", "Sonntag, 13. Juni 2027", 0],
        ["PageUp", "Donnerstag, 13. Mai 2027", 0],
      ] as const) {
        await page.keyboard.press(key);
        await expect
          .poll(() => page.evaluate("document.activeElement.querySelector('.unseen')?.textContent"))
          .toBe(de.calendar.cell(day, count));
      }
      await page.keyboard.press("Enter");
      await dialog(de.event.add).waitFor();
      await page.keyboard.press("Escape");
      await dialog(de.event.add).waitFor({ state: "detached" });
      await expect
        .poll(() => page.evaluate("document.activeElement.getAttribute('data-day')"))
        .toBe("2027-05-13");
    });

    test("a table of Excel is shown as sentences, asked about, and imported once", async () => {
      const { page } = made;
      await page.goto(`${server.url}/console/calendars/${calendar.id}/import`);
      for (const [name, text, words] of [
        ["a.xlsx", "PK\u0003\u0004\0xl/workbook.xml", de.import.workbook],
        ["a.csv", "", de.import.empty],
      ] as const) {
        const chosen = { name, mimeType: "text/csv", buffer: Buffer.from(text) };
        await field(de.import.file).setInputFiles(chosen);
        await page.getByRole("alert").getByText(words).waitFor();
      }
      await field(de.import.paste).fill("Titel;Datum;Uhrzeit\nFrühling;03/04/2027;19:00\n;04/04/2027;19:00");
      await page.getByText(de.import.row(3, de.import.noTitle)).waitFor();
      await page.getByLabel(de.import.dayFirst).check();
      await page.getByText(/Frühling · Samstag, 3\. April 2027/).waitFor();
      await button(de.import.look).click();
      await button(de.import.button(1)).click();
      await said(de.import.done(de.import.counts.created(1))).waitFor();
      await field(de.import.paste).fill("Titel;Datum;Uhrzeit\nFrühling;03.04.2027;19:00");
      await button(de.import.look).click();
      await page.getByText(de.import.nothing).waitFor();
    });

    test("a file of German Excel in Windows-1252 has its umlauts and its dates, and undo takes all of it away", async () => {
      const { page } = made;
      const days = Array.from(
        { length: 40 },
        (_, day) => `Übung ${day};${(day % 28) + 1}.11.2028;19:30;Süd;`,
      );
      const table = ["Titel;Datum;Beginn;Ort;Beschreibung", "Ohne Datum;;19:30;;", ...days].join("\r\n");
      await page.goto(`${server.url}/console/calendars/${calendar.id}/import`);
      await field(de.import.file).setInputFiles({
        name: "Termine.csv",
        mimeType: "text/csv",
        buffer: Buffer.from(table, "latin1"),
      });
      await page.getByText(de.import.row(2, de.import.noDate)).waitFor();
      await page.getByText(/Übung 0 · Mittwoch, 1\. November 2028.*19:30/).waitFor();
      await button(de.import.look).click();
      await button(de.import.button(40)).click();
      await said(de.import.done(de.import.counts.created(40))).waitFor();
      const exercises = async (): Promise<readonly Record<string, string>[]> =>
        (await eventsOf()).filter(({ location }) => location === "Süd");
      expect((await exercises()).length).toBe(40);
      await button(de.undo).click();
      await said(de.undone).waitFor();
      expect(await exercises()).toEqual([]);
    });

    test("a calendar file of 300 events is imported once, without those that look like what is there", async () => {
      const { page } = made;
      await add("Probe im Saal", "2030-01-02T19:00");
      const events = Array.from({ length: 300 }, (_, index) => {
        const day = `2030${String(1 + (index % 12)).padStart(2, "0")}${String(1 + (index % 28)).padStart(2, "0")}`;
        const title = index === 0 ? "Fest" : `Fest ${index}`;
        return `BEGIN:VEVENT\r\nUID:fest-${index}\r\nDTSTART:${day}T170000Z\r\nSUMMARY:${title}\r\nEND:VEVENT`;
      });
      const twin =
        "BEGIN:VEVENT\r\nUID:twin\r\nDTSTART:20300102T180000Z\r\nSUMMARY:Probe im Saal\r\nEND:VEVENT";
      const file = ["BEGIN:VCALENDAR", "VERSION:2.0", ...events, twin, "END:VCALENDAR", ""].join("\r\n");
      const choose = async (): Promise<void> => {
        await page.goto(`${server.url}/console/calendars/${calendar.id}/import`);
        const chosen = { name: "feste.ics", mimeType: "text/calendar", buffer: Buffer.from(file) };
        await field(de.import.file).setInputFiles(chosen);
      };
      await choose();
      await page.getByRole("group", { name: de.import.alike(1) }).waitFor();
      expect(await page.getByRole("checkbox", { name: /Probe im Saal/ }).isChecked()).toBe(false);
      await button(de.import.button(300)).click();
      await said(de.import.done(de.import.counts.created(300))).waitFor();
      await button(de.undo).waitFor();
      await choose();
      await page.getByText(de.import.would(de.import.counts.unchanged(300))).waitFor();
    });

    test("followers are counted by app, and are a table", async () => {
      const { page } = made;
      for (const calendar_type of ["google", "apple", "google"])
        await addFollower(server, owner, calendar.id, { calendar_type, name: "\u202etxet" });
      await page.goto(`${server.url}/console/calendars/${calendar.id}/followers`);
      await expect
        .poll(() => page.getByLabel(de.followers.apps, { exact: true }).innerText())
        .toMatch(/Google Calendar\s+2\s+Apple[^\d]*1/);
      await expect.poll(() => page.locator(".figures dd").allInnerTexts()).toEqual(["3", "3", "0"]);
      await page.getByText(de.followers.asTable).click();
      expect(await page.getByRole("row").nth(1).locator("td").allInnerTexts()).toEqual(["3", "0", "3"]);
      const row = page.getByRole("listitem").filter({ hasText: "txet" }).first();
      const [name, badge] = [
        await row.locator("bdi").boundingBox(),
        await row.locator(".badge").boundingBox(),
      ];
      expect(badge?.x).toBeGreaterThanOrEqual((name?.x ?? 0) + (name?.width ?? 0)); // a name turns no word beside it
      const saving = page.waitForEvent("download");
      await button(de.followers.exportCsv).click();
      expect(readFileSync(await (await saving).path(), "utf8").split("\r\n").length).toBe(5);
    });

    test("this date and the later ones move to another weekday; none is lost, and none is there twice", async () => {
      const { page } = made;
      const series = { title: "Kurs", start_date: "2027-09-06T18:00", end_date: "2027-09-06T19:00" };
      await owner.call("eventsSeriesCreate", {
        calendar_id: calendar.id,
        ...series,
        rrule: "FREQ=WEEKLY;COUNT=10",
      });
      const course = async (): Promise<readonly Record<string, string>[]> =>
        (await eventsOf()).filter(({ title }) => title === "Kurs");
      const before = await course();
      await open("day=2027-09-27&view=agenda");
      await page.locator("section", { hasText: "27. September" }).getByRole("button").click();
      await field(de.event.date(de.event.start)).fill("2027-09-29");
      await button(de.save).click();
      await button(de.series.scope.following("Montag, 27. September 2027", 6)).click();
      await said(de.series.savedMany(7)).waitFor();
      const days = (await course()).map((event) => event["start_date"]?.slice(0, 10));
      const mondays = ["2027-09-06", "2027-09-13", "2027-09-20"];
      const wednesdays = [
        "2027-09-29",
        "2027-10-06",
        "2027-10-13",
        "2027-10-20",
        "2027-10-27",
        "2027-11-03",
        "2027-11-10",
      ];
      expect(days).toEqual([...mondays, ...wednesdays]);
      await button(de.undo).click();
      await said(de.undone).waitFor();
      const wasAt = (events: readonly Record<string, string>[]) =>
        events.map(({ uid, start_date, end_date }) => ({ uid, start_date, end_date }));
      expect(wasAt(await course())).toEqual(wasAt(before));
    });

    test("a series is read in words; another rule says what it does before, and undo brings each event back", async () => {
      const { page } = made;
      const yoga = { title: "Yoga", start_date: "2028-01-03T18:00", end_date: "2028-01-03T19:00" };
      const rule = { rrule: "FREQ=WEEKLY;COUNT=6", location: "Halle" };
      const { event_ids } = (
        await owner.call("eventsSeriesCreate", { calendar_id: calendar.id, ...yoga, ...rule })
      ).body;
      await owner.call("eventsUpdate", { event_id: event_ids[2], location: "Garten" });
      const classes = async (): Promise<readonly Record<string, string>[]> =>
        (await eventsOf()).filter(({ title }) => title === "Yoga");
      const before = await classes();
      await open(`day=2028-01-03&view=agenda&event=${event_ids[0]}`);
      await page.getByText("Jede Woche am Montag.", { exact: true }).waitFor();
      await page.getByText(de.series.counted(6, 6)).waitFor();
      await page.getByText(de.series.changedAlone(1)).waitFor();
      await button(de.series.change).click();
      await page.getByLabel("Donnerstag", { exact: true }).check();
      await page.getByText(/Mo\., 3\. Jan\.\s· Do\., 6\. Jan\.\s· Mo\., 10\. Jan\./).waitFor();
      await field(de.event.place).fill("Saal");
      await button(de.save).click();
      const all = page.getByRole("button", { name: de.series.scope.all(6) });
      expect(await all.innerText()).toContain(de.series.effect(3, 3, 3));
      await all.click();
      await said(de.series.savedMany(6)).waitFor();
      expect(new Set((await classes()).map(({ location }) => location))).toEqual(new Set(["Saal"]));
      await button(de.undo).click();
      await said(de.undone).waitFor();
      const shown = (events: readonly Record<string, string>[]) =>
        events.map(({ uid, start_date, location }) => ({ uid, start_date, location }));
      expect(shown(await classes())).toEqual(shown(before));
    });

    test("a time that the clock change skips is named before the save", async () => {
      const { page } = made;
      await open("new=2027-03-21&day=2027-03-21");
      await field(de.event.title).fill("Nachtwache");
      await field(de.event.time(de.event.start)).fill("02:30");
      await field(de.series.repeat).selectOption("WEEKLY");
      await field(de.series.count).fill("2");
      await page
        .getByText(
          /28\. März 2027.* 2:30.*28\. März 2027.* 3:30|28\. März 2027.*02:30.*28\. März 2027.*03:30/,
        )
        .waitFor();
      await button(de.save).click();
      await said(de.series.addedMany(2)).waitFor();
      const starts = (await eventsOf()).filter(({ title }) => title === "Nachtwache");
      expect(starts.map((event) => event["start_date"])).toEqual(["2027-03-21T02:30", "2027-03-28T03:30"]);
      await open("new=2027-03-28&day=2027-03-28");
      await field(de.event.time(de.event.start)).fill("02:30");
      await page.locator(".published", { hasText: /28\. März 2027.* 0?3:30,/ }).waitFor();
      await button(de.close).first().click();
      await button(de.event.leave.discard).click();
    });

    test("a series ends on a day, with times and of whole days; what is missing has the focus until it is typed", async () => {
      const { page } = made;
      for (const title of ["Mit Zeiten", "Ganze Tage"]) {
        await open("new=2027-02-02&day=2027-02-02");
        await field(de.event.title).fill(title);
        if (title === "Ganze Tage") await field(de.event.allDay).check();
        await field(de.series.repeat).selectOption("DAILY");
        await field(de.series.ends).selectOption("until");
        await field(de.series.until).fill("");
        await button(de.save).click();
        await expect.poll(() => page.evaluate("document.activeElement.type")).toBe("date");
        await page.getByText(de.errors.required).waitFor();
        await field(de.series.until).fill("2027-02-04");
        expect(await page.getByText(de.errors.required).count()).toBe(0);
        await page.getByText(`Jeden Tag, ${de.series.untilDay("Donnerstag, 4. Februar 2027")}`).waitFor();
        await page.getByText(/^3 Termine:/).waitFor();
        await button(de.save).click();
        await said(de.series.addedMany(3)).waitFor();
      }
      const starts = (await eventsOf()).filter(({ title }) => title === "Ganze Tage");
      const dates = starts.map(({ start_date = "" }) => start_date.slice(0, 10));
      expect(dates).toEqual(["2027-02-02", "2027-02-03", "2027-02-04"]);
      await open("new=2027-02-02&day=2027-02-02");
      await field(de.event.title).fill("Zu oft");
      await field(de.series.repeat).selectOption("DAILY");
      await field(de.series.count).fill("100000");
      await button(de.save).click();
      await expect.poll(() => page.evaluate("document.activeElement.value")).toBe("100000");
      await page.locator(".error").getByText(de.errors.range("366"), { exact: true }).waitFor();
      expect(await button(de.save).count()).toBe(1);
      expect(made.faults).toEqual([]); // nothing was sent
      await field(de.series.ends).selectOption("until");
      await field(de.series.until).fill("2028-12-31");
      await page.getByText(de.errors.too_many("366"), { exact: true }).waitFor();
      await button(de.save).click();
      await page.getByRole("alert").getByText(de.errors.form).waitFor();
      await expect.poll(() => page.evaluate("document.activeElement.value")).toBe("2028-12-31");
      await page.keyboard.press("Escape");
      await button(de.event.leave.discard).click();
      expect(made.faults.splice(0).join()).toMatch(
        /^(?:,?console: Failed to load resource: [^,]*400[^,]*)+$/,
      );
    });

    test("a weekly series begins on its first weekday, ends after midnight and leaves out what is unticked", async () => {
      const { page } = made;
      await open("new=2027-08-04&day=2027-08-04"); // a Wednesday
      await field(de.event.title).fill("Freitags");
      await field(de.series.repeat).selectOption("WEEKLY");
      for (const day of ["Freitag", "Mittwoch"]) await page.locator(".weekday", { has: field(day) }).click();
      expect(await field(de.event.date(de.event.start)).inputValue()).toBe("2027-08-06");
      await field(de.event.date(de.event.start)).fill("2027-08-05");
      await page.getByText(de.series.firstOn("Freitag, 6. August 2027")).waitFor();
      await field(de.event.time(de.event.start)).fill("22:00");
      await field(de.event.time(de.event.end)).fill("02:00");
      await page.getByText(/6\. August 2027.*22:00.*7\. August 2027.*0?2:00/).waitFor();
      await page.getByText(de.event.yourTime("07.08.2027, 05:00")).waitFor(); // the device is in Tokyo
      await field(de.event.date(de.event.end)).fill("9999-01-01");
      await button(de.save).click();
      await page.locator(".error").getByText(de.errors.years).waitFor();
      await field(de.event.date(de.event.end)).fill("2027-08-05");
      await page.getByText(de.series.leaveOut).click();
      await page.getByLabel("Fr., 13. Aug. 2027").uncheck();
      await page.getByText(/^9 Termine: Fr., 6\. Aug\.\s· Fr., 20\. Aug\./).waitFor();
      await button(de.save).click();
      await said(de.series.addedMany(9)).waitFor();
      const [first, second] = (await eventsOf()).filter(({ title }) => title === "Freitags");
      expect(first).toMatchObject({ start_date: "2027-08-06T22:00", end_date: "2027-08-07T02:00" });
      expect(second).toMatchObject({ start_date: "2027-08-20T22:00" });
    });

    test("two people change one event: both versions of what both changed, and nothing else is lost", async () => {
      const { event } = (await add("Lesung", "2027-10-05T19:00")).body;
      const shared = { title: "Lesung mit Musik", url: "https://musik.example/", reminder: "1440" };
      const other = { event_id: event.id, ...shared, location: "Aula", organizer: "Verein" };
      await open(`day=2027-10-05&view=agenda&event=${event.id}`);
      // 19:00 in Berlin is the next day in Tokyo, where this browser is.
      await made.page.getByText(new RegExp(`06\\.10\\.2027, 02:00${de.event.yourTime("")}`)).waitFor();
      await field(de.event.title).fill("Lesung am Abend");
      await field(de.event.text).fill("Eintritt frei");
      await made.page.getByText(de.event.more).click();
      await field(de.pictures.url).fill("https://lesung.example/");
      await field(de.event.reminder).selectOption("60");
      await owner.call("eventsUpdate", other);
      await button(de.save).click();
      const both = dialog(de.event.conflict.title);
      await both.getByText("Lesung mit Musik").waitFor();
      expect(await both.getByRole("group").count()).toBe(3);
      await both.getByRole("group", { name: de.pictures.url }).getByText(shared.url).click();
      await both
        .getByRole("group", { name: de.event.reminder })
        .getByText(de.event.reminders[1440])
        .waitFor();
      await both.getByRole("button", { name: de.event.conflict.save }).click();
      await said(de.event.saved("Lesung am Abend")).waitFor();
      const saved = (await eventsOf()).find(({ id }) => id === event.id);
      expect(saved).toMatchObject({
        title: "Lesung am Abend",
        description: "Eintritt frei",
        location: "Aula",
        organizer: "Verein",
        url: shared.url,
        reminder: "60",
      });
      expect(made.faults.splice(0).join()).toMatch(/^console: Failed to load resource: [^,]*412[^,]*$/);
    });

    test("what was typed over an older version asks whose version counts, or says that it is older", async () => {
      const { page } = made;
      const { event } = (await add("Ausflug", "2027-10-19T09:00")).body;
      const opened = `day=2027-10-19&view=agenda&event=${event.id}`;
      const isNow = async () => (await eventsOf()).find(({ id }) => id === event.id);
      await open(opened);
      await field(de.event.text).fill("Mit dem Bus");
      await page.goto(`${server.url}/console/calendars/${calendar.id}/settings`);
      const name = field(de.calendars.name);
      await name.fill("Meine Konzerte");
      await owner.call("eventsUpdate", {
        event_id: event.id,
        description: "Mit der Bahn",
        location: "Gleis 3",
      });
      await owner.call("calendarsUpdate", { calendar_id: calendar.id, title: "Alle Konzerte" });
      for (let time = 0; time < 2; time++) {
        await open(opened); // the second time it is a draft still, of the same older version
        await page.getByText(de.event.draft).waitFor();
      }
      expect(await field(de.event.text).inputValue()).toBe("Mit dem Bus");
      await button(de.save).click();
      const both = dialog(de.event.conflict.title);
      await both.getByText("Mit der Bahn").click();
      expect(await both.getByRole("group").count()).toBe(1);
      await both.getByRole("button", { name: de.event.conflict.save }).click();
      await said(de.event.saved("Ausflug")).waitFor();
      expect(await isNow()).toMatchObject({ description: "Mit der Bahn", location: "Gleis 3" });
      await page.goto(`${server.url}/console/calendars/${calendar.id}/settings`);
      await page.getByText(de.history.draft).waitFor();
      expect(await name.inputValue()).toBe("Meine Konzerte");
      expect(await violations(page)).toEqual([]);
      await button(de.event.dropDraft).click();
      expect(await name.inputValue()).toBe("Alle Konzerte");
      expect(await page.getByText(de.history.draft).count()).toBe(0);
      await owner.call("calendarsUpdate", { calendar_id: calendar.id, title: "Konzerte" });
      const drafts = await page.evaluate<string[]>("Object.keys(sessionStorage)");
      expect(drafts.filter((draft) => !draft.includes(" import "))).toEqual([]); // what another test has pasted
      expect(made.faults.splice(0).join()).toMatch(/^console: Failed to load resource: [^,]*412[^,]*$/);
    });

    test("an event that becomes a series keeps what another changed, and a refused rule changes nothing", async () => {
      const { page } = made;
      const { event } = (await add("Treffen", "2027-10-12T19:00")).body;
      const isNow = async (): Promise<unknown> => (await eventsOf()).find(({ id }) => id === event.id);
      await open(`day=2027-10-12&view=agenda&event=${event.id}`);
      await field(de.event.title).fill("Offenes Treffen");
      await field(de.series.repeat).selectOption("DAILY");
      await field(de.series.ends).selectOption("until");
      await field(de.series.until).fill("2029-12-31");
      await page.getByText(de.errors.too_many("366"), { exact: true }).waitFor();
      await button(de.save).click();
      await page.getByRole("alert").getByText(de.errors.form).waitFor();
      expect(await isNow()).toMatchObject({ title: "Treffen" });
      await owner.call("eventsUpdate", { event_id: event.id, location: "Saal" });
      await field(de.series.repeat).selectOption("WEEKLY");
      await field(de.series.ends).selectOption("count");
      await field(de.series.count).fill("3");
      await button(de.save).click();
      const both = dialog(de.event.conflict.title);
      await both.getByText(de.event.conflict.theirChanges(de.event.place)).waitFor();
      await both.getByRole("button", { name: de.event.conflict.save }).click();
      await said(de.series.addedMany(2)).waitFor();
      const dates = (await eventsOf()).filter(({ title }) => title === "Offenes Treffen");
      expect(dates.map(({ location }) => location)).toEqual(["Saal", "Saal", "Saal"]);
      expect(made.faults.splice(0).join()).toMatch(
        /^(?:,?console: Failed to load resource: [^,]*(?:400|412)[^,]*)+$/,
      );
    });

    test("what is longer than a list shows at first is there at the press of a button", async () => {
      const { page } = made;
      const long = (await owner.call("createCalendar", { title: "Andachten", timezone: "Europe/Berlin" }))
        .body;
      const { id } = long.calendar;
      for (const title of ["Abends", "Morgens"]) {
        const daily = { title, start_date: "2027-01-01T08:00", rrule: "FREQ=DAILY;COUNT=260" };
        const { event_ids: ids } = (await owner.call("eventsSeriesCreate", { calendar_id: id, ...daily }))
          .body;
        await owner.call("eventsSeriesDelete", { event_id: ids[0], scope: "all" });
      }
      await page.goto(`${server.url}/console/trash`);
      const evenings = page.getByRole("listitem").filter({ hasText: "Abends" });
      await evenings.getByText(/\b240 Termine ab /).waitFor();
      await button(de.showMore).click();
      await evenings.getByText(/\b260 Termine ab /).waitFor();
      await expect.poll(() => page.evaluate("document.activeElement.tagName")).toBe("LI");
      await expect.poll(() => button(de.showMore).count()).toBe(0);
      await page.goto(`${server.url}/console/calendars/${id}/history`);
      await expect.poll(() => page.getByRole("main").getByRole("listitem").count()).toBe(2);
      await button(de.showMore).click();
      await expect.poll(() => page.getByRole("main").getByRole("listitem").count()).toBe(4);
      await owner.call("calendarsDelete", { calendar_id: id });
      await owner.call("trashPurge", { calendar_id: id });
    });

    test("undo takes back no change of another: it is refused, and says so", async () => {
      const elsewhere = (id = "", location = "Hof"): Promise<unknown> =>
        owner.call("eventsUpdate", { event_id: id, location });
      const named = async (name: string): Promise<readonly Record<string, string>[]> =>
        (await eventsOf()).filter(({ title }) => title === name);
      const places = async (name: string) => (await named(name)).map(({ location }) => location);
      const undoIsRefused = async (): Promise<void> => {
        await button(de.undo).click();
        await said(de.history.notUndone).waitFor();
      };
      const kurs = { calendar_id: calendar.id, title: "Kurs", start_date: "2028-03-06T18:00" };
      const rule = { rrule: "FREQ=WEEKLY;COUNT=3", timezone: "Europe/Berlin" };
      const { event_ids: ids } = (await owner.call("eventsSeriesCreate", { ...kurs, ...rule })).body;
      const first = `day=2028-03-06&view=agenda&event=${ids[0]}`;
      await open(first);
      await field(de.event.title).fill("Kurs neu");
      await button(de.save).click();
      await button(de.series.scope.all(3)).click();
      await said(de.series.savedMany(3)).waitFor();
      await elsewhere(ids[1]);
      await undoIsRefused();
      expect(await places("Kurs neu")).toEqual(["", "Hof", ""]);
      await open(first);
      await field(de.event.place).fill("Saal");
      await button(de.save).click();
      await button(de.series.scope.this("Montag, 6. März 2028")).click();
      await said(de.series.savedMany(1)).waitFor();
      await elsewhere(ids[0], "Keller");
      await undoIsRefused();
      expect(await places("Kurs neu")).toEqual(["Keller", "Hof", ""]);
      await open(first);
      await button(de.event.cancelOrRemove).click();
      await button(de.event.cancel).click();
      await said(de.event.cancelled("Kurs neu")).waitFor();
      await owner.call("eventsUpdate", { event_id: ids[0], status: "tentative" });
      await undoIsRefused();
      expect((await named("Kurs neu"))[0]).toMatchObject({ status: "tentative" });

      const { event } = (await add("Einzeln", "2028-03-08T10:00")).body;
      await open(`day=2028-03-08&view=agenda&event=${event.id}`);
      await field(de.series.repeat).selectOption("WEEKLY");
      await field(de.series.count).fill("3");
      await button(de.save).click();
      await said(de.series.addedMany(2)).waitFor();
      await elsewhere((await named("Einzeln"))[2]?.["id"]);
      await undoIsRefused();
      expect(await places("Einzeln")).toEqual(["", "", "Hof"]);
      for (const count of ["1", "3"]) {
        const title = `Neu ${count}`;
        await open("new=2028-03-09&day=2028-03-09");
        await field(de.event.title).fill(title);
        if (count === "3") {
          await field(de.series.repeat).selectOption("WEEKLY");
          await field(de.series.count).fill(count);
        }
        await button(de.save).click();
        await button(de.undo).waitFor();
        await elsewhere((await named(title)).at(-1)?.["id"]);
        await undoIsRefused();
        expect((await places(title)).at(-1)).toBe("Hof");
      }
      // Where no one else did anything, undo of a part of a series goes as before.
      const later = { ...kurs, title: "Später", start_date: "2028-03-10T18:00" };
      const { event_ids: dates } = (await owner.call("eventsSeriesCreate", { ...later, ...rule })).body;
      await open(`day=2028-03-17&view=agenda&event=${dates[1]}`);
      await field(de.event.place).fill("Saal");
      await button(de.save).click();
      await button(de.series.scope.following("Freitag, 17. März 2028", 1)).click();
      await said(de.series.savedMany(2)).waitFor();
      expect(await places("Später")).toEqual(["", "Saal", "Saal"]);
      await button(de.undo).click();
      await said(de.undone).waitFor();
      expect(await places("Später")).toEqual(["", "", ""]);
      expect(made.faults.splice(0).join()).toMatch(
        /^(?:,?console: Failed to load resource: [^,]*412[^,]*)*$/,
      );
    });

    test("30 events move by a day at once, after the server has said that they can, and back", async () => {
      const { page } = made;
      let last = "";
      for (let day = 1; day <= 30; day++)
        last = (await add(`Messe ${day}`, `2031-06-${String(day).padStart(2, "0")}T10:00`)).body.event.id;
      const fairs = async (): Promise<readonly unknown[]> => {
        const query = { calendar_id: calendar.id, q: "Messe" };
        const { events } = (await owner.get("eventsList", { ...query, order_by: "date-asc" })).body;
        return events.map(({ title, start_date }: Record<string, string>) => [title, start_date]);
      };
      const before = await fairs();
      await open("day=2031-06-01&view=agenda");
      await button(de.many.select).click();
      await field(de.many.all("Juni 2031")).check();
      await page.getByText(de.many.selected(30)).waitFor();
      await button(de.many.change).click();
      await field(de.many.days).fill("1");
      await page.getByText(de.many.can(30)).waitFor();
      expect(await fairs()).toEqual(before);
      await button(de.many.doIt(30)).click();
      await said(de.many.did(30)).waitFor();
      expect((await fairs()).at(-1)).toEqual(["Messe 30", "2031-07-01T10:00"]);
      await button(de.undo).click();
      await said(de.undone).waitFor();
      expect(await fairs()).toEqual(before);
      // What differs between them is restored for each.
      await owner.call("eventsUpdate", { event_id: last, location: "Halle 9" });
      await page.reload();
      await button(de.many.select).click();
      await field(de.many.all("Juni 2031")).check();
      await button(de.many.change).click();
      await field(de.many.what).selectOption("location");
      await field(de.event.place).fill("Halle 1");
      await button(de.many.doIt(30)).click();
      await said(de.many.did(30)).waitFor();
      await button(de.undo).click();
      await said(de.undone).waitFor();
      const places = (await owner.get("eventsList", { calendar_id: calendar.id, q: "Messe" })).body.events;
      expect(
        places
          .map(({ location }: Record<string, string>) => location)
          .toSorted()
          .slice(-2),
      ).toEqual(["", "Halle 9"]);
    });

    test("a draft is nowhere but in the console and at its link, until it is published", async () => {
      const { page } = made;
      const counted = async (): Promise<string> => (await eventsOf()).length.toString();
      const before = await counted();
      await open("new=2027-11-09&day=2027-11-09");
      await field(de.event.title).fill("Geheimes Konzert");
      await field(de.draft.label).selectOption("at");
      await field(de.draft.at).fill("2027-11-01T09:00");
      await button(de.save).click();
      await said(de.draft.added("Geheimes Konzert")).waitFor();
      expect(await counted()).toBe(before);
      expect(await feed()).not.toContain("Geheimes");
      const { events } = (await owner.get("eventsList", { calendar_id: calendar.id, published: "false" }))
        .body;
      expect(events).toMatchObject([{ title: "Geheimes Konzert", publish_at: "2027-11-01T00:00:00Z" }]); // 9:00 in Tokyo
      await open("day=2027-11-09&view=agenda");
      const row = page.getByRole("button", { name: /Geheimes Konzert/ });
      await expect.poll(() => row.innerText()).toContain(de.draft.badge);
      await row.click();
      const link = new URL(
        String(await page.getByRole("link", { name: de.draft.preview }).getAttribute("href")),
      );
      expect((await server.request(link.pathname + link.search)).text).toContain("Geheimes Konzert");
      await field(de.draft.label).selectOption("true");
      await button(de.save).click();
      await said(de.event.saved("Geheimes Konzert")).waitFor();
      expect(await feed()).toContain("SUMMARY:Geheimes Konzert");
      await button(de.undo).click();
      await said(de.undone).waitFor();
      const nine = Date.parse("2027-11-01T09:00+09:00") / 1000;
      for (const [now, isShown] of [
        [nine - 1, false],
        [nine, true],
      ] as const) {
        await publishDueDrafts(server.db, () => now);
        expect((await feed()).includes("SUMMARY:Geheimes Konzert")).toBe(isShown);
      }
      await page.reload();
      await expect.poll(() => row.innerText()).not.toContain(de.draft.badge);
    });

    test("a series is prepared as drafts: one is published alone, the others together", async () => {
      const { page } = made;
      const drafts = async (): Promise<number> =>
        (await owner.get("eventsList", { calendar_id: calendar.id, q: "Zirkus", published: "false" })).body
          .events.length;
      await open("new=2032-03-02&day=2032-03-02");
      await field(de.event.title).fill("Zirkus");
      await field(de.draft.label).selectOption("false");
      await field(de.series.repeat).selectOption("WEEKLY");
      await field(de.series.count).fill("4");
      await button(de.save).click();
      await said(de.series.addedMany(4)).waitFor();
      expect(await drafts()).toBe(4);
      await open("day=2032-03-02&view=agenda");
      await page
        .getByRole("button", { name: /Zirkus/ })
        .first()
        .click();
      await field(de.draft.label).selectOption("true");
      await page.getByText(de.draft.alone).waitFor();
      await button(de.save).click();
      await said(de.event.saved("Zirkus")).waitFor();
      expect(await drafts()).toBe(3);
      // A change of the rest of the series is taken back with drafts among them.
      await page
        .getByRole("button", { name: /Zirkus/ })
        .last()
        .click();
      await field(de.event.place).fill("Zelt");
      await button(de.save).click();
      await button(de.series.scope.all(4)).click();
      await said(de.series.savedMany(4)).waitFor();
      await button(de.undo).click();
      await said(de.undone).waitFor();
      const found = (
        await owner.get("eventsList", { calendar_id: calendar.id, q: "Zelt", published: "false" })
      ).body.events;
      expect([await drafts(), found.length]).toEqual([3, 0]);
      await button(de.many.select).click();
      await field(de.many.all("März 2032")).check();
      await button(de.many.change).click();
      await field(de.many.what).selectOption("publish");
      await page.getByText(de.many.noUndo).waitFor();
    });

    test("a search finds events of all calendars, by words, status and category", async () => {
      const { page } = made;
      const other = (await owner.call("createCalendar", { title: "Kino", timezone: "Europe/Berlin" })).body
        .calendar;
      const film = {
        title: "Stummfilm",
        start_date: "2027-12-03T20:00",
        categories: "Film",
        location: "Münster",
      };
      await owner.call("eventsCreate", { calendar_id: other.id, ...film });
      await page.goto(`${server.url}/console/search?from=2027-99-99`); // no date, so it is left out
      await page.getByLabel(de.search.query, { exact: true }).and(page.locator(":focus")).waitFor();
      await page.keyboard.type("munster");
      await button(de.search.find).click();
      const row = page.getByRole("main").getByRole("button", { name: /Stummfilm.*3\. Dezember 2027 · Kino/ });
      await row.waitFor();
      await field(de.search.calendar).selectOption({ label: "Konzerte" });
      await button(de.search.find).click();
      await page.getByText(de.search.none).waitFor();
      await page.goBack();
      await row.click();
      await dialog(de.event.edit).waitFor();
      expect(await field(de.event.title).inputValue()).toBe("Stummfilm");
    });

    test("the month of all calendars names the calendar of each event, and leaves out those that are unticked", async () => {
      const { page } = made;
      await add("Adventskonzert", "2027-12-03T18:00");
      await page.goto(`${server.url}/console/`);
      await page.getByRole("link", { name: de.overview.link }).click();
      await page.getByRole("heading", { name: de.overview.title, level: 1 }).waitFor();
      await page.goto(`${server.url}/console/month?day=2027-12-03&view=agenda`);
      const rows = page.getByRole("region", { name: /3\. Dezember 2027/ }).getByRole("button");
      await expect.poll(() => rows.count()).toBe(2);
      await expect.poll(() => rows.nth(0).innerText()).toMatch(/18:00[^]*Adventskonzert[^]*Konzerte/);
      await expect.poll(() => rows.nth(1).innerText()).toMatch(/20:00[^]*Stummfilm[^]*Kino/);
      await page.locator(".which-calendars summary").click();
      await field("Konzerte").uncheck();
      await expect.poll(() => rows.count()).toBe(1);
      await page.reload();
      await rows.filter({ hasText: "Stummfilm" }).click();
      await dialog(de.event.edit).waitFor();
      await page.goBack();
      await expect.poll(() => rows.count()).toBe(1);
    });

    test("categories are renamed, coloured and joined; a new event begins as the calendar says", async () => {
      const { page } = made;
      const choir = (await owner.call("createCalendar", { title: "Chor", timezone: "Europe/Berlin" })).body
        .calendar;
      for (const [title, categories] of Object.entries({ Probe: "Alt", Auftritt: "Bass" }))
        await owner.call("eventsCreate", {
          calendar_id: choir.id,
          title,
          categories,
          start_date: "2027-12-03T20:00",
        });
      await owner.call("eventsCreate", {
        calendar_id: choir.id,
        title: "Reise",
        categories: "Alt",
        start_date: "2027-12-04T20:00",
        published: "false",
      });
      const names = async (): Promise<unknown> =>
        (await owner.get("categoriesList", { calendar_id: choir.id })).body.categories;
      await page.goto(`${server.url}/console/calendars/${choir.id}/settings`);
      await button(`${de.categories.edit}: Alt`).click();
      await dialog("Alt").getByLabel(de.categories.name).fill("Frauen");
      await button(de.categories.rename).click();
      await said(de.categories.renamed("Frauen")).waitFor();
      await button(`${de.categories.edit}: Frauen`).click();
      await page.getByRole("radio", { name: /\(2\)$/ }).click();
      await page.keyboard.press("ArrowRight"); // only looks at the next colour
      await dialog("Frauen").getByRole("button", { name: de.save }).click();
      await said(de.categories.colored(2)).waitFor();
      const colors = async (): Promise<unknown> => {
        const query = { calendar_id: choir.id, category: "Frauen" };
        const found = [{}, { published: "false" }].map((more) =>
          owner.get("eventsList", { ...query, ...more }),
        );
        return (await Promise.all(found)).flatMap(({ body }) =>
          body.events.map((event: { readonly color_id: string }) => event.color_id),
        );
      };
      expect(await colors()).toEqual(["3", "3"]);
      await button(de.undo).click();
      await said(de.undone).waitFor();
      expect(await colors()).toEqual(["", ""]);
      await button(`${de.categories.edit}: Frauen`).click();
      await field(de.categories.into).selectOption("Bass");
      await button(de.categories.merge).click();
      await said(de.categories.merged(2)).waitFor();
      expect(await names()).toEqual([{ name: "Bass", events_count: 2 }]);
      await field(de.defaults.length).fill("150");
      await field(de.event.place).fill("Gemeindehaus");
      await button(de.save).last().click();
      await said(de.defaults.saved).waitFor();
      await page.goto(`${server.url}/console/calendars/${choir.id}?new=2027-12-10`);
      await field(de.event.title).waitFor();
      expect(await field(de.event.place).inputValue()).toBe("Gemeindehaus");
      expect(await field(de.event.time(de.event.end)).inputValue()).toBe("21:30");
    });

    test("a synced file, a token and a webhook are added and removed", async () => {
      const { page } = made;
      await page.goto(`${server.url}/console/calendars/${calendar.id}/import`);
      await field(de.syncs.url).fill("javascript:alert(1)");
      await button(de.syncs.add).click();
      await page.getByText(de.errors.url).waitFor();
      expect(made.faults.splice(0).join()).toMatch(/^console: Failed to load resource: [^,]*400[^,]*$/);
      await field(de.syncs.url).fill("https://calendar.example/town.ics");
      await button(de.syncs.add).click();
      await said(de.syncs.added).waitFor();
      const [sync] = (await owner.get("syncsList", { calendar_id: calendar.id })).body.syncs;
      // As if the file had made an event that was imported above.
      await server.db.transaction((trx) =>
        trx("imported_events")
          .where({ import_uid: "fest-1" })
          .update({ sync_id: Number(sync.id) }),
      );
      await open("day=2030-02-02&view=agenda");
      const synced = page.getByRole("button").filter({ has: page.getByText("Fest 1", { exact: true }) });
      await expect.poll(() => synced.innerText()).toContain(de.syncs.badge);
      await synced.click();
      await page.getByText(de.syncs.note).waitFor();
      await server.db.transaction((trx) =>
        trx("calendar_syncs")
          .where({ id: Number(sync.id) })
          .update({ error: "The response was 404." }),
      );
      await page.goto(`${server.url}/console/calendars/${calendar.id}/import`);
      await page.getByText(de.syncs.errors.response).waitFor();
      await button(de.syncs.remove).click();
      await page.getByRole("dialog").getByRole("button", { name: de.syncs.remove }).click();
      await said(de.syncs.removed).waitFor();
      await page.goto(`${server.url}/console/programs`);
      await button(`${de.programs.create} …`).click();
      await field(de.programs.name).fill("Webseite");
      await button(de.programs.create).click();
      const secret = await page.getByRole("textbox", { name: de.programs.secret }).inputValue();
      expect(secret).toMatch(/^kal_/);
      await button(de.close).first().click();
      const row = page.getByRole("listitem").filter({ hasText: "Webseite" });
      await row.getByRole("button", { name: de.programs.revoke }).click();
      await page.getByRole("dialog").getByRole("button", { name: de.programs.revoke }).click();
      await said(de.programs.revoked).waitFor();
      await button(`${de.programs.add} …`).click();
      await field(de.programs.url).fill("https://intranet.example/hook");
      await button(de.programs.add).click();
      await page.getByRole("textbox", { name: de.programs.signing }).waitFor();
      await button(de.close).first().click();
      await button(de.programs.remove).click();
      await page.getByRole("dialog").getByRole("button", { name: de.programs.remove }).click();
      await said(de.programs.removed).waitFor();
    });

    test("a save whose answer never comes, or is a proxy's error, is kept, and retried makes one event", async () => {
      const { page } = made;
      for (const [title, status] of [
        ["Nur eines", 0],
        ["Nur dieses", 502],
      ] as const) {
        await open("new=2027-11-20&day=2027-11-20");
        await field(de.event.title).fill(title);
        await page.route("**/events/create/", async (route) => {
          await route.fetch(); // the server has it
          await (status === 0 ? route.abort("connectionreset") : route.fulfill({ status }));
        });
        await button(de.save).click();
        await page.getByText(de.event.notSaved).waitFor();
        await page.unroute("**/events/create/");
        await button(de.retry).click();
        await said(title).waitFor();
        const found = (await owner.get("eventsList", { calendar_id: calendar.id, q: title })).body.events;
        expect([title, found.length]).toEqual([title, 1]);
      }
      expect(made.faults.splice(0).join()).toMatch(
        /^(?:,?console: Failed to load resource: (?:net::ERR_[A-Z_]+|[^,]*502)[^,]*)+$/,
      );
    });

    test("an open page has all its parts, so that a newer release takes none of them away", async () => {
      const { page } = made;
      await open("day=2027-11-21&view=agenda");
      const loadedFiles = `new Set(performance.getEntriesByType("resource")
        .map(({ name }) => name).filter((name) => name.includes("/console/assets/"))).size`;
      const otherLanguages = 3;
      await expect
        .poll(() => page.evaluate(loadedFiles))
        .toBe((consoleManifest?.files.length ?? 0) - otherLanguages);
      await page.route("**/console/assets/*", (route) => route.fulfill({ status: 404 }));
      for (const name of [de.calendar.tabs.share, de.calendar.tabs.settings, de.nav.search, de.nav.trash]) {
        await page.getByRole("link", { name, exact: true }).click();
        await expect.poll(() => page.locator(".loading").count()).toBe(0);
        expect(await page.getByText(de.newVersion).count()).toBe(0);
      }
      await page.unroute("**/console/assets/*");
    });

    test("where a part could not be loaded, the page says so, and what was typed is offered again", async () => {
      const { page } = made;
      await page.route(/followers\.\w+\.js/, (route) => route.fulfill({ status: 404 }));
      await open("new=2027-11-21&day=2027-11-21");
      await field(de.event.title).fill("Vor dem Update");
      await page.evaluate(`document.querySelector('.tabs a[href$="/followers"]').click()`);
      await page.getByText(de.newVersion).waitFor();
      await page.unroute(/followers\.\w+\.js/);
      await button(de.reload).click();
      await page.getByLabel(de.followers.apps, { exact: true }).waitFor();
      await page.goBack();
      await page.getByText(de.event.draft).waitFor();
      expect(await field(de.event.title).inputValue()).toBe("Vor dem Update");
      await button(de.event.dropDraft).click();
      expect(made.faults.splice(0).join()).toMatch(
        /^(?:,?console: Failed to load resource: [^,]*404[^,]*)+$/,
      );
    });

    test("the history says who changed what, and an event becomes what it was", async () => {
      const { page } = made;
      const { event } = (await add("Basar", "2027-12-11T10:00")).body;
      await open(`day=2027-12-11&view=agenda&event=${event.id}`);
      await field(de.event.title).fill("Weihnachtsbasar");
      await button(de.save).click();
      await said(de.event.saved("Weihnachtsbasar")).waitFor();
      await open(`day=2027-12-11&view=agenda&event=${event.id}`);
      await dialog(de.event.edit).getByRole("link", { name: de.calendar.tabs.history }).click();
      const changed = page.getByRole("listitem").filter({ hasText: de.history.actions.changed });
      expect(await changed.innerText()).toMatch(/Titel: Basar → Weihnachtsbasar[^]*Ada/);
      await page.getByRole("listitem").getByRole("button", { name: de.history.revert }).click();
      await page.getByRole("dialog").getByRole("button", { name: de.history.revert }).click();
      await said(de.history.reverted("Basar")).waitFor();
      expect(await feed()).toContain("SUMMARY:Basar\r\n");
      await button(de.undo).click();
      await said(de.undone).waitFor();
      expect(await feed()).toContain("SUMMARY:Weihnachtsbasar\r\n");
      await owner.call("eventsUpdate", { event_id: event.id, location: "Pfarrheim" }); // the list does not have it
      await page.getByRole("button", { name: de.history.revert }).last().click();
      await page.getByRole("dialog").getByRole("button", { name: de.history.revert }).click();
      await page.getByRole("alert").getByText(de.errors.changed).waitFor();
      expect((await eventsOf()).find(({ id }) => id === event.id)).toMatchObject({ location: "Pfarrheim" });
      await page.getByText("Pfarrheim").waitFor();
      await page.getByRole("button", { name: de.history.revert }).last().click();
      await page.getByRole("dialog").getByRole("button", { name: de.history.revert }).click();
      await said(de.history.reverted("Basar")).waitFor();
      await button(de.undo).click();
      await said(de.undone).waitFor();
      const isNow = (await eventsOf()).find(({ id }) => id === event.id);
      expect(isNow).toMatchObject({ title: "Weihnachtsbasar", location: "Pfarrheim" });
    });

    test("someone who is invited as editor of one calendar sees no other, and may be removed", async () => {
      const { page } = made;
      const council = (await owner.call("createCalendar", { title: "Rat", timezone: "Europe/Berlin" })).body
        .calendar;
      await owner.call("eventsCreate", {
        calendar_id: council.id,
        title: "Sitzung",
        start_date: "2027-12-01T18:00",
      });
      await page.goto(`${server.url}/console/people`);
      await button(de.people.invite).click();
      await field(de.people.name).fill("Grace");
      await field(de.people.where).selectOption({ label: "Konzerte" });
      await button(de.people.make).click();
      const link = await page.getByRole("textbox", { name: de.people.link }).inputValue();
      const guest = await openPage(browser, server.url, { locale: "fr-FR", ...options });
      await guest.page.goto(link);
      await guest.page.getByRole("button", { name: fr.signIn.button }).click();
      await guest.page.getByRole("link", { name: "Konzerte" }).waitFor();
      expect(await guest.page.getByRole("main").getByRole("link").allInnerTexts()).toEqual(["Konzerte"]);
      expect(await guest.page.getByRole("button", { name: fr.calendars.add }).count()).toBe(0);
      expect(await guest.page.locator("html").getAttribute("lang")).toBe("fr");
      expect(guest.faults).toEqual([]);
      await guest.page.goto(`${server.url}/console/search?q=Sitzung`);
      await guest.page.getByText(fr.search.none).waitFor();
      await guest.page.goto(`${server.url}/console/calendars/${council.id}`);
      const missing = guest.page.getByRole("alert").filter({ hasText: fr.errors.notFound });
      await expect.poll(async () => (await missing.boundingBox())?.x).toBeGreaterThanOrEqual(16);
      expect(guest.faults.join()).toMatch(/^(?:,?console: Failed to load resource: [^,]*404[^,]*)+$/);
      await guest.close();
      await button(de.close).first().click();
      const row = page.getByRole("listitem").filter({ hasText: "Grace" });
      await row.getByText(`${de.people.shortRoles.editor}: Konzerte`).waitFor();
      await row.getByRole("button", { name: de.people.change, exact: true }).click();
      await field(de.people.role).selectOption("viewer");
      await button(de.save).click();
      await said(de.people.changed("Grace")).waitFor();
      await page.getByRole("status").getByRole("button", { name: de.close }).click();
      await row.getByText(`${de.people.shortRoles.viewer}: Konzerte`).waitFor();
      await page
        .getByRole("listitem")
        .filter({ hasText: "Grace" })
        .getByRole("button", { name: de.people.remove })
        .click();
      await page.getByRole("dialog").getByRole("button", { name: de.people.remove }).click();
      await said(de.people.removed("Grace")).waitFor();
    });

    test("the calendar is a file that holds all of it", async () => {
      const { page } = made;
      await page.goto(`${server.url}/console/calendars/${calendar.id}/import`);
      for (const [name, start] of [
        [de.import.exportIcs, "BEGIN:VCALENDAR"],
        [de.import.exportCsv, '\uFEFF"event_id";"uid";"Titel";"Beginn"'],
      ] as const) {
        const saving = page.waitForEvent("download");
        await button(name).click();
        const text = readFileSync(await (await saving).path(), "utf8");
        expect(text.slice(0, start.length)).toBe(start);
        expect(text).toContain("Sommerfest");
      }
    });

    test("an event opens in its own calendar, and a page says so where there is none", async () => {
      const { page } = made;
      const other = (await owner.call("createCalendar", { title: "Chor", timezone: "Europe/Berlin" })).body
        .calendar;
      const event = { calendar_id: other.id, title: "Einsingen", start_date: "2027-12-02T18:00" };
      const { id } = (await owner.call("eventsCreate", event)).body.event;
      await open(`event=${id}`);
      await page.getByRole("heading", { name: "Chor", level: 1 }).waitFor();
      expect(await field(de.event.title).inputValue()).toBe("Einsingen");
      for (const path of ["999999", "999999/share"]) {
        await page.goto(`${server.url}/console/calendars/${path}`);
        await page.getByRole("heading", { name: de.unknown.title, level: 1 }).waitFor();
        await page.getByText(de.errors.notFound).waitFor();
      }
      await owner.call("deleteCalendar", { calendar_id: other.id });
      await page.goto(`${server.url}/console/`); // which asks for neither calendar any more
      await page.getByRole("link", { name: "Konzerte", exact: true }).waitFor();
      expect(made.faults.splice(0).join()).toMatch(
        /^(?:,?console: Failed to load resource: [^,]*40[04][^,]*)+$/,
      );
    });

    test("an address that is no date, a name of 255 letters, 400 % zoom, what is too large and an undo of an import", async () => {
      const { page } = made;
      for (const query of ["new=2027-99-99", "day=x&new=x", "day=2027-04-06&from=xx"]) {
        await open(query);
        await page.getByRole("heading", { name: "Konzerte", level: 1 }).waitFor();
      }
      await open("new=2027-99-99");
      await page.getByRole("heading", { name: "Konzerte", level: 1 }).waitFor();
      expect(await page.locator("dialog[open]").count()).toBe(0);
      const name = "W".repeat(255);
      const texts = { title: name, description: name, timezone: "Europe/Berlin" };
      const long = (await owner.call("createCalendar", texts)).body.calendar;
      const width = options === phone ? 320 : 1_280;
      await page.setViewportSize({ width, height: 740 });
      for (const path of ["", `calendars/${long.id}`, `calendars/${long.id}/settings`]) {
        await page.goto(`${server.url}/console/${path}`);
        await page.locator("h1").first().waitFor();
        if (path.endsWith("/settings")) await page.getByText(`${de.settings.remove} …`).waitFor();
        await expect.poll(() => page.locator(".loading, [aria-busy=true]").count()).toBe(0);
        const wide = await page.evaluate<number>("document.documentElement.scrollWidth - innerWidth");
        expect([path, width, wide]).toEqual([path, width, 0]);
      }
      await page.goto(`${server.url}/console/calendars/${long.id}/import`);
      const folder = await mkdtemp(join(tmpdir(), "kalends-large-"));
      const large = join(folder, "g.ics");
      await writeFile(large, "");
      await truncate(large, 10_000_001);
      await field(de.import.file).setInputFiles(large);
      await page.getByText(de.import.tooLarge(11, 10)).waitFor();
      await rm(folder, { recursive: true });
      const mimeType = "text/calendar";
      const lines = Array.from({ length: 201 }, (_, index) => {
        const at = `DTSTART;VALUE=DATE:203101${String(1 + (index % 28)).padStart(2, "0")}`;
        return `BEGIN:VEVENT\r\nUID:many-${index}\r\n${at}\r\nSUMMARY:Fest ${index}\r\nEND:VEVENT`;
      });
      const file = ["BEGIN:VCALENDAR", "VERSION:2.0", ...lines, "END:VCALENDAR", ""].join("\r\n");
      await field(de.import.file).setInputFiles({ name: "f.ics", mimeType, buffer: Buffer.from(file) });
      await button(de.import.button(201)).click();
      await button(de.undo).waitFor();
      expect(await page.getByText(de.import.noUndo).count()).toBe(0);
      await button(de.undo).click();
      await said(de.undone).waitFor();
      expect((await owner.get("eventsList", { calendar_id: long.id })).body.events).toEqual([]);
      const { id } = (
        await owner.call("eventsCreate", {
          calendar_id: long.id,
          title: "Fest",
          start_date: "2031-01-01T18:00",
        })
      ).body.event;
      for (const height of [256, 200]) {
        await page.setViewportSize({ width: 320, height });
        await page.goto(`${server.url}/console/calendars/${long.id}?day=2031-01-01&event=${id}`);
        await field(de.event.title).focus();
        const isOnTop = await field(de.event.title).evaluate((input) => {
          const { left, top, width, height: tall } = input.getBoundingClientRect();
          return document.elementFromPoint(left + width / 2, top + tall / 2) === input;
        });
        expect([height, isOnTop]).toEqual([height, true]);
        await button(de.save).scrollIntoViewIfNeeded();
        const box = await button(de.save).boundingBox();
        expect([height, (box?.y ?? -1) >= 0 && (box?.y ?? 0) + (box?.height ?? 0) <= height]).toEqual([
          height,
          true,
        ]);
      }
      await page.goto(`${server.url}/console/calendars/${long.id}?day=2031-01-01`);
      const position = page
        .locator(".add-event")
        .first()
        .evaluate((element) => getComputedStyle(element).position);
      expect(await position).toBe("static");
      await page.setViewportSize(options.viewport);
      await owner.call("calendarsUpdate", { calendar_id: long.id, title: "\u200B\u202E" });
      const asked: string[] = [];
      page.on("request", (request) => void asked.push(new URL(request.url()).pathname));
      await page.goto(`${server.url}/console/`);
      await page.getByRole("link", { name: de.noTitle, exact: true }).click();
      await page.getByRole("heading", { name: de.noTitle, level: 1 }).waitFor();
      expect(asked.filter((path) => path.endsWith("/syncs/list/"))).toHaveLength(1);
      await page.goto(`${server.url}/console/trash`); // which asks for nothing of the calendar
      await owner.call("deleteCalendar", { calendar_id: long.id });
    });

    test("axe-core finds no violation, in the dark no contrast that is too low, and nothing is wider than the screen", async () => {
      const storageState = await made.page.context().storageState();
      const words = database === "SQLite" ? es : fr; // the other tests have German, docs/console.md English
      const watched = {
        ...options,
        locale: words.language,
        bypassCSP: true,
        storageState,
        reducedMotion: "reduce" as const,
      };
      const { page, faults, close } = await openPage(browser, server.url, watched);
      await page.addInitScript(`localStorage.setItem("kalends-language", "${words.language}")`);
      const base = `/calendars/${calendar.id}`;
      const month = `${base}?day=2027-04-06&view=month`;
      const agenda = `${base}?day=2027-04-06&view=agenda`;
      const press = (name: string): Promise<void> =>
        page.getByRole("button", { name, exact: true }).first().click();
      const { event } = (await add("Konflikt", "2033-04-07T19:00")).body;
      await owner.call("eventsUpdate", { event_id: event.id, categories: "Streit" });
      const dialogs: Readonly<Record<string, () => Promise<unknown>>> = {
        [agenda]: async () => {
          await press(words.many.select);
          await page.getByLabel(words.many.all("").trim()).first().check();
          await press(words.many.change);
        },
        [`${base}?day=2033-04-07&event=${event.id}`]: async () => {
          await page.getByLabel(words.event.title, { exact: true }).fill("Mein Titel");
          await owner.call("eventsUpdate", { event_id: event.id, title: "Anderer Titel" });
          await press(words.save);
          await page.getByRole("dialog", { name: words.event.conflict.title }).waitFor();
          expect(faults.splice(0).join()).toMatch(/^console: Failed to load resource: [^,]*412[^,]*$/);
        },
        [`${base}/settings`]: () => press(`${words.categories.edit}: Streit`),
        "/programs": () => press(`${words.programs.create} …`),
      };
      const views = [
        "/",
        "/people",
        "/profile",
        "/search?q=e",
        "/month?day=2027-12-03&view=month",
        "/programs",
        month,
        agenda,
        `${month}&new=2027-04-07`,
        "/trash",
      ];
      const parts = ["share", "followers", "import", "history", "settings"].map((part) => `${base}/${part}`);
      const look = async (path: string): Promise<void> => {
        await page.emulateMedia({ colorScheme: "light" });
        await expect.poll(() => page.locator(".loading, [aria-busy=true]").count()).toBe(0);
        expect([path, await violations(page)]).toEqual([path, []]);
        for (const width of [options.viewport.width, database === "SQLite" ? 2_560 : 320]) {
          await page.setViewportSize({ ...options.viewport, width });
          const wide = await page.evaluate<number>("document.documentElement.scrollWidth - innerWidth");
          expect([path, width, wide]).toEqual([path, width, 0]);
        }
        await page.setViewportSize(options.viewport);
        await page.emulateMedia({ colorScheme: "dark" });
        expect([path, await violations(page, ["color-contrast"])]).toEqual([path, []]);
      };
      for (const path of new Set([...views, ...parts, ...Object.keys(dialogs)])) {
        await page.goto(`${server.url}/console${path}`);
        await page.locator("h1, dialog h2").first().waitFor();
        const openDialog = dialogs[path];
        if (openDialog === undefined || views.concat(parts).includes(path)) await look(path);
        if (openDialog === undefined) continue;
        await openDialog();
        await page.locator("dialog h2").first().waitFor();
        await look(`${path} with a dialog`);
      }
      await page.emulateMedia({ media: "print", colorScheme: "light" });
      await page.setViewportSize({ width: 794, height: 1_123 }); // A4
      for (const path of [month, agenda]) {
        await page.goto(`${server.url}/console${path}`);
        await page.getByText("Generalprobe").first().waitFor();
        expect(
          await page.locator("button:not(.event-row):visible, .bar:visible, .tabs:visible").count(),
        ).toBe(0);
      }
      expect(faults).toEqual([]);
      await close();
    });
  },
);

/** A form: where it is, what opens it, the name of a field, what is typed, and what sends it. */
type TypedForm = readonly [path: string, opens: string, field: string, text: string, sends: string];

test.skipIf(isSkipped("SQLite"))(
  `what is typed stays when the network, the server, the session or the tab goes, in each form${withoutBrowser}`,
  async () => {
    const server = await startTestServer();
    const owner = await server.account();
    const { page, close } = await openPage(browser, server.url, { locale: "de-DE", ...phone });
    // The pauses before a request is repeated.
    await page.addInitScript(
      `const wait = setTimeout; setTimeout = (act, ms) => wait(act, ms > 20 && ms < 1_000 ? 20 : ms);`,
    );
    await signIn(page, server, owner.id);
    const { id } = (await owner.call("createCalendar", { title: "Chor", timezone: "Europe/Berlin" })).body
      .calendar;
    const times = { start_date: "2027-03-05T19:00", categories: "Alt" };
    const { event } = (await owner.call("eventsCreate", { calendar_id: id, title: "Probe", ...times })).body;
    const series = { title: "Kurs", start_date: "2027-03-06T19:00", rrule: "FREQ=WEEKLY;COUNT=3" };
    const { event_ids } = (await owner.call("eventsSeriesCreate", { calendar_id: id, ...series })).body;
    const base = `/calendars/${id}`;
    const forms: readonly TypedForm[] = [
      ["/", de.calendars.add, de.calendars.name, "Theater", de.calendars.create],
      [`${base}?new=2027-03-07`, "", de.event.title, "Premiere", de.save],
      [`${base}?event=${event.id}`, "", de.event.title, "Andere Probe", de.save],
      [`${base}?event=${event_ids[1]}`, "", de.event.title, "Anderer Kurs", de.save],
      [`${base}/settings`, "", de.calendars.name, "Frauenchor", de.save],
      [`${base}/settings`, "", de.defaults.length, "150", de.save],
      [`${base}/settings`, `${de.categories.edit}: Alt`, de.categories.name, "Tenor", de.categories.rename],
      [`${base}/import`, "", de.import.paste, "Titel;Datum;Uhrzeit\nFest;24.12.2027;19:00", de.import.look],
      [`${base}/import`, "", de.syncs.url, "https://town.example/a.ics", de.syncs.add],
      ["/people", de.people.invite, de.people.name, "Grace", de.people.make],
      ["/programs", `${de.programs.create} …`, de.programs.name, "Webseite", de.programs.create],
      ["/programs", `${de.programs.add} …`, de.programs.url, "https://intranet.example/", de.programs.add],
    ];
    const at = (name: string): Locator => page.getByRole("button", { name, exact: true }).last();
    const sessions = await page.context().cookies();
    for (const [path, opens, name, text, sends] of forms) {
      const field = page.getByLabel(name, { exact: true }).last();
      const sender = async (): Promise<Locator> => {
        if (await page.getByRole("dialog", { name: de.series.which }).isVisible())
          await page.keyboard.press("Escape");
        return at((await at(de.retry).isVisible()) ? de.retry : sends);
      };
      const holds = async (when: string): Promise<void> =>
        expect([path, name, when, await field.inputValue()]).toEqual([path, name, when, text]);
      await page.goto(`${server.url}/console${path}`);
      if (opens !== "") await at(opens).click();
      await field.fill(text);
      await page.context().setOffline(true);
      await (await sender()).click();
      await page.getByText(de.errors.network).first().waitFor();
      await holds("without a network");
      await page.context().setOffline(false);
      await page.route("**/console/api/**", (route) =>
        route.fulfill({ status: 502, body: "<h1>Bad Gateway</h1>" }),
      );
      await (await sender()).click();
      await page.getByText(de.errors.other).first().waitFor();
      await holds("without a server");
      await page.unroute("**/console/api/**");
      await page.context().clearCookies();
      await (await sender()).dispatchEvent("click"); // a read may have opened the sign-in over it
      await page.getByText(de.signIn.over).waitFor();
      await holds("without a session");
      await page.context().addCookies(sessions);
      await page.reload();
      if (opens !== "") await at(opens).click();
      await field.waitFor();
      await holds("after the tab was loaded again");
    }
    await close();
    await server.stop();
  },
);

test.skipIf(isSkipped("SQLite"))(`a link is used up by the click alone${withoutBrowser}`, async () => {
  const server = await startTestServer();
  const { link } = await newPerson(server, (await server.account()).id);
  const { page, close } = await openPage(browser, server.url, { locale: "de-DE" });
  const join = `${server.url}/console/join#${link}`;
  for (let look = 0; look < 2; look++) {
    await page.goto(join);
    await page.getByText(de.join.may).waitFor();
    await page.goto("about:blank");
  }
  await page.goto(join);
  await page.getByRole("button", { name: de.signIn.button }).click();
  await page.getByText(de.calendars.empty).waitFor();
  await page.goto("about:blank");
  await page.goto(join);
  await page.getByRole("button", { name: de.signIn.button }).click();
  await page.getByText(de.signIn.refused).waitFor();
  await close();
  await server.stop();
});
