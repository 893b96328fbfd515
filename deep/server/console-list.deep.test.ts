import { afterAll, beforeAll, expect, test } from "vitest";
import { de } from "../../apps/console/src/texts/de.js";
import type { TestAccount, TestServer } from "../../apps/server/test/harness.js";
import { openPage, violations, type WatchedPage, withoutBrowser } from "./browser.js";
import { startConsole } from "./console-world.js";

// The list of a calendar, which goes through its seasons, and the colours of categories.

let world: Awaited<ReturnType<typeof startConsole>> | undefined;
let server: TestServer;
let owner: TestAccount;
let made: WatchedPage;
let calendar: { readonly id: string; readonly uniquekey: string };

beforeAll(async () => {
  if (withoutBrowser !== "") return;
  world = await startConsole();
  ({ server, owner, made } = world);
  calendar = (await owner.call("createCalendar", { title: "Verein", timezone: "Europe/Berlin" })).body
    .calendar;
  const add = (title: string, start_date: string, categories = ""): Promise<unknown> =>
    owner.call("eventsCreate", { calendar_id: calendar.id, title, start_date, categories });
  await add("Gründung", "2024-01-12T19:00");
  await add("Letzte Probe", "2027-01-20T19:00");
  await add("Probe", "2027-03-04T19:00", "Proben,Jugend");
  await add("Konzert", "2027-03-04T20:00", "Konzerte");
  await add("Sommerfest", "2027-07-10T15:00", "Konzerte");
  await add("Jubiläum", "2030-05-01T11:00");
  await owner.call("eventsCreate", {
    calendar_id: calendar.id,
    title: "Entwurf",
    start_date: "2031-02-03T10:00",
    published: "false",
  });
});
afterAll(() => world?.stop());

const months = (): Promise<readonly string[]> => made.page.locator(".month-name h2").allInnerTexts();
const open = (query: string): Promise<unknown> =>
  made.page.goto(`${server.url}/console/calendars/${calendar.id}?${query}`);

test.skipIf(withoutBrowser !== "")(
  `the list goes on to the last event over empty years, and back to the first${withoutBrowser}`,
  async () => {
    const { page } = made;
    await open("day=2027-03-04&view=agenda");
    const later = ["März 2027", "Juli 2027", "Mai 2030", "Februar 2031"];
    await expect.poll(months).toEqual(later);
    await page.getByText(de.season.noLater).waitFor();
    const day = page.getByRole("region", { name: "Donnerstag, 4. März 2027" });
    expect(await day.getByRole("button").allInnerTexts()).toEqual([
      expect.stringMatching(/19:00[^]*Probe[^]*Jugend/),
      expect.stringMatching(/20:00[^]*Konzert/),
    ]);
    await day.getByRole("heading", { name: "Donnerstag, 4. März 2027" }).waitFor();
    expect(await violations(page)).toEqual([]);
    const earlier = page.getByRole("button", { name: de.season.earlier });
    await earlier.click();
    await expect.poll(months).toEqual(["Januar 2027", ...later]);
    await earlier.click();
    await expect.poll(months).toEqual(["Januar 2024", "Januar 2027", ...later]);
    await earlier.waitFor({ state: "detached" });
  },
);

test.skipIf(withoutBrowser !== "")(
  `what is read stays where it is when earlier months come above it, and another month is scrolled to${withoutBrowser}`,
  async () => {
    const { page } = made;
    await page.setViewportSize({ width: 360, height: 500 });
    await open("day=2027-03-04&view=agenda");
    await expect.poll(async () => (await months()).length).toBe(4);
    const march = page.getByRole("region", { name: "Donnerstag, 4. März 2027" });
    const top = async (): Promise<number> => Math.round((await march.boundingBox())?.y ?? Number.NaN);
    const earlier = page.getByRole("button", { name: de.season.earlier });
    await earlier.scrollIntoViewIfNeeded();
    const before = await top();
    await earlier.click();
    await expect.poll(months).toContain("Januar 2027");
    await expect.poll(async () => Math.abs((await top()) - before), { timeout: 5_000 }).toBeLessThan(8);
    await page.evaluate("scrollTo(0, 0)");
    for (let press = 0; press < 4; press++)
      await page.getByRole("button", { name: /^Nächster Monat/ }).click();
    const july = page.locator(".month-name h2", { hasText: "Juli 2027" });
    await expect.poll(async () => Math.round((await july.boundingBox())?.y ?? Number.NaN)).toBeLessThan(40);
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(360);
    await page.setViewportSize({ width: 1280, height: 860 });
  },
);

test.skipIf(withoutBrowser !== "")(
  `an event has the colour of its first category in the month, in the list and on the page of followers${withoutBrowser}`,
  async () => {
    const { page } = made;
    const colorOf = (selector: string): Promise<string> =>
      page
        .locator(selector)
        .first()
        .evaluate((at: Element): string => getComputedStyle(at).getPropertyValue("--color").trim());
    // The first colours of the palette, every second one, for Jugend, Konzerte and Proben.
    const [youth, concerts] = ["#1f77b4", "#ff7f0e"];
    await page.emulateMedia({ colorScheme: "dark" });
    await open("day=2027-03-04&view=month");
    const chip = (title: string): string => `.chip:has-text("${title}")`;
    await expect.poll(() => colorOf(chip("Probe"))).not.toBe("#868d89");
    const [dark, other] = [await colorOf(chip("Probe")), await colorOf(chip("Konzert"))];
    expect(other).toBe(concerts);
    await page.emulateMedia({ colorScheme: "light" });
    expect(await colorOf(chip("Probe"))).toBe(youth);
    expect(dark).not.toBe(youth); // it would not stand out there
    expect(await page.locator(chip("Probe")).first().getAttribute("title")).toBe("Probe · Proben · Jugend");
    await open("day=2027-03-04&view=agenda");
    await expect.poll(() => colorOf('.event-row:has-text("Probe") .event-dot')).toBe(youth);
    const shown = await openPage(made.page.context().browser() ?? fail(), server.url, { locale: "de-DE" });
    await shown.page.goto(`${server.url}/c/${calendar.uniquekey}?month=2027-03`);
    const mark = shown.page.locator('.agenda-day li:has-text("Probe")').first();
    expect(await mark.getAttribute("class")).toBe("p1-1");
    await shown.close();
  },
);

function fail(): never {
  throw new Error("there is no browser");
}
