import { expect, test } from "vitest";
import { addFollower } from "../../test/calls.js";
import { testServer } from "../../test/harness.js";
import { mailsOf } from "../../test/mailing.js";
import { addReceiver, passWindow } from "../../test/news-world.js";
import { startSmtp } from "../../test/smtp.js";
import { daySeconds } from "../time/formats.js";
import { formatInstant } from "../time/instants.js";
import { addNews, forgetNews } from "../webhooks/mail-queries.js";
import { purgeMail } from "../webhooks/purge-job.js";

// Messages of an organizer, and what readers of feeds see (extensions X12.2, X12.4).

const smtp = await startSmtp();
const publicUrl = "https://calendars.example.org";
const server = await testServer({ SMTP_URL: smtp.url, SMTP_FROM: "news@example.org", PUBLIC_URL: publicUrl });
const account = await server.account();

async function newCalendar(): Promise<{ readonly id: string; readonly uniquekey: string }> {
  return (await account.call("createCalendar", { title: "Club", timezone: "Europe/Berlin" })).body.calendar;
}

const message = { subject: "Training is off", text: "The hall <b>is</b> closed." };

test("a message goes to confirmed followers alone, and is on the page of the calendar until its end", async () => {
  const { id: calendar_id, uniquekey } = await newCalendar();
  await addReceiver(server, account, calendar_id, { email: "yes@example.com", language: "fr" });
  await addReceiver(server, account, calendar_id, { email: "blocked@example.com", blocked: 1 });
  await addFollower(server, account, calendar_id, { email: "unconfirmed@example.com" });
  await addFollower(server, account, calendar_id, { email: "asked@example.com", news: 1 });
  const tried = await account.call("messagesCreate", { ...message, calendar_id, dry_run: "true" });
  expect(tried.body).toMatchObject({ dry_run: true, message: { id: "", receivers: 1 } });
  expect((await account.call("messagesList", { calendar_id })).body).toMatchObject({
    receivers: 1,
    messages: [],
  });
  const { body } = await account.call("messagesCreate", { ...message, calendar_id });
  expect(body).toMatchObject({ dry_run: false, message: { ...message, receivers: 1 } });
  await expect
    .poll(async () => (await account.call("messagesList", { calendar_id })).body.messages)
    .toMatchObject([{ id: body.message.id, sent: 1, failed: 0 }]);
  expect(smtp.received.map(({ to }) => to)).toEqual([["yes@example.com"]]);
  expect(smtp.received[0]?.text).toContain("Arrêter ces e-mails");
  const page = async (): Promise<string> => (await server.request(`/c/${uniquekey}`)).text;
  expect(await page()).toContain("The hall &lt;b&gt;is&lt;/b&gt; closed.");
  server.now += 86_401;
  expect(await page()).not.toContain("closed.");
});

test("a calendar has at most 5 messages a day, and a repeated request sends none", async () => {
  const { id: calendar_id } = await newCalendar();
  const statuses: number[] = [];
  for (let count = 0; count < 7; count++)
    statuses.push((await account.call("messagesCreate", { ...message, calendar_id })).status);
  expect(statuses).toEqual([200, 200, 200, 200, 200, 409, 409]);
  const { id: other } = await newCalendar();
  const headers = { Authorization: `Bearer ${account.token}`, "Idempotency-Key": "once" };
  const send = () =>
    server.request("/api/kalends/v1/messages/create/", {
      method: "POST",
      headers,
      body: new URLSearchParams({ ...message, calendar_id: other }),
    });
  expect([(await send()).status, (await send()).status]).toEqual([200, 200]);
  expect((await account.call("messagesList", { calendar_id: other })).body.messages.length).toBe(1);
});

test("a message that is taken back is on no page, in no feed, and goes to no one who has not got it", async () => {
  const { id: calendar_id, uniquekey } = await newCalendar();
  const { id: other } = await newCalendar();
  const { body } = await account.call("messagesCreate", { ...message, calendar_id });
  const message_id: string = body.message.id;
  const { id: subscriber_id } = await addReceiver(server, account, calendar_id, {
    email: "late@example.com",
  });
  // A mail server was away: it is sent again in a while.
  const waits = { news_id: message_id, subscriber_id, kind: "news", priority: 1, next_at: server.now + 60 };
  const of = { account_id: account.id, calendar_id, created_at: server.now };
  await server.db.transaction((trx) => trx("mail_deliveries").insert({ ...of, ...waits }));
  const shown = async () =>
    (
      await Promise.all([`/c/${uniquekey}`, `/c/${uniquekey}/news.atom`].map((path) => server.request(path)))
    ).map(({ text }) => text.includes("closed."));
  expect(await shown()).toEqual([true, true]);
  const withdraw = { calendar_id, message_id };
  expect((await account.call("messagesWithdraw", { ...withdraw, calendar_id: other })).status).toBe(404);
  const taken = await account.call("messagesWithdraw", withdraw);
  expect(taken.body.message).toMatchObject({ ...message, shown_until: "" });
  expect(await account.call("messagesWithdraw", withdraw)).toMatchObject({ status: 200 });
  expect(await shown()).toEqual([false, false]);
  server.now += 61;
  await account.call("messagesCreate", { calendar_id, subject: "Next", text: "On again." });
  const late = () => smtp.received.filter(({ to: [first] }) => first === "late@example.com");
  await expect.poll(() => late().map(({ headers }) => headers.get("subject"))).toEqual(["Club: Next"]);
});

test("texts that are too long or empty, an end in the past and a foreign calendar are refused", async () => {
  const { id: calendar_id } = await newCalendar();
  const foreign = await server.account();
  for (const wrong of [
    { subject: "a\nb" },
    { subject: "x".repeat(151) },
    { text: "x".repeat(5_001) },
    { text: "" },
    { shown_until: "2020-01-01T00:00:00Z" },
    { shown_until: "tomorrow" },
    { shown_until: "2029-01-01T00:00:00Z" },
  ])
    expect((await account.call("messagesCreate", { ...message, calendar_id, ...wrong })).status).toBe(400);
  for (const operation of ["messagesCreate", "messagesList"] as const)
    expect((await foreign.call(operation, { ...message, calendar_id })).status).toBe(404);
});

test("news.atom has messages and changes, escaped, and can be read as XML", async () => {
  const { id: calendar_id, uniquekey } = await newCalendar();
  await passWindow(server);
  const texts = { subject: "A & B <x>", text: "One\ntwo ]]> \u{1f600}" };
  expect(await account.call("messagesCreate", { calendar_id, ...texts })).toMatchObject({ status: 200 });
  const start = new Date((server.now + 3 * 86_400) * 1_000).toISOString().slice(0, 16);
  await account.call("eventsCreate", {
    calendar_id,
    title: "Match & more",
    start_date: start,
    location: "Hall",
  });
  await passWindow(server);
  const answer = await server.request(`/c/${uniquekey}/news.atom`);
  expect(answer.headers.get("Content-Type")).toBe("application/atom+xml; charset=utf-8");
  expect(answer.text.startsWith("<?xml")).toBe(true);
  expect(answer.text).toContain("<title>A &amp; B &lt;x&gt;</title>");
  expect(answer.text).toContain("New: Match &amp; more");
  expect(answer.text.match(/<entry>/g)?.length).toBe(2);
  const etag = answer.headers.get("ETag") ?? "";
  const again = await server.request(`/c/${uniquekey}/news.atom`, { headers: { "If-None-Match": etag } });
  expect(again.status).toBe(304);
  expect((await server.request(`/c/${uniquekey}`)).text).toContain("news.atom");
});

test("news.atom leaves out changes whose events were removed for good, and has one change in the singular", async () => {
  const { id: calendar_id, uniquekey } = await newCalendar();
  const addChanges = (total: number) =>
    server.db.transaction((trx) =>
      addNews(trx, {
        account_id: account.id,
        calendar_id: Number(calendar_id),
        created_at: server.now,
        shown_until: 0,
        kind: "changes",
        subject: "",
        content: JSON.stringify({ changes: [], total }),
      }),
    );
  await addChanges(1);
  const feed = async (language: string) =>
    (await server.request(`/c/${uniquekey}/news.atom`, { headers: { "Accept-Language": language } })).text;
  const texts = await Promise.all(["en", "de", "fr", "es"].map(feed));
  expect(texts.map((text) => /<content type="text">([^<]*)</.exec(text)?.[1])).toEqual([
    "1 event of the next 14 days was added, moved or cancelled.",
    "1 Termin der nächsten 14 Tage kam dazu, wurde verschoben oder abgesagt.",
    "1 événement des 14 prochains jours a été ajouté, déplacé ou annulé.",
    "Se añadió, trasladó o canceló 1 evento de los próximos 14 días.",
  ]);
  const start_date = new Date((server.now + 3 * 86_400) * 1_000).toISOString().slice(0, 16);
  const params = { calendar_id, title: "Canary", start_date };
  const { event } = (await account.call("eventsCreate", params)).body;
  await passWindow(server);
  expect(await feed("en")).toContain("New: Canary");
  await server.db.transaction((trx) => forgetNews(trx, account.id, [Number(event.id)]));
  const after = await feed("en");
  expect(after.match(/<entry>/g)?.length).toBe(1);
  expect(after).toContain("1 event of");
  await addReceiver(server, account, calendar_id, { email: "forgotten@example.com" });
  await addChanges(0);
  await expect.poll(async () => (await mailsOf(server.db, calendar_id))[0]?.state).toBe("skipped");
});

test("an evening of three changes is one message for each follower, in their language, of what they follow", async () => {
  const { id: calendar_id } = await newCalendar();
  const start = (day: number): string =>
    new Date((server.now + day * 86_400) * 1_000).toISOString().slice(0, 16);
  const add = async (title: string, categories: string): Promise<string> =>
    (await account.call("eventsCreate", { calendar_id, title, categories, start_date: start(3) })).body.event
      .id;
  const [youth, adults] = [await add("Youth", "youth"), await add("Adults", "adults")];
  await passWindow(server);
  await addReceiver(server, account, calendar_id, {
    email: "youth@example.com",
    language: "de",
    categories: "youth",
  });
  await addReceiver(server, account, calendar_id, { email: "all@example.com", language: "es" });
  await addReceiver(server, account, calendar_id, { email: "none@example.com", categories: "chess" });
  await account.call("eventsUpdate", { event_id: youth, location: "Hall 2" });
  await account.call("eventsUpdate", { event_id: adults, status: "cancelled", note: "No light." });
  await account.call("eventsUpdate", { event_id: youth, location: "Hall 3" });
  await passWindow(server);
  const to = (address: string) => smtp.received.filter(({ to: [first] }) => first === address);
  await expect.poll(() => [to("youth@example.com").length, to("all@example.com").length]).toEqual([1, 1]);
  expect(to("none@example.com")).toEqual([]);
  expect(to("youth@example.com")[0]?.headers.get("subject")).toBe("Club: 1 Änderung");
  expect(to("youth@example.com")[0]?.text).toContain("Verschoben: Youth");
  expect(to("youth@example.com")[0]?.text).not.toContain("Adults");
  expect(to("all@example.com")[0]?.text).toContain("Cancelado: Adults");
  expect(to("all@example.com")[0]?.text).toContain("No light.");
  // One click ends it (RFC 8058).
  const link = /<https:\/\/calendars\.example\.org([^>]+)>/.exec(
    to("all@example.com")[0]?.headers.get("list-unsubscribe") ?? "",
  );
  const click = await server.request(link?.[1] ?? "", {
    method: "POST",
    headers: { "Content-Type": "application/x-www-form-urlencoded" },
    body: "List-Unsubscribe=One-Click",
  });
  expect(click.status).toBe(200);
  expect(
    (await account.call("messagesCreate", { ...message, calendar_id, dry_run: "true" })).body.message
      .receivers,
  ).toBe(2);
});

test("a message is kept for 60 days, and as long as pages show it", async () => {
  const { id: calendar_id, uniquekey } = await newCalendar();
  const sentAt = server.now;
  const shown_until = formatInstant(sentAt + 90 * daySeconds);
  await account.call("messagesCreate", { ...message, calendar_id });
  await account.call("messagesCreate", {
    ...message,
    calendar_id,
    shown_until,
    subject: "Closed all summer",
  });
  const subjectsOnDay = async (day: number): Promise<readonly string[]> => {
    server.now = sentAt + day * daySeconds;
    await purgeMail(server.db, server.now);
    const { messages } = (await account.call("messagesList", { calendar_id })).body;
    return messages.map(({ subject }: { readonly subject: string }) => subject);
  };
  expect(await subjectsOnDay(59)).toEqual(["Closed all summer", "Training is off"]);
  expect(await subjectsOnDay(61)).toEqual(["Closed all summer"]);
  expect((await server.request(`/c/${uniquekey}`)).text).toContain("Closed all summer");
  expect(await subjectsOnDay(91)).toEqual([]);
});
