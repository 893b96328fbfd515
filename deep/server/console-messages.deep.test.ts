import { setTimeout } from "node:timers/promises";
import type { Locator } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { de } from "../../apps/console/src/texts/de.js";
import type { TestAccount, TestServer } from "../../apps/server/test/harness.js";
import { addReceiver, newsOf, passWindow } from "../../apps/server/test/news-world.js";
import { startSmtp, type TestSmtpServer } from "../../apps/server/test/smtp.js";
import { violations, type WatchedPage, withoutBrowser } from "./browser.js";
import { startConsole } from "./console-world.js";

// E-mail to followers, in the console of a server that sends it to a real SMTP server.

let smtp: TestSmtpServer;
let world: Awaited<ReturnType<typeof startConsole>> | undefined;
let server: TestServer;
let owner: TestAccount;
let made: WatchedPage;
let club: { readonly id: string; readonly uniquekey: string };
let quiet: { readonly id: string };

beforeAll(async () => {
  if (withoutBrowser !== "") return;
  smtp = await startSmtp();
  const mail = { SMTP_URL: smtp.url, SMTP_FROM: "news@example.org", PUBLIC_URL: "http://127.0.0.1:1" };
  world = await startConsole(mail, browserNow());
  ({ server, owner, made } = world);
  const create = async (title: string) =>
    (await owner.call("createCalendar", { title, timezone: "Europe/Berlin" })).body.calendar;
  [club, quiet] = [await create("Turnverein"), await create("Still")];
  await addReceiver(server, owner, club.id, { email: "ada@example.com", language: "de" });
  await addReceiver(server, owner, club.id, { email: "grace@example.com", language: "en" });
});
afterAll(async () => {
  await world?.stop();
  await smtp?.[Symbol.asyncDispose]();
});

/** The console has the clock of the browser. */
const browserNow = (): number => Math.floor(Date.now() / 1_000);
const button = (name: string): Locator => made.page.getByRole("button", { name, exact: true });
const field = (name: string): Locator => made.page.getByLabel(name, { exact: true });
const said = (text: string): Locator => made.page.getByRole("status").getByText(text);
const tick = (): Locator => made.page.getByRole("checkbox", { name: de.news.tell(2) });
const open = (path: string): Promise<unknown> => made.page.goto(`${server.url}/console/calendars/${path}`);
const dayIn = (days: number): string =>
  new Date((server.now + days * 86_400) * 1_000).toISOString().slice(0, 10);
const add = async (
  title: string,
  days: number,
  more: Readonly<Record<string, string>> = {},
): Promise<string> => {
  const sent = { calendar_id: club.id, title, start_date: `${dayIn(days)}T18:00`, ...more };
  const { body } = await owner.call("eventsCreate", sent);
  return body.event.id;
};
/** What followers were told since the last time. */
async function told() {
  const before = (await newsOf(server.db, club.id)).length;
  await passWindow(server);
  server.now = browserNow();
  const news = (await newsOf(server.db, club.id)).slice(before);
  return news.flatMap(({ changes }) =>
    changes.map(({ kind, title, note }) => [kind, title, note].join(" ").trim()),
  );
}

test.skipIf(withoutBrowser !== "")(
  `a message is seen as followers will see it, sent, shown with its end, and taken back${withoutBrowser}`,
  async () => {
    const { page } = made;
    await open(`${club.id}/messages`);
    await page.getByText(de.news.lead(2)).waitFor();
    await button(de.news.send).click();
    expect(await page.getByText(de.errors.required).count()).toBe(2);
    await field(de.news.subject).fill("Heute kein Training");
    await field(de.news.text).fill("Die Halle ist gesperrt.\nBis Donnerstag!");
    expect(await violations(page)).toEqual([]);
    const letter = (await page.locator(".letter").nth(1).innerText())
      .split("\n")
      .filter((line) => line !== "");
    await button(de.news.send).click();
    await page.getByText(de.news.sure(2)).waitFor();
    await button(de.news.sureSend).click();
    await said(de.news.sent(2)).waitFor();
    await expect.poll(() => smtp.received.length).toBe(2);
    const mail = smtp.received.find(({ to }) => to[0] === "ada@example.com");
    expect(letter[0]).toBe(mail?.headers.get("subject"));
    for (const line of letter.slice(1)) expect(mail?.text).toContain(line);
    // What was sent is counted a moment later, and the page does not follow.
    const sent = async () =>
      (await owner.get("messagesList", { calendar_id: club.id })).body.messages[0].sent;
    await expect.poll(sent).toBe(2);
    await page.reload();
    await page.getByText(de.news.counted(2, 2, 0)).waitFor();
    expect(await field(de.news.subject).inputValue()).toBe("");
    const shown = async () =>
      (await server.request(`/c/${club.uniquekey}`)).text.includes("Heute kein Training");
    expect(await shown()).toBe(true);
    await button(de.news.takeBack).click();
    await page.getByRole("dialog").getByRole("button", { name: de.news.takeBack }).click();
    await page.getByText(new RegExp(de.news.back)).waitFor(); // in the list; the notice has it in small letters
    expect(await shown()).toBe(false);
  },
);

test.skipIf(withoutBrowser !== "")(
  `a message whose answers are lost is sent once, though it is sent again${withoutBrowser}`,
  async () => {
    const { page } = made;
    const send = async (): Promise<void> => {
      await button(de.news.send).click();
      await button(de.news.sureSend).click();
    };
    const sendUnanswered = async (subject: string): Promise<void> => {
      await field(de.news.subject).fill(subject);
      await field(de.news.text).fill("Bitte pünktlich.");
      await page.route("**/messages/create/", async (route) => {
        const headers = { ...route.request().headers(), "sec-fetch-site": "same-origin" };
        expect((await route.fetch({ headers })).status()).toBe(200); // the server has it
        await route.abort("connectionreset");
      });
      await send();
      await page.getByText(de.event.notSaved).waitFor();
      await page.unroute("**/messages/create/");
    };
    await open(`${club.id}/messages`);
    await sendUnanswered("Nur einmal");
    await send();
    await said(de.news.sent(2)).waitFor();
    await sendUnanswered("Erst so");
    await field(de.news.subject).fill("Dann anders");
    await send();
    await page.getByText(de.errors.reused).waitFor();
    const { messages } = (await owner.get("messagesList", { calendar_id: club.id })).body;
    const subjects = messages.map(({ subject }: { readonly subject: string }) => subject);
    expect(subjects.slice(0, 2).toSorted()).toEqual(["Erst so", "Nur einmal"]);
    expect(made.faults.splice(0).join()).toMatch(
      /^(?:,?console: Failed to load resource: (?:net::ERR_[A-Z_]+|[^,]*422)[^,]*)+$/,
    );
  },
);

test.skipIf(withoutBrowser !== "")(
  `saving an event of the next 14 days asks whether followers are told, and undo keeps to the answer${withoutBrowser}`,
  async () => {
    const { page } = made;
    const id = await add("Training", 3);
    const far = await add("Sommerfest", 60);
    await told();
    await open(`${club.id}?day=${dayIn(60)}&event=${far}`);
    await field(de.event.place).fill("Garten");
    expect(await tick().count()).toBe(0);
    await page.getByRole("dialog").press("Escape");
    await button(de.event.leave.discard).click();
    await open(`${club.id}?day=${dayIn(3)}&event=${id}`);
    await field(de.event.place).waitFor();
    expect(await tick().count()).toBe(0);
    await field(de.event.place).fill("Halle 2");
    await tick().uncheck();
    expect(await violations(page)).toEqual([]);
    await button(de.save).click();
    await said("Training").waitFor();
    await button(de.undo).click();
    await said(de.undone).waitFor();
    expect(await told()).toEqual([]);
    await open(`${club.id}?day=${dayIn(3)}&event=${id}`);
    await field(de.event.place).fill("Halle 3");
    await page.getByLabel(de.news.note).fill("Halle 2 ist belegt.");
    await button(de.save).click();
    await said("Training").waitFor();
    expect(await told()).toEqual(["moved Training Halle 2 ist belegt."]);
    await open(`${quiet.id}?new=${dayIn(2)}&day=${dayIn(2)}`);
    await field(de.event.title).fill("Niemand");
    expect(await page.getByText(de.news.tellHint).count()).toBe(0);
  },
);

test.skipIf(withoutBrowser !== "")(
  `cancelling tells with its sentence, deleting quietly tells nothing${withoutBrowser}`,
  async () => {
    const { page } = made;
    const [first, second] = [await add("Erste Stunde", 4), await add("Zweite Stunde", 5)];
    await told();
    await open(`${club.id}?day=${dayIn(4)}&event=${first}`);
    await button(de.event.cancelOrRemove).click();
    await tick().waitFor();
    await page.getByText(de.news.removeText).waitFor();
    expect(await violations(page)).toEqual([]);
    await page.getByLabel(de.event.cancelWhy).fill("Kein Licht");
    await button(de.event.cancel).click();
    await said(de.event.cancelled("Erste Stunde")).waitFor();
    await open(`${club.id}?day=${dayIn(5)}&event=${second}`);
    await button(de.event.cancelOrRemove).click();
    await tick().uncheck();
    await button(de.event.remove).click();
    await said(de.event.removed("Zweite Stunde")).waitFor();
    expect(await told()).toEqual(["cancelled Erste Stunde Kein Licht"]);
  },
);

test.skipIf(withoutBrowser !== "")(
  `a series, copies and many events at once ask too${withoutBrowser}`,
  async () => {
    const { page } = made;
    await open(`${club.id}?new=${dayIn(2)}&day=${dayIn(2)}`);
    await field(de.event.title).fill("Kurs");
    await field(de.series.repeat).selectOption("WEEKLY");
    await field(de.series.count).fill("5");
    await tick().uncheck();
    await button(de.save).click();
    await said(de.series.addedMany(5)).waitFor();
    expect(await told()).toEqual([]);
    const { body } = await owner.get("eventsList", { calendar_id: club.id, q: "Kurs", order_by: "date-asc" });
    const last: { readonly id: string } = body.events[4];
    await open(`${club.id}?day=${dayIn(30)}&event=${last.id}`);
    await field(de.event.title).fill("Kurs für alle");
    await tick().waitFor();
    await button(de.save).click();
    await page.getByRole("button", { name: de.series.scope.all(5) }).click();
    await said(de.series.savedMany(5)).waitFor();
    expect(await told()).toEqual(["changed Kurs für alle", "changed Kurs für alle"]);
    const single = await add("Vortrag", 6);
    await told();
    await open(`${club.id}?day=${dayIn(6)}&event=${single}`);
    await button(`${de.event.duplicate} …`).click();
    await tick().uncheck();
    await page
      .getByRole("dialog")
      .last()
      .getByRole("button", { name: de.event.duplicate, exact: true })
      .click();
    await said(de.event.duplicated(1)).waitFor();
    await open(`${club.id}?day=${dayIn(6)}&view=agenda`);
    await button(de.many.select).click();
    await page.getByLabel(de.many.all("").trim()).first().check();
    await button(de.many.change).click();
    await field(de.many.what).selectOption("color_id");
    expect(await tick().count()).toBe(0);
    await field(de.many.what).selectOption("location");
    await field(de.event.place).fill("Überall");
    await tick().uncheck();
    await page.getByRole("dialog").locator("button[type=submit]").click();
    await said("geändert").waitFor();
    expect(await told()).toEqual([]);
  },
);

test.skipIf(withoutBrowser !== "")(
  `the trash, the history and an import ask too, and followers are told nothing when it is unticked${withoutBrowser}`,
  async () => {
    const { page } = made;
    const id = await add("Turnfest", 7);
    await owner.call("eventsUpdate", { event_id: id, location: "Halle 9" });
    await owner.call("eventsDelete", { event_id: id });
    await told();
    const inDialog = (name: string): Promise<void> =>
      page.getByRole("dialog").getByRole("button", { name, exact: true }).click();
    // Who clicks before it is known whether followers will be told is asked, too.
    await page.route("**/messages/list/**", async (route) => {
      await setTimeout(1_000);
      await route.continue();
    });
    await page.goto(`${server.url}/console/trash`);
    const row = page.getByRole("listitem").filter({ hasText: "Turnfest" });
    await row.getByRole("button", { name: de.trash.restore, exact: true }).click();
    const answer = page.getByRole("dialog").getByRole("button", { name: de.trash.restore, exact: true });
    expect(await answer.isDisabled()).toBe(true);
    await tick().uncheck();
    expect(await violations(page)).toEqual([]);
    await page.unroute("**/messages/list/**");
    await inDialog(de.trash.restore);
    await said(de.trash.restored("Turnfest")).waitFor();
    expect(await told()).toEqual([]);

    await open(`${club.id}/history?event=${id}`);
    await button(de.history.revert).last().click();
    await page.getByLabel(de.news.note).fill("Doch in der alten Halle.");
    await inDialog(de.history.revert);
    await said(de.history.reverted("Turnfest")).waitFor();
    expect(await told()).toEqual(["moved Turnfest Doch in der alten Halle."]);

    await open(`${club.id}/import`);
    const pasted = (title: string): string => `Titel\tDatum\n${title}\t${dayIn(8)}`;
    await field(de.import.paste).fill(pasted("Leise"));
    await button(de.import.look).click();
    await tick().uncheck();
    await button(de.import.button(1)).click();
    await page.getByRole("link", { name: de.import.see }).waitFor();
    expect(await told()).toEqual([]);
    await field(de.import.paste).fill(pasted("Laut"));
    await button(de.import.look).click();
    await tick().waitFor();
    await button(de.import.button(1)).click();
    await page.getByRole("link", { name: de.import.see }).waitFor();
    expect(await told()).toEqual(["added Laut"]);
  },
);

test.skipIf(withoutBrowser !== "")(
  `without SMTP_URL nothing of the console speaks of e-mail${withoutBrowser}`,
  async () => {
    const without = await startConsole();
    try {
      const { id } = (
        await without.owner.call("createCalendar", { title: "Ohne", timezone: "Europe/Berlin" })
      ).body.calendar;
      const { page } = without.made;
      await page.goto(`${without.server.url}/console/calendars/${id}?new=${dayIn(1)}&day=${dayIn(1)}`);
      await page.getByLabel(de.event.title, { exact: true }).fill("Probe");
      expect(await page.getByRole("link", { name: de.calendar.tabs.messages }).count()).toBe(0);
      expect(await page.getByText(/E-Mail(?! d)/).count()).toBe(0);
      await page.goto(`${without.server.url}/console/calendars/${id}/messages`);
      await page.getByText(de.unknown.text).waitFor();
    } finally {
      await without.stop();
    }
  },
);
