import { expect, test } from "vitest";
import { addFollower } from "../../test/calls.js";
import { testServer } from "../../test/harness.js";
import { mailsOf } from "../../test/mailing.js";
import { addReceiver, newsOf, passWindow } from "../../test/news-world.js";
import { startSmtp } from "../../test/smtp.js";
import type { MailDeliveryRow, SubscriberRow } from "../db/rows.js";

// What those try who want to bother others by the e-mail of a service, or to have it say what they want (extensions X12).

const smtp = await startSmtp();
const publicUrl = "https://calendars.example.org";
const server = await testServer({ SMTP_URL: smtp.url, SMTP_FROM: "news@example.org", PUBLIC_URL: publicUrl });
const account = await server.account();

const newCalendar = async (
  title = "Club",
  of = account,
): Promise<{ readonly id: string; readonly uniquekey: string }> =>
  (await of.call("createCalendar", { title, timezone: "Europe/Berlin" })).body.calendar;
const post = (path: string, fields: Readonly<Record<string, string>> = {}) =>
  server.request(path, { method: "POST", body: new URLSearchParams(fields), redirect: "manual" });
const mailsTo = (address: string) => smtp.received.filter(({ to }) => to.includes(address));
async function mailTo(address: string) {
  await expect.poll(() => mailsTo(address).length).toBeGreaterThan(0);
  const mail = mailsTo(address).at(-1);
  if (mail === undefined) throw new Error("no mail");
  return mail;
}
const isIdle = () =>
  expect
    .poll(() => server.db.read<MailDeliveryRow>("mail_deliveries").where({ state: "pending" }).first())
    .toBe(undefined);
const start = (days = 3): string => new Date((server.now + days * 86_400) * 1_000).toISOString().slice(0, 16);

const hostile = [
  "Win at https://evil.example/now and www.evil.example",
  "evil.example",
  "evil。example/login",
  "evil.\u00adexample/login evil.\u2060example evil.\ufe0fexample https:\u00ad//evil\u00ad.example",
  "mailto:x@evil.example http://203.0.113.7/a",
  `${"x".repeat(190)} evil.example`,
  "\u202elmx.live\u202c =?utf-8?q?a=0D=0ABcc:_b@evil.example?=",
];

test.each(hostile)(
  "a confirmation, which strangers get, has no link of the title %j and says who sends it",
  async (title) => {
    server.now += 86_401;
    const { id } = await newCalendar(title);
    const { key } = await addFollower(server, account, id);
    const address = `stranger${id}@example.com`;
    await post(`/f/${key}/mail`, { email: address });
    const { text, html, headers } = await mailTo(address);
    const foreign =
      /(?:https?:\/\/|www\.\w)(?!calendars\.example\.org)|evil[.。]\w|203\.0\.113\.7\/|mailto:\w/i;
    const subject = headers.get("subject") ?? "";
    // Browsers take invisible characters out of the name of a host (UTS #46).
    for (const part of [subject, text, html]) expect(part.replace(/\p{DI}/gu, "")).not.toMatch(foreign);
    expect(html.match(/<a /g)?.length).toBe(1);
    expect(subject.length).toBeLessThan(90);
    expect(subject).not.toMatch(/[\r\n\u202a-\u202e]|=\?/);
    for (const part of [text, html]) expect(part).toContain("calendar service at calendars.example.org");
  },
);

test("spellings of one address count as one", async () => {
  server.now += 86_401;
  const spellings = [
    "vic.tim@example.com",
    "victim+1@example.com",
    "VICTIM+2@example.com",
    "v.i.c.t.i.m@example.com",
    "victim@EXAMPLE.com",
    "victim+3@example.com",
  ];
  for (const email of spellings) {
    const { id } = await newCalendar();
    const { key } = await addFollower(server, account, id);
    await post(`/f/${key}/mail`, { email });
  }
  await isIdle();
  const sent = smtp.received.filter(({ to: [to = ""] }) => /^v[.ictm+\d]+@example.com$/i.test(to));
  expect(sent.length).toBeLessThanOrEqual(3);
});

test("spellings of one domain count as one, and so do requests that come at once", async () => {
  server.now += 86_401;
  const domains = [
    "crowd.example",
    "CROWD.example",
    "\uff43rowd.example",
    "crowd\u3002example",
    "crowd.example.",
    "cro\u00adwd.example",
    "\u24d2rowd.example",
    "crowd.ex\u200bample",
  ];
  const { id } = await newCalendar();
  const keys = await Promise.all(
    Array.from({ length: 16 }, async () => (await addFollower(server, account, id)).key),
  );
  await Promise.all(
    keys.map((key, index) => post(`/f/${key}/mail`, { email: `many@${domains[index % 8] ?? ""}` })),
  );
  // Which of them come first is open, and a receiving server refuses some of the spellings.
  expect(await server.db.read("mail_deliveries").where({ calendar_id: id })).toHaveLength(3);
});

test("a calendar that changes all day long sends at most 44 messages a day, and they name all that was changed", async () => {
  const { id: calendar_id } = await newCalendar("Busy");
  await addReceiver(server, account, calendar_id, { email: "busy@example.com" });
  const event_id = (await account.call("eventsCreate", { calendar_id, title: "T", start_date: start(9) }))
    .body.event.id;
  const until = server.now + 86_400;
  for (let round = 0; server.now < until; round++) {
    await account.call("eventsUpdate", { event_id, location: `Hall ${round}` });
    await passWindow(server);
  }
  expect((await newsOf(server.db, calendar_id)).length).toBeLessThanOrEqual(44);
  server.now += 3_600;
  await passWindow(server);
  const [last] = (await newsOf(server.db, calendar_id)).slice(-1);
  expect(JSON.stringify(last?.changes)).toContain("Hall 3"); // of the last rounds
  server.now += 86_401;
  await account.call("eventsUpdate", { event_id, location: "Calm" });
  const before = (await newsOf(server.db, calendar_id)).length;
  await passWindow(server);
  expect((await newsOf(server.db, calendar_id)).length).toBe(before + 1);
});

test("a message that is sent, taken back and sent again counts each time", async () => {
  const { id: calendar_id } = await newCalendar();
  const statuses: number[] = [];
  for (let round = 0; round < 7; round++) {
    const { status, body } = await account.call("messagesCreate", { calendar_id, subject: "a", text: "b" });
    statuses.push(status);
    if (status === 200) await account.call("messagesWithdraw", { calendar_id, message_id: body.message.id });
  }
  expect(statuses).toEqual([200, 200, 200, 200, 200, 409, 409]);
});

test("whatever is in a title, a note, a subject or a name, a message has one receiver and the same headers", async () => {
  const nasty = [
    "a\u2028Bcc: b@evil.example",
    "=?utf-8?q?a=0D=0ABcc:_b@evil.example?=",
    'a, b@evil.example; "c" <d@evil.example>',
    "\u202egnp.exe",
    "\u{1f600}".repeat(60),
    "x".repeat(140),
  ];
  const names = new Set<string>();
  for (const [index, text] of nasty.entries()) {
    const { id: calendar_id } = await newCalendar(text);
    const email = `header${index}@example.com`;
    await addReceiver(server, account, calendar_id, { email });
    await account.call("messagesCreate", { calendar_id, subject: text, text });
    const event = { calendar_id, title: text, location: text, note: text, start_date: start() };
    expect((await account.call("eventsCreate", event)).status).toBe(200);
    await passWindow(server);
    await expect.poll(() => mailsTo(email).length).toBe(2);
    for (const { headers, to, raw } of mailsTo(email)) {
      names.add([...headers.keys()].toSorted().join());
      expect(to).toEqual([email]);
      expect(headers.get("to")).toBe(email);
      expect(headers.get("subject")).not.toMatch(/[\p{Cc}\u2028\u2029\u202a-\u202e]|=\?/u);
      expect(raw.split("\r\n").every((line) => Buffer.byteLength(line) <= 998)).toBe(true);
    }
  }
  expect(names.size).toBe(1);
});

test("no message goes to a follower, or of an account, that was removed after it was queued", async () => {
  const owner = await server.account();
  const { id: calendar_id } = await newCalendar("Gone", owner);
  const follower = await addReceiver(server, owner, calendar_id, { email: "erased@example.com" });
  await addReceiver(server, owner, calendar_id, { email: "removed@example.com" });
  const before = smtp.received.length;
  await server.db.transaction(async (trx) => {
    const rows = await trx<SubscriberRow>("subscribers").where({ calendar_id: Number(calendar_id) });
    const of = {
      account_id: owner.id,
      calendar_id: Number(calendar_id),
      kind: "confirm",
      priority: 0,
      created_at: server.now,
      next_at: server.now + 5,
    };
    for (const { id } of rows) await trx("mail_deliveries").insert({ ...of, subscriber_id: id });
  });
  await post(`/f/${follower.key}/delete`);
  await server.db.transaction((trx) =>
    trx("accounts").where({ id: owner.id }).update({ deleted_at: server.now }),
  );
  server.now += 10;
  await expect
    .poll(async () => (await mailsOf(server.db, calendar_id)).map(({ state }) => state))
    .toEqual(["skipped", "skipped"]);
  expect(smtp.received.length).toBe(before);
});

test("a program that opens links changes nothing, whatever method it has", async () => {
  const { id } = await newCalendar();
  const { id: follower } = await addReceiver(server, account, id, { email: "scan@example.com" });
  await account.call("messagesCreate", { calendar_id: id, subject: "a", text: "b" });
  const { text } = await mailTo("scan@example.com");
  const [, stop = ""] = /https:\/\/calendars\.example\.org(\/m\/stop\/\S+)/.exec(text) ?? [];
  for (const method of ["GET", "HEAD", "OPTIONS", "PROPFIND", "PUT"]) await server.request(stop, { method });
  for (const path of [`${stop}?List-Unsubscribe=One-Click`, `${stop}/`, stop.toLowerCase()])
    await server.request(path);
  const row = await server.db.read<SubscriberRow>("subscribers").where({ id: follower }).first();
  expect(row).toMatchObject({ news: 2, email: "scan@example.com" });
});
