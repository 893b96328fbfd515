import { expect, test } from "vitest";
import { purgeDeletedCalendars } from "../src/events/calendar-purge-job.js";
import { deleteAccount } from "../src/cli/accounts.js";
import { purgeRequested } from "../src/events/trash-purge-job.js";
import { addFollower } from "./calls.js";
import { hasBytes } from "./database-bytes.js";
import { startTestServer, type TestAccount, testServer, withMail } from "./harness.js";
import { startSmtp } from "./smtp.js";
import { addEndpoint, everyType } from "./webhook-world.js";

// What was removed for good is in no byte of the database any more, that of the trash included (docs/decisions/0014).

const server = await testServer();

const holds = (text: string, file = server.databaseFile): Promise<boolean> => hasBytes(file, text);

async function purge(): Promise<void> {
  await purgeRequested(server.db);
  await purgeDeletedCalendars(server.db);
}

let made = 0;

/** A calendar with a deleted event, a deleted series, drafts and a follower, all of whose texts have the secret. */
async function secretCalendar(account: TestAccount) {
  const secret = `Secret${++made}-`;
  await addEndpoint(server.db, account.id, { types: everyType, with_person: 1 });
  const texts = {
    title: `${secret}title`,
    description: `${secret}text `.repeat(600),
    location: `${secret}place`,
  };
  const { title, description } = texts;
  const { id } = (await account.call("createCalendar", { title, description })).body.calendar;
  const event = { calendar_id: id, ...texts, start_date: "2026-08-04T10:00" };
  const custom_data = JSON.stringify({ [`${secret}name`]: `${secret}value` });
  const added = await account.call("eventsCreate", {
    ...event,
    custom_data,
    categories: `${secret}category`,
  });
  const event_id: string = added.body.event.id;
  const series = (await account.call("eventsSeriesCreate", { ...event, rrule: "FREQ=DAILY;COUNT=3" })).body
    .event_ids[0];
  const { key } = await addFollower(server, account, id, {
    name: `${secret}person`,
    email: `${secret}x@x.example`,
  });
  await account.call("deleteEvent", { event_id });
  // Drafts: two dates of a series that stay as they are, and one that is changed and deleted.
  const hidden = {
    calendar_id: id,
    title: `${secret}hidden`,
    start_date: "2026-08-04T10:00",
    published: "false",
  };
  await account.call("eventsSeriesCreate", { ...hidden, description, rrule: "FREQ=DAILY;COUNT=2" });
  const draft_id = (await account.call("eventsCreate", { ...hidden, title: `${secret}gone` })).body.event.id;
  await account.call("eventsUpdate", { event_id: draft_id, location: `${secret}left`, custom_data });
  await account.call("eventsUpdate", { event_id: draft_id, location: "" });
  await account.call("eventsDelete", { event_id: draft_id });
  await account.call("eventsSeriesDelete", { event_id: series, scope: "all" });
  return { secret, calendar_id: String(id), event_id, key };
}

test("of purged events and series nothing stays", async () => {
  const account = await server.account();
  const { secret, calendar_id } = await secretCalendar(account);
  const texts = ["place", "name", "value", "category", "gone", "left"].map((text) => `${secret}${text}`);
  for (const text of texts.slice(0, 1)) expect(await holds(text)).toBe(true);
  await account.call("trashPurge", { calendar_id });
  await purge();
  for (const text of texts) expect([text, await holds(text)]).toEqual([text, false]);
  expect(await holds(`${secret}hidden`)).toBe(true);
});

test("of a purged calendar nothing stays but its key", async () => {
  const account = await server.account();
  const { secret, calendar_id } = await secretCalendar(account);
  await account.call("deleteCalendar", { calendar_id });
  await purge();
  expect(await holds(secret)).toBe(true);
  await account.call("trashPurge", { all: "true" });
  await purge();
  expect(await holds(secret)).toBe(false);
});

test("of a deleted account nothing stays, its trash included", async () => {
  const account = await server.account();
  const [one, two] = [await secretCalendar(account), await secretCalendar(account)];
  await account.call("deleteCalendar", { calendar_id: two.calendar_id });
  await deleteAccount(server.db, account.id, { yes: true }, server.now);
  for (const { secret } of [one, two]) expect([secret, await holds(secret)]).toEqual([secret, false]);
});

test("of a follower who deletes their data nothing stays, also while the calendar can be restored", async () => {
  const account = await server.account();
  const { secret, calendar_id, key } = await secretCalendar(account);
  await account.call("deleteCalendar", { calendar_id });
  expect(await holds(`${secret}person`)).toBe(true);
  await server.request(`/f/${key}/delete`, { method: "POST" });
  for (const text of [`${secret}person`, `${secret}x@x.example`])
    expect([text, await holds(text)]).toEqual([text, false]);
});

test("of an address that was confirmed and told of changes nothing stays, once it is removed or its follower is erased", async () => {
  await using smtp = await startSmtp();
  const mailing = await startTestServer({ ...withMail, SMTP_URL: smtp.url });
  const account = await mailing.account();
  const holdsIn = (text: string) => holds(text, mailing.databaseFile);
  await addEndpoint(mailing.db, account.id, { types: everyType, with_person: 1 });
  const { id, uniquekey } = (await account.call("createCalendar", { title: "Club" })).body.calendar;
  const [removed, erased] = ["remove-canary@example.com", "erase-canary@example.com"];
  const post = (path: string, fields: Record<string, string>) =>
    mailing.request(path, { method: "POST", body: new URLSearchParams(fields), redirect: "manual" });
  const keys: string[] = [];
  for (const email of [removed, erased]) {
    const answer = await post(`/c/${uniquekey}/follow`, { app: "ical", email });
    keys.push(/\/f\/([\w-]{22})/.exec(answer.headers.get("Location") ?? "")?.[1] ?? "");
    await expect.poll(() => smtp.received.at(-1)?.to).toEqual([email]);
    await post(/\/m\/confirm\/\S+/.exec(smtp.received.at(-1)?.text ?? "")?.[0] ?? "", {});
  }
  await account.call("messagesCreate", { calendar_id: id, subject: "Off", text: "Off." });
  await expect.poll(() => smtp.received.length).toBe(4);
  await account.call("subscribersList", { calendar_id: id });
  for (const text of [removed, erased]) expect([text, await holdsIn(text)]).toEqual([text, true]);
  await post(`/f/${keys[0]}/mail`, { remove: "1" });
  await post(`/f/${keys[1]}/delete`, {});
  for (const text of ["remove-canary", "erase-canary"])
    expect([text, await holdsIn(text)]).toEqual([text, false]);
  expect(mailing.logText()).not.toMatch(/canary/);
  await mailing.stop();
});
