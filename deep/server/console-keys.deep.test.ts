import { setTimeout } from "node:timers/promises";
import type { Browser, CDPSession, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { en } from "../../apps/console/src/texts/en.js";
import { newPerson } from "../../apps/server/test/people.js";
import { startTestServer, type TestAccount, type TestServer } from "../../apps/server/test/harness.js";
import { launchBrowser, openPage, withoutBrowser } from "./browser.js";

// The console without a pointer: each step is a key, and what has the focus is known by its role and its name in Chromium's accessibility
// tree alone, which is what a screen reader has.

interface Stop {
  readonly role: string;
  readonly name: string;
}

type Role = Parameters<Page["getByRole"]>[0];

/** Keys a stop is looked for with; a screen has fewer stops. */
const mostStops = 90;

class Keys {
  readonly page: Page;
  readonly #cdp: CDPSession;
  /** Stops without a name, and those that something else covers. */
  readonly faults = new Set<string>();

  constructor(page: Page, cdp: CDPSession) {
    this.page = page;
    this.#cdp = cdp;
  }

  /** What has the focus. */
  async stop(): Promise<Stop> {
    const { result } = await this.#cdp.send("Runtime.evaluate", { expression: "document.activeElement" });
    const { nodes } = await this.#cdp.send("Accessibility.getPartialAXTree", {
      objectId: result.objectId ?? "",
      fetchRelatives: false,
    });
    const [node] = nodes;
    return { role: String(node?.role?.value), name: String(node?.name?.value ?? "") };
  }

  /** Goes on by a key until a stop has this role and name. */
  async reach(role: Role, name: string | RegExp, key = "Tab"): Promise<void> {
    const passed: string[] = [];
    await this.page
      .getByRole(role, { name, exact: typeof name === "string" })
      .first()
      .waitFor();
    for (let count = 0; count < mostStops; count++) {
      const at = await this.stop();
      if (at.role === role && (typeof name === "string" ? at.name === name : name.test(at.name))) return;
      passed.push(`${at.role} “${at.name}”`);
      await this.page.keyboard.press(key);
      await this.#look();
    }
    throw new Error(`No ${role} ${String(name)} among: ${passed.join(", ")}`);
  }

  /** Reaches a stop and presses a key there. */
  async press(role: Role, name: string | RegExp, key = "Enter"): Promise<void> {
    await this.reach(role, name);
    await this.page.keyboard.press(key);
  }

  /** Reaches a field and replaces what it has. */
  async type(name: string, text: string): Promise<void> {
    await this.reach("textbox", name);
    await this.page.keyboard.press("ControlOrMeta+A");
    await this.page.keyboard.type(text);
  }

  /** Waits until a live region of the tree says this. */
  async hear(text: string): Promise<void> {
    const said = async (): Promise<string> => {
      const { nodes } = await this.#cdp.send("Accessibility.getFullAXTree");
      const byId = new Map(nodes.map((node) => [node.nodeId, node]));
      const textOf = (id: string): string => {
        const node = byId.get(id);
        if (node?.role?.value === "StaticText") return String(node.name?.value);
        return (node?.childIds ?? []).map(textOf).join(" ");
      };
      return nodes
        .filter(({ role }) => ["status", "alert"].includes(String(role?.value)))
        .map(({ nodeId }) => textOf(nodeId))
        .join("\n");
    };
    await expect.poll(said, { timeout: 10_000 }).toContain(text);
  }

  /** A stop needs a name, a mark that it has the focus, and nothing that lies over it (WCAG 2.2, 4.1.2, 2.4.7 and 2.4.11). */
  async #look(): Promise<void> {
    const { role, name } = await this.stop();
    if (["RootWebArea", "none", "generic", "undefined"].includes(role)) return;
    if (name.trim() === "") this.faults.add(`${role} without a name at ${new URL(this.page.url()).pathname}`);
    const state = await this.page.evaluate<string>(`(() => {
      const at = document.activeElement;
      if (at === document.body) return ""; // it is gone since, such as a row that was restored
      const isMarked = (each) => each !== null && getComputedStyle(each).outlineStyle !== "none";
      if (at.id !== "main" && !isMarked(at) && !isMarked(at.closest(".card"))) return "unmarked";
      const { left, top, width, height } = at.getBoundingClientRect();
      const over = document.elementFromPoint(left + width / 2, top + Math.min(height, 40) / 2);
      const inside = at.contains(over) || over?.contains(at) || over?.closest("label")?.contains(at);
      return width === 0 || inside ? "" : "covered by " + over?.className;
    })()`);
    if (state !== "") this.faults.add(`${role} “${name}” is ${state}`);
  }
}

describe.skipIf(withoutBrowser !== "")("the keyboard alone", () => {
  let browser: Browser;
  let server: TestServer;
  let owner: TestAccount;
  let keys: Keys;
  let close: () => Promise<void>;
  const faults: string[] = [];

  beforeAll(async () => {
    browser = await launchBrowser();
    server = await startTestServer();
    owner = await server.account();
    const opened = await openPage(browser, server.url, { locale: "en-GB", timezoneId: "Europe/Berlin" });
    ({ close } = opened);
    await opened.page.addInitScript(`localStorage.setItem("kalends-language", "en")`);
    keys = new Keys(opened.page, await opened.page.context().newCDPSession(opened.page));
    const { link } = await newPerson(server, owner.id);
    await opened.page.goto(`${server.url}/console/join#${link}`);
    faults.push(...opened.faults);
  });
  afterAll(async () => {
    await close();
    await server.stop();
    await browser.close();
  });

  test("signs in, makes a calendar and an event", async () => {
    await keys.press("button", en.signIn.button);
    await keys.page.getByText(en.calendars.empty).waitFor();
    await keys.press("button", en.calendars.add);
    await keys.type(en.calendars.name, "Concerts");
    await keys.press("button", en.calendars.create);
    await keys.page.getByRole("heading", { name: "Concerts", level: 1 }).waitFor();
    await keys.press("button", en.calendar.newEvent);
    await keys.type(en.event.title, "Premiere");
    await keys.press("button", en.save);
    await keys.hear(en.event.added("Premiere"));
  });

  test("makes a series, moves one of it, and undoes", async () => {
    await keys.press("button", en.calendar.newEvent);
    await keys.type(en.event.title, "Choir");
    await keys.reach("combobox", en.series.repeat);
    await keys.page.keyboard.type("Every week");
    await keys.reach("combobox", en.series.ends);
    await keys.page.keyboard.type("After");
    await keys.press("button", en.save);
    await keys.hear(en.series.addedMany(10));
    await openEvent("Choir");
    await keys.type(en.event.title, "Choir in the park");
    await keys.press("button", en.save);
    await keys.page.getByRole("dialog", { name: en.series.which }).waitFor();
    await keys.press("button", /^Only /);
    await keys.hear(en.series.savedMany(1));
    await keys.press("button", en.undo);
    await keys.hear(en.undone);
    await openEvent("Choir");
    await keys.press("button", en.close);
  });

  test("cancels an event, takes that back, duplicates, deletes and restores it", async () => {
    await openEvent("Premiere");
    await keys.press("button", en.event.cancelOrRemove);
    await keys.press("button", en.event.cancel);
    await keys.hear(en.event.cancelled("Premiere"));
    await openEvent("Premiere");
    await keys.press("button", en.event.cancelOrRemove);
    await keys.press("button", en.event.revive);
    await keys.hear(en.event.revived("Premiere"));
    await openEvent("Premiere");
    await keys.press("button", `${en.event.duplicate} …`);
    await keys.press("button", en.event.duplicate);
    await keys.hear(en.event.duplicated(1));
    await openEvent("Premiere");
    await keys.press("button", en.event.cancelOrRemove);
    await keys.press("button", en.event.remove);
    await keys.hear(en.event.removed("Premiere"));
    await keys.press("link", en.nav.trash);
    await keys.press("button", new RegExp(`^${en.trash.restore}`));
    await keys.hear(en.trash.restored("Premiere"));
  });

  test("asks before what is typed is left, and offers it again", async () => {
    await openCalendar();
    await keys.press("button", en.calendar.newEvent);
    await keys.type(en.event.title, "Half typed");
    await keys.page.keyboard.press("Escape");
    await keys.page.getByRole("dialog", { name: en.event.leave.title }).waitFor();
    await keys.press("button", en.event.leave.stay);
    await keys.page.reload();
    await keys.press("button", en.event.dropDraft);
    await keys.page.keyboard.press("Escape");
    await keys.page.getByRole("dialog").waitFor({ state: "detached" });
  });

  test("selects events, moves them by a day, and undoes", async () => {
    await openCalendar();
    await keys.press("button", en.calendar.agenda);
    await keys.press("button", en.many.select);
    await keys.press("checkbox", /^All of /, "Space");
    await keys.press("button", en.many.change);
    await keys.reach("spinbutton", en.many.days);
    await keys.page.keyboard.press("ArrowUp");
    await keys.press("button", /^Change \d+ event/);
    await keys.hear("changed");
    await keys.press("button", en.undo);
    await keys.hear(en.undone);
  });

  test("pastes a table, looks at it and imports it", async () => {
    await openCalendar();
    await keys.press("link", en.calendar.tabs.import);
    await keys.reach("textbox", en.import.paste);
    await keys.page.keyboard.insertText("Title\tDate\tStart time\nReading\t2027-03-05\t19:00");
    await keys.press("button", en.import.look);
    await keys.reach("button", en.import.button(1));
    // Who was in another window meanwhile finds what is looked at, though all is loaded again.
    const { page } = keys;
    await page.clock.setFixedTime(Date.now() + 60_000);
    const loadedAgain = page.waitForResponse((response) => response.url().includes("/calendars/details/"));
    await page.evaluate("dispatchEvent(new Event('visibilitychange'))");
    await loadedAgain;
    await setTimeout(200);
    await keys.press("button", en.import.button(1));
    await keys.hear(en.import.done(en.import.counts.created(1)));
  });

  test("goes through the parts of the calendar, and sets a default", async () => {
    await openCalendar();
    await keys.press("link", en.calendar.tabs.share);
    await keys.reach("textbox", en.share.link);
    await keys.press("link", en.calendar.tabs.settings);
    await keys.reach("spinbutton", en.defaults.length);
    await keys.page.keyboard.press("ArrowUp");
    await keys.press("button", en.save);
    await keys.press("link", en.calendar.tabs.history);
    await keys.page.getByText(en.history.lead).waitFor();
    await keys.press("link", en.calendar.tabs.followers);
    await keys.page.getByText(en.followers.none).waitFor();
  });

  test("invites a person, makes a token and revokes it, finds an event", async () => {
    await keys.press("link", en.nav.people);
    await keys.press("button", en.people.invite);
    await keys.type(en.people.name, "Grace");
    await keys.press("button", en.people.make);
    await keys.reach("textbox", en.people.link);
    await keys.page.keyboard.press("Escape");
    await keys.page.locator(".you summary").press("Enter");
    await keys.press("link", en.nav.programs);
    await keys.press("button", `${en.programs.create} …`);
    await keys.type(en.programs.name, "Site");
    await keys.press("button", en.programs.create);
    await keys.reach("textbox", en.programs.secret);
    await keys.press("button", en.close);
    await keys.press("button", new RegExp(`^${en.programs.revoke}`));
    await keys.press("button", en.programs.revoke);
    await keys.hear(en.programs.revoked);
    await keys.press("link", en.nav.search);
    await keys.type(en.search.query, "reading");
    await keys.page.keyboard.press("Enter");
    await keys.press("button", /Reading/);
    await keys.page.getByRole("dialog", { name: en.event.edit }).waitFor();
  });

  test("nothing moves where motion is reduced, and forced colours show what is chosen", async () => {
    const { page } = keys;
    await page.emulateMedia({ reducedMotion: "reduce", forcedColors: "active" });
    await page.goto(`${server.url}/console/`);
    await openCalendar();
    const chosen = await page.evaluate<readonly string[]>(`["true", "false"].map((pressed) =>
      getComputedStyle(document.querySelector('[aria-pressed="' + pressed + '"]')).backgroundColor)`);
    expect(chosen[0]).not.toBe(chosen[1]);
    const outline = `getComputedStyle(document.querySelector('[aria-selected="true"]')).outlineStyle`;
    expect(await page.evaluate(outline)).toBe("solid");
    await keys.press("button", en.calendar.newEvent);
    await page.getByRole("dialog", { name: en.event.add }).waitFor();
    expect(await page.evaluate("document.getAnimations().length")).toBe(0);
    await page.keyboard.press("Escape");
  });

  test("each stop had a name and a mark, and nothing lay over it", () => {
    expect([...keys.faults]).toEqual([]);
    expect(faults).toEqual([]);
  });

  /** Goes to the calendar by the links of the frame. */
  async function openCalendar(): Promise<void> {
    await keys.press("link", en.nav.calendars);
    await keys.press("link", "Concerts");
    await keys.page.getByRole("heading", { name: "Concerts", level: 1 }).waitFor();
  }

  /** Opens an event of the day that is chosen, in the list beside the month. */
  async function openEvent(title: string): Promise<void> {
    if ((await keys.page.getByRole("grid").count()) === 0) await openCalendar();
    await keys.press("button", new RegExp(`${title}\\b`));
    await keys.page.getByRole("dialog", { name: en.event.edit }).waitFor();
  }
});
