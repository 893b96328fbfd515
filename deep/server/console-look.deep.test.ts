import type { Browser, Locator } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { de } from "../../apps/console/src/texts/de.js";
import type { TestAccount, TestServer } from "../../apps/server/test/harness.js";
import { signIn as signInPerson } from "../../apps/server/test/people.js";
import { noisy } from "../../apps/server/test/pictures.js";
import { openPage, violations, type WatchedPage, withoutBrowser } from "./browser.js";
import { signIn, startConsole } from "./console-world.js";

// What people see of an account (extensions X11), as its owner makes it in the console.

let world: Awaited<ReturnType<typeof startConsole>> | undefined;
let browser: Browser;
let server: TestServer;
let owner: TestAccount;
let made: WatchedPage;
let calendarId: string;

beforeAll(async () => {
  if (withoutBrowser !== "") return;
  world = await startConsole();
  ({ browser, server, owner, made } = world);
  calendarId = (await owner.call("createCalendar", { title: "Konzerte", timezone: "Europe/Berlin" })).body
    .calendar.id;
});
afterAll(() => world?.stop());

const button = (name: string): Locator => made.page.getByRole("button", { name, exact: true });
const field = (name: string): Locator => made.page.getByLabel(name, { exact: true });
const group = (name: string): Locator => made.page.getByRole("group", { name, exact: true });
const said = (text: string): Locator => made.page.getByRole("status").getByText(text);

/** Gives an element a file as the mouse or the clipboard does. */
const give = (zone: Locator, kind: "drop" | "paste", bytes: Buffer): Promise<void> =>
  zone.evaluate(
    (element: Element, [way, base64]: readonly [string, string]) => {
      const data = new DataTransfer();
      const file = Uint8Array.from(atob(base64), (sign) => sign.charCodeAt(0));
      data.items.add(new File([file], "bild.png", { type: "image/png" }));
      element.dispatchEvent(
        way === "drop"
          ? new DragEvent("drop", { bubbles: true, cancelable: true, dataTransfer: data })
          : new ClipboardEvent("paste", { bubbles: true, cancelable: true, clipboardData: data }),
      );
    },
    [kind, bytes.toString("base64")] as const,
  );

test.skipIf(withoutBrowser !== "")(
  `the profile is named, coloured and given pictures by choice, drop and paste${withoutBrowser}`,
  async () => {
    const { page } = made;
    await page.goto(`${server.url}/console/profile`);
    await field(de.profile.name).fill("Musikverein Bergholz");
    await page.getByLabel(de.profile.website).fill("musikverein.example");
    await page.getByLabel(de.profile.key).fill("bergholz");
    const png = await noisy(400, 300).png().toBuffer();
    await group(de.profile.logo).locator("input[type=file]").first().setInputFiles({
      name: "logo.png",
      mimeType: "image/png",
      buffer: png,
    });
    await expect
      .poll(() => group(de.profile.logo).getByLabel(de.pictures.words).inputValue())
      .toBe(de.profile.logoWords("Musikverein Bergholz"));
    await give(group(de.profile.cover).locator(".drop-zone"), "drop", png);
    await group(de.profile.cover).locator("img").waitFor();
    await button(de.save).click(); // a picture needs its words
    await group(de.profile.cover).getByText(de.errors.required).waitFor();
    expect(made.faults.splice(0).join()).toMatch(/^console: Failed to load resource: [^,]*400[^,]*$/);
    await group(de.profile.cover).getByLabel(de.pictures.words).fill("Die Kapelle im Schlosspark");
    await page.locator('.accents .color[title="rot"] input').check();
    expect(await violations(page)).toEqual([]);
    await button(de.save).click();
    await said(de.profile.saved).waitFor();
    const { account } = (await owner.get("accountDetails")).body;
    expect(account).toMatchObject({
      name: "Musikverein Bergholz",
      website: "https://musikverein.example",
      key: "bergholz",
      accent: "#b8412c",
      logo_alt: de.profile.logoWords("Musikverein Bergholz"),
      picture_alt: "Die Kapelle im Schlosspark",
    });
    expect((await server.request(`/p/${account.logo_id}-320.webp`)).status).toBe(200);
  },
);

test.skipIf(withoutBrowser !== "")(
  `the poster, the sheets to print and the page of the club are under "Share"${withoutBrowser}`,
  async () => {
    const { page } = made;
    await page.goto(`${server.url}/console/calendars/${calendarId}/share`);
    const preview = page.getByRole("img", { name: de.poster.label });
    await preview.getByText("Musikverein Bergholz").waitFor();
    for (const name of [de.poster.print, de.poster.printMonth, de.poster.printSeason]) {
      const href = await page.getByRole("link", { name, exact: true }).getAttribute("href");
      expect([name, (await server.request(new URL(href ?? "").pathname)).status]).toEqual([name, 200]);
    }
    expect(await field(de.club.title).inputValue()).toBe(`${server.url}/o/bergholz`);
    await page.getByRole("link", { name: de.club.list }).waitFor();
    expect(await violations(page)).toEqual([]);
  },
);

test.skipIf(withoutBrowser !== "")(
  `an invitation names the club, who invited and what may be done, before anything is accepted${withoutBrowser}`,
  async () => {
    const inviter = await signInPerson(server, owner.id);
    const fields = { name: "Grete", role: "editor", calendar_ids: calendarId };
    const { link } = (await inviter.call("peopleInvite", fields)).body;
    const guest = await openPage(browser, server.url, { locale: "de-DE", bypassCSP: true });
    const join = `${server.url}/console/join${new URL(link).hash}`;
    for (let look = 0; look < 2; look++) {
      await guest.page.goto("about:blank");
      await guest.page.goto(join);
      await guest.page.getByRole("heading", { name: de.join.invited("Musikverein Bergholz") }).waitFor();
    }
    await guest.page.getByText(de.join.by("Grete", "Ada")).waitFor();
    await guest.page.getByText(de.join.roles.editor).waitFor();
    expect(await violations(guest.page)).toEqual([]);
    await guest.page.getByRole("button", { name: de.signIn.button, exact: true }).click();
    await guest.page.getByRole("banner").waitFor();
    expect(guest.faults.splice(0)).toEqual([]);
    await guest.page.goto("about:blank");
    await guest.page.goto(join);
    await guest.page.getByText(de.signIn.refused).waitFor();
    expect(guest.faults.join()).toMatch(/404/); // the browser writes that the request was refused
    await guest.close();
  },
);

test.skipIf(withoutBrowser !== "")(
  `an editor of one calendar gives its event a picture and a web page${withoutBrowser}`,
  async () => {
    const guest = await openPage(browser, server.url, { locale: "de-DE" });
    const editor = { calendar_id: Number(calendarId), role: "editor", sees_followers: 0 } as const;
    await signIn(guest.page, server, owner.id, [editor]);
    await guest.page.goto(`${server.url}/console/calendars/${calendarId}?new=2027-03-05`);
    await guest.page.getByLabel(de.event.title, { exact: true }).fill("Konzert");
    await guest.page.getByText(de.event.more, { exact: true }).click();
    const picture = guest.page.getByRole("group", { name: de.pictures.event, exact: true });
    await give(picture.locator(".drop-zone"), "paste", await noisy(400, 300).png().toBuffer());
    await picture.getByLabel(de.pictures.words).fill("Das Orchester");
    await guest.page.getByLabel(de.pictures.url, { exact: true }).fill("karten.example");
    await guest.page.getByRole("button", { name: de.save, exact: true }).click();
    await guest.page.getByRole("status").getByText("Konzert").waitFor();
    const [event] = (await owner.get("eventsList", { calendar_id: calendarId })).body.events;
    expect(event).toMatchObject({ url: "https://karten.example", picture_alt: "Das Orchester" });
    expect(guest.faults).toEqual([]);
    await guest.close();
  },
);

test.skipIf(withoutBrowser !== "")(
  `a calendar has a colour of its own, and is shown on the page with all calendars${withoutBrowser}`,
  async () => {
    const { page } = made;
    await page.goto(`${server.url}/console/calendars/${calendarId}/settings`);
    await page.getByLabel(de.look.listed).check();
    await page.locator('.accents .color[title="blau"] input').check();
    await page
      .locator("form", { hasText: de.look.title })
      .getByRole("button", { name: de.save, exact: true })
      .click();
    await said(de.calendars.saved).waitFor();
    const { calendar } = (await owner.get("calendarsDetails", { calendar_id: calendarId })).body;
    expect(calendar).toMatchObject({ listed: true, accent: "#1f5fa8" });
    expect(await violations(page)).toEqual([]);
  },
);

test.skipIf(withoutBrowser !== "")(
  `settings, appearance, defaults and the profile keep what another changed meanwhile, after undo too${withoutBrowser}`,
  async () => {
    const { page } = made;
    const { id } = (await owner.call("createCalendar", { title: "Zu zweit", timezone: "Europe/Berlin" })).body
      .calendar;
    const calendarIs = async () =>
      (await owner.get("calendarsList", {})).body.calendars.find((each: { id: string }) => each.id === id);
    const profileIs = async () => (await owner.get("accountDetails")).body.account;
    const settings = `calendars/${id}/settings`;
    const others: Readonly<Record<string, string>> = {
      title: "Zu dritt",
      accent: "#b8412c",
      custom_data: '{"program":1}',
    };
    const change = (name: string) => () =>
      owner.call("calendarsUpdate", { calendar_id: id, [name]: others[name] ?? "" });
    const sections = [
      [
        settings,
        () => page.getByLabel(de.calendars.description).first(),
        0,
        change("title"),
        { title: "Zu dritt" },
      ],
      [settings, () => page.getByLabel(de.look.listed), 1, change("accent"), { accent: "#b8412c" }],
      [settings, () => field(de.event.place), 2, change("custom_data"), { custom_data: { program: 1 } }],
      [
        "profile",
        () => page.getByLabel(de.profile.website),
        0,
        () => owner.call("accountUpdate", { name: "Ein neuer Name" }),
        { name: "Ein neuer Name" },
      ],
    ] as const;
    for (const [path, input, at, changeElsewhere, kept] of sections) {
      await page.goto(`${server.url}/console/${path}`);
      await input().waitFor();
      const isNow = path === "profile" ? profileIs : calendarIs;
      const before = await isNow();
      await changeElsewhere();
      if ((await input().getAttribute("type")) === "checkbox") await input().click();
      else await input().fill("example.com/von-hier");
      await button(de.save).nth(at).click();
      await button(de.undo).waitFor();
      const saved = await isNow();
      expect(saved).toMatchObject(kept);
      expect(saved).not.toEqual({ ...before, ...kept, date_modified: saved.date_modified });
      await button(de.undo).click();
      await said(de.undone).waitFor();
      expect(await isNow()).toMatchObject(kept);
    }
    expect(await calendarIs()).toMatchObject({ description: "", listed: false });
  },
);
