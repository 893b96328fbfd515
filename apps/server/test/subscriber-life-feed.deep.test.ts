import { expect, test } from "vitest";
import { apps } from "../src/followers/agents.js";
import { block, exchange } from "./calls.js";
import { testServer } from "./harness.js";

// The whole way: the page's form, the feed as each app fetches it, the owner's view of it in the API.

const server = await testServer({ TRUST_PROXY: "1" });
const owner = await server.account();

const made = await owner.call("createCalendar", { title: "Concerts", timezone: "UTC" });
const { id: calendar_id, uniquekey } = made.body.calendar;
await owner.call("createEvent", { calendar_id, title: "Opening night", start_date: "07/04/2026 13:30" });

const fetchers = {
  apple: "iOS/16.5 (20F66) dataaccessd/1.0",
  google: "Google-Calendar-Importer",
  outlookcom: "Microsoft Exchange/15.20 (Windows NT 10.0; Win64; x64)",
  office365: "Microsoft Exchange/15.20 (Windows NT 10.0; Win64; x64)",
  outlook: "Microsoft Office/16.0 (Windows NT 10.0; Microsoft Outlook 16.0.16327; Pro)",
  yahoo: "Mozilla/5.0 Thunderbird/115.4.1", // the button was another app's
  ical: "curl/8.5.0", // unknown: the type of the button stays
} as const;
const types = { ...Object.fromEntries(apps.map((app) => [app, app])), yahoo: "ical" };

const subscribers = async (id: "listSubscribers" | "listBlockedSubscribers") => {
  const { body } = await owner.call(id, { calendar_id, order_by: "id-asc" });
  const items: readonly { readonly id: string; readonly name: string; readonly calendar_type: string }[] =
    body.subscribers;
  return items;
};
const feedOf = (key: string, agent: string) =>
  exchange(server, `/f/${key}/concerts.ics`, { headers: { "User-Agent": agent } });

test("each button and each app's first fetch show in the API, and a block empties the feed and shows too", async () => {
  const keys: string[] = [];
  for (const [index, app] of apps.entries()) {
    const answer = await exchange(server, `/c/${uniquekey}/follow`, {
      method: "POST",
      headers: {
        "Content-Type": "application/x-www-form-urlencoded",
        "X-Forwarded-For": `10.4.0.${index}`,
      },
      body: `app=${app}&name=${app}`,
    });
    keys.push(answer.headers.get("Location")?.replace("/f/", "") ?? "");
    const feed = await feedOf(keys.at(-1) ?? "", fetchers[app]);
    expect([feed.status, feed.text.includes("SUMMARY:Opening night")]).toEqual([200, true]);
  }
  const shown = async () =>
    Object.fromEntries(
      (await subscribers("listSubscribers")).map(({ name, calendar_type }) => [name, calendar_type]),
    );
  await expect.poll(shown, { timeout: 120_000, interval: 100 }).toEqual(types);

  const [first] = await subscribers("listSubscribers");
  await block(server.db, Number(first?.id), server.now);
  expect(await subscribers("listBlockedSubscribers")).toEqual([{ ...first, blocked: "true" }]);
  const emptied = await feedOf(keys[0] ?? "", fetchers.apple);
  expect([emptied.status, emptied.text.includes("BEGIN:VEVENT")]).toEqual([200, false]);
});
