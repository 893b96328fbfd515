import { join } from "node:path";
import { createExtensionsClient } from "@kalends/client/extensions";
import type { Browser } from "playwright-core";
import { issueLink } from "../../apps/server/src/people/links.js";
import { insertPerson, putGrant } from "../../apps/server/src/people/queries.js";
import type { RunningServer } from "../../apps/server/src/process/server.js";

/** A season of rehearsals beside the concerts. */
const rehearsals = {
  title: "Open choir",
  start_date: "2026-11-03T18:30",
  end_date: "2026-11-03T20:00",
  rrule: "FREQ=WEEKLY;COUNT=8",
  location: "Studio B",
  color_id: "5",
};

interface Shown {
  /** Of the calendar. */
  readonly id: string;
  /** Unix seconds of the pictures. */
  readonly now: number;
  readonly token: string;
  /** Whose calendar it is. */
  readonly account: number;
}

/** Takes the pictures of docs/console.md, of someone who has signed in. */
export async function takeConsole(
  browser: Browser,
  server: Pick<RunningServer, "url" | "db">,
  folder: string,
  { id, now, token, account }: Shown,
): Promise<void> {
  const client = createExtensionsClient({ baseUrl: server.url, token });
  await client.calendars.add({ title: "Club nights", timezone: "Europe/Berlin", palette_id: "2" });
  const { event_ids } = await client.events.series.create({ calendar_id: id, ...rehearsals });
  const page = await browser.newPage({
    viewport: { width: 1200, height: 800 },
    locale: "en-GB",
    timezoneId: "Europe/Berlin",
    reducedMotion: "reduce",
  });
  await page.clock.setFixedTime(now * 1000);
  await page.goto(`${server.url}/console/join#${await signInLink(server, account, now)}`);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.getByText("Club nights").waitFor();
  const month = `/calendars/${id}?day=2026-11-21`;
  await page.goto(`${server.url}/console${month}`);
  await page.getByText("Open stage").first().waitFor();
  await page.screenshot({ path: join(folder, "console-month.png") });
  await page.goto(`${server.url}/console${month}&event=${event_ids[2]}`);
  await page.getByRole("button", { name: "Change how it repeats" }).click();
  await page.getByText("and 2 more").scrollIntoViewIfNeeded();
  await page.screenshot({ path: join(folder, "console-series.png") });
  await page.goto(`${server.url}/console${month}&view=agenda`);
  await page.getByRole("button", { name: "Select" }).click();
  await page.getByLabel("All of November 2026").check();
  await page.getByRole("button", { name: "Change or delete …" }).click();
  await page.getByLabel("Days").fill("7");
  await page.getByText("Nothing is changed yet").waitFor();
  await page.screenshot({ path: join(folder, "console-many.png") });
  await page.context().close();
}

/** Returns the secret of a link that signs an owner in. */
export async function signInLink(
  { db }: Pick<RunningServer, "db">,
  account_id: number,
  created_at: number,
): Promise<string> {
  return db.transaction(async (trx) => {
    const person = { account_id, name: "Ada Lovelace", email: "", language: "en", created_at };
    const { id: person_id } = await insertPerson(trx, person);
    await putGrant(trx, { person_id, calendar_id: 0, role: "owner", sees_followers: 1 });
    return (await issueLink(trx, person_id, "join", created_at)).secret;
  });
}
