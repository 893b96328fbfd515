import { expect, test } from "vitest";
import { testServer } from "../../test/harness.js";
import { newsOf, passWindow } from "../../test/news-world.js";
import { startSmtp } from "../../test/smtp.js";
import type { SubscriberRow } from "../db/rows.js";
import { purgeDeletedCalendars } from "../events/calendar-purge-job.js";

// E-mail to one who follows several calendars by one address, and what portals show of messages (extensions X11.3, X12).

const smtp = await startSmtp({
  refuseAddress: (address) => (address.startsWith("dead") ? "550 5.1.1 No such user" : undefined),
});
const publicUrl = "https://calendars.example.org";
const server = await testServer({ SMTP_URL: smtp.url, SMTP_FROM: "news@example.org", PUBLIC_URL: publicUrl });
const account = await server.account();
await account.call("accountUpdate", { name: "TSV Bergholz", key: "tsv" });

async function newCalendar(title: string): Promise<{ readonly id: string; readonly key: string }> {
  const params = { title, timezone: "Europe/Berlin", listed: "true" };
  const { calendar } = (await account.call("calendarsCreate", params)).body;
  return { id: calendar.id, key: calendar.uniquekey };
}
const [training, concerts, trips] = [
  await newCalendar("Training"),
  await newCalendar("Concerts"),
  await newCalendar("Trips"),
];

const post = (path: string, fields: readonly (readonly [string, string])[]) =>
  server.request(path, {
    method: "POST",
    body: new URLSearchParams(fields.map(([name, value]): [string, string] => [name, value])),
    redirect: "manual",
  });

const choice = (...of: readonly { readonly key: string }[]) =>
  of.map(({ key }) => ["calendar", key] as const);

/** Follows calendars by the form of the portal. Returns the path of the person's page. */
async function followAll(email: string, ...of: readonly { readonly key: string }[]): Promise<string> {
  const answer = await post("/follow", [["app", "apple"], ["email", email], ...choice(...of)]);
  expect(answer.status).toBe(303);
  return (answer.headers.get("Location") ?? "").replace(publicUrl, "");
}

const mailsTo = (address: string) => smtp.received.filter(({ to }) => to.includes(address));
async function linkTo(address: string, kind: "confirm" | "stop", count = 1): Promise<string> {
  await expect.poll(() => mailsTo(address).length).toBe(count);
  return new RegExp(`${publicUrl}(/m/${kind}/\\S+)`).exec(mailsTo(address).at(-1)?.text ?? "")?.[1] ?? "";
}
/** The states of the addresses of a person, by calendar. */
async function statesOf(email: string): Promise<readonly number[]> {
  const rows = await server.db.read<SubscriberRow>("subscribers").where({ email }).orderBy("calendar_id");
  return rows.map(({ news }) => news);
}
const pageOf = async (page: string): Promise<string> => (await server.request(page)).text;
const add = (calendar_id: string, title: string) => {
  const start = new Date((server.now + 3 * 86_400) * 1_000).toISOString().slice(0, 16);
  return account.call("eventsCreate", { calendar_id, title, start_date: start });
};

test("an address left in the portal gets one link, which confirms it for all calendars that were ticked", async () => {
  expect(await pageOf("/o/tsv")).toContain("Be told of changes by e-mail");
  const page = await followAll("ada@example.com", training, concerts);
  const link = await linkTo("ada@example.com", "confirm");
  expect(mailsTo("ada@example.com")[0]?.headers.get("subject")).toContain("TSV Bergholz");
  expect(await pageOf(page)).toContain("A link was sent to the e-mail address a•••@e•••.");
  for (const method of ["GET", "HEAD"]) expect((await server.request(link, { method })).status).toBe(200);
  expect(await statesOf("ada@example.com")).toEqual([1, 1]);
  expect((await post(link, [])).status).toBe(200);
  expect(await statesOf("ada@example.com")).toEqual([2, 2]);
  expect(await pageOf(page)).toContain("News goes to the e-mail address a•••@e•••.");
  // What is ticked later gets the address too, and what is ticked off no news.
  await post(`${page}/calendars`, choice(concerts, trips));
  await passWindow(server);
  for (const { id } of [training, concerts, trips]) await add(id, `Event ${id}`);
  await passWindow(server);
  const news = () => mailsTo("ada@example.com").slice(1);
  await expect.poll(() => news().length).toBe(2);
  expect(
    news()
      .map(({ headers }) => headers.get("subject"))
      .toSorted(),
  ).toEqual(["Concerts: 1 change", "Trips: 1 change"]);
  expect((await newsOf(server.db, training.id)).at(-1)?.receivers).toBe(0);
});

test("a changed address is that of all calendars, also of one that is followed again later", async () => {
  const page = await followAll("first@example.com", training, concerts);
  await post(await linkTo("first@example.com", "confirm"), []);
  await post(`${page}/calendars`, choice(training));
  const wrong = await post(`${page}/mail`, [["email", "x"]]);
  expect(wrong.headers.get("Location")).toContain("?email=wrong#news");
  expect(await pageOf(`${page}?email=wrong`)).toContain("This is not an e-mail address");
  await post(`${page}/mail`, [["email", "second@example.com"]]);
  expect(await statesOf("first@example.com")).toEqual([]);
  await post(`${page}/calendars`, choice(training, concerts));
  expect(await statesOf("second@example.com")).toEqual([1, 1]);
  await post(await linkTo("second@example.com", "confirm"), []);
  expect(await statesOf("second@example.com")).toEqual([2, 2]);
  await post(`${page}/mail`, [["remove", "1"]]);
  expect(await statesOf("second@example.com")).toEqual([]);
  expect(await pageOf(page)).not.toContain("second@example.com");
});

test("one click ends the e-mails of all calendars, an address that does not exist goes from all, and erasing leaves none", async () => {
  await followAll("stop@example.com", training, concerts);
  await post(await linkTo("stop@example.com", "confirm"), []);
  await add(concerts.id, "Evening");
  await passWindow(server);
  const link = await linkTo("stop@example.com", "stop", 2);
  expect(await pageOf(link)).toContain("no more e-mail about “TSV Bergholz”");
  expect((await post(link, [["List-Unsubscribe", "One-Click"]])).status).toBe(200);
  expect(await statesOf("stop@example.com")).toEqual([]);
  const page = await followAll("gone@example.com", training, concerts);
  await post(await linkTo("gone@example.com", "confirm"), []);
  await post(`${page}/delete`, []);
  expect(await statesOf("gone@example.com")).toEqual([]);
  await followAll("dead@example.com", training, concerts);
  await expect.poll(() => statesOf("dead@example.com")).toEqual([]);
});

test("a calendar that was deleted, for now or for good, keeps the address of no other", async () => {
  const [deleted, kept] = [await newCalendar("Deleted"), await newCalendar("Kept")];
  const page = await followAll("", deleted, kept);
  await account.call("deleteCalendar", { calendar_id: deleted.id });
  await post(`${page}/mail`, [["email", "kept@example.com"]]);
  await post(await linkTo("kept@example.com", "confirm"), []);
  expect(await statesOf("kept@example.com")).toEqual([2, 2]); // one may be restored
  await account.call("trashPurge", { calendar_id: deleted.id });
  await purgeDeletedCalendars(server.db);
  await post(`${page}/mail`, [["email", "kept@example.com"]]);
  expect(await statesOf("kept@example.com")).toEqual([2]);
  expect(await pageOf(page)).toContain("News goes to the e-mail address k•••@e•••.");
  await post(`${page}/calendars`, choice(kept, trips));
  expect(await statesOf("kept@example.com")).toEqual([2, 2]);
  await post(`${page}/mail`, [["email", "other@example.com"]]);
  await post(await linkTo("other@example.com", "confirm"), []);
  expect(await statesOf("other@example.com")).toEqual([2, 2]);
});

test("a message is in the portal until its end, with the name of its calendar, and not one of a calendar that is not listed", async () => {
  const hidden = await account.call("calendarsCreate", { title: "Board", timezone: "Europe/Berlin" });
  const send = (calendar_id: string, subject: string) =>
    account.call("messagesCreate", { calendar_id, subject, text: "The <b>hall</b> is closed." });
  await send(training.id, "Training is off");
  await send(hidden.body.calendar.id, "Secret");
  const text = await pageOf("/o/tsv");
  expect(text).toMatch(/Training<\/p>\s*<h2 dir="auto">Training is off/);
  expect(text).toContain("The &lt;b&gt;hall&lt;/b&gt; is closed.");
  expect(text).not.toContain("Secret");
  server.now += 86_401;
  expect(await pageOf("/o/tsv")).not.toContain("Training is off");
});
