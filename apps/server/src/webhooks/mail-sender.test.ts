import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { pino } from "pino";
import { afterAll, expect, test } from "vitest";
import { makeCertificate, makesCertificates } from "../../test/certificates.js";
import { startOfTests, type TestAccount, testServer } from "../../test/harness.js";
import { mailsOf, startMailing } from "../../test/mailing.js";
import { addReceiver } from "../../test/news-world.js";
import { startSmtp, type TestSmtpServer } from "../../test/smtp.js";
import type { NewsRow, SubscriberRow } from "../db/rows.js";
import { addNews, fillNext } from "./mail-queries.js";
import { mostAttemptMs } from "./mail-transport.js";

// Sending by a real SMTP server (extensions X12.3).

const server = await testServer();
const { db } = server;
const folder = mkdtempSync(join(tmpdir(), "kalends-smtp-"));
afterAll(() => rmSync(folder, { recursive: true }));

interface World {
  readonly account: TestAccount;
  readonly calendar_id: string;
}

/** A calendar with so many followers who have confirmed an address. */
async function newWorld(followers: number, name: string, account?: TestAccount): Promise<World> {
  const of = account ?? (await server.account());
  const calendar_id = (await of.call("createCalendar", { title: "Sports club" })).body.calendar.id;
  for (let index = 0; index < followers; index++)
    await addReceiver(server, of, calendar_id, { email: `${name}${index}@example.com` });
  return { account: of, calendar_id };
}

const announce = (
  { account, calendar_id }: World,
  choice: Partial<Pick<NewsRow, "subject" | "content" | "created_at">> = {},
) =>
  db.transaction((trx) =>
    addNews(trx, {
      account_id: account.id,
      calendar_id: Number(calendar_id),
      created_at: startOfTests,
      shown_until: startOfTests + 60,
      kind: "message",
      subject: "Training is off",
      content: "The hall is closed.",
      ...choice,
    }),
  );

/** Messages to followers of that name: those of other tests may come again. */
const to = ({ received }: TestSmtpServer, name: string): readonly string[] =>
  received.flatMap(({ to: [address = ""] }) => (address.startsWith(name) ? [address] : []));

const statesOf = async ({ calendar_id }: World): Promise<readonly string[]> =>
  (await mailsOf(db, calendar_id)).map(({ state }) => state);

test("each follower gets a message once, with the headers of RFC 8058 and nothing that a calendar app would add", async () => {
  await using smtp = await startSmtp();
  const world = await newWorld(3, "each");
  await using sender = startMailing(db, smtp);
  sender.wake();
  const { id } = await announce(world);
  await expect.poll(() => statesOf(world)).toEqual(["sent", "sent", "sent"]);
  expect(smtp.received.map(({ to }) => to)).toEqual([
    ["each0@example.com"],
    ["each1@example.com"],
    ["each2@example.com"],
  ]);
  expect(await db.read<NewsRow>("news").where({ id }).first()).toMatchObject({
    receivers: 3,
    sent: 3,
    failed: 0,
  });
  const [mail] = smtp.received;
  const header = (name: string): string => mail?.headers.get(name) ?? "";
  expect(header("subject")).toBe("Sports club: Training is off");
  expect(header("list-unsubscribe")).toMatch(/^<https:\/\/calendars\.example\.org\/m\/stop\/\d+-[\w-]{22}>$/);
  expect(header("list-unsubscribe-post")).toBe("List-Unsubscribe=One-Click");
  expect([header("auto-submitted"), header("precedence")]).toEqual(["auto-generated", "bulk"]);
  expect(header("message-id")).toMatch(/^<kalends\.\d+\.\d+@calendars\.example\.org>$/);
  expect(mail?.raw).not.toMatch(/text\/calendar|<img|src=|url\(/i);
  expect(mail?.text).toContain("The hall is closed.");
  expect(mail?.html).toContain("The hall is closed.");
});

test("no message goes to someone who left, was blocked or erased after it was stored", async () => {
  await using smtp = await startSmtp();
  const world = await newWorld(5, "left");
  const followers = await db
    .read<SubscriberRow>("subscribers")
    .where({ calendar_id: Number(world.calendar_id) })
    .orderBy("id");
  await announce(world);
  const [unfollowed, blocked, erased, removed] = followers.map(({ id }) => String(id));
  await db.transaction((trx) =>
    trx("subscribers").where({ id: unfollowed }).update({ unfollowed_at: 1, active: 0 }),
  );
  await world.account.call("subscribersBlock", { subscriber_id: blocked ?? "" });
  await world.account.call("subscribersDelete", { subscriber_id: erased ?? "" });
  await db.transaction((trx) => trx("subscribers").where({ id: removed }).update({ news: 0, email: "" }));
  await using sender = startMailing(db, smtp);
  sender.wake();
  await expect.poll(() => smtp.received.length).toBe(1);
  await expect.poll(async () => (await statesOf(world)).includes("pending")).toBe(false);
  expect(smtp.received.flatMap(({ to }) => to)).toEqual(["left4@example.com"]);
});

test("greylisting delays a message, which keeps its id; a later attempt is counted", async () => {
  const tries: string[] = [];
  await using smtp = await startSmtp({
    refuseAddress: (address) => {
      tries.push(address);
      return tries.length === 1 ? "451 4.7.1 Greylisted, come again" : undefined;
    },
  });
  const world = await newWorld(1, "grey");
  const time = { now: startOfTests };
  await using sender = startMailing(db, smtp, { clock: () => time.now });
  await announce(world);
  await expect
    .poll(() => mailsOf(db, world.calendar_id))
    .toMatchObject([{ state: "pending", attempts: 1, error: "451 4.7.1" }]);
  expect((await mailsOf(db, world.calendar_id))[0]?.next_at).toBeGreaterThanOrEqual(startOfTests + 120);
  time.now += 140;
  sender.wake();
  await expect.poll(() => mailsOf(db, world.calendar_id)).toMatchObject([{ state: "sent", attempts: 2 }]);
});

test("an address that the server refuses for good is removed and counted; one that it refuses by its own rules is not", async () => {
  await using smtp = await startSmtp({
    refuseAddress: (address) => {
      if (address.startsWith("gone0")) return "550 5.1.1 No such user gone0@example.com";
      return address.startsWith("gone1") ? "554 5.7.1 Relay access denied" : undefined;
    },
    refuseMessage: (address) => (address.startsWith("gone2") ? "554 5.6.0 Content refused" : undefined),
  });
  const world = await newWorld(4, "gone");
  await using sender = startMailing(db, smtp);
  sender.wake();
  const { id } = await announce(world);
  await expect.poll(() => statesOf(world)).toEqual(["failed", "pending", "failed", "sent"]);
  const rows = await db
    .read<SubscriberRow>("subscribers")
    .where({ calendar_id: Number(world.calendar_id) })
    .orderBy("id");
  expect(rows.map(({ email, news }) => [email, news])).toEqual([
    ["", 0],
    ["gone1@example.com", 2],
    ["gone2@example.com", 2],
    ["gone3@example.com", 2],
  ]);
  expect(await db.read<NewsRow>("news").where({ id }).first()).toMatchObject({
    receivers: 4,
    sent: 1,
    failed: 2,
  });
  const stored = JSON.stringify(await db.read("mail_deliveries"));
  expect(stored).not.toContain("example.com"); // the reply repeated the address
});

test("accounts take turns, confirmations come first, and no more is sent than SMTP_RATE in a minute", async () => {
  await using smtp = await startSmtp();
  const [one, other] = [await newWorld(20, "many"), await newWorld(2, "few")];
  const time = { now: startOfTests + 10_000 };
  await announce(one);
  await announce(other);
  {
    await using sender = startMailing(db, smtp, { clock: () => time.now, perMinute: 6 });
    sender.wake();
    await expect.poll(() => smtp.received.length).toBe(6);
    expect(to(smtp, "few").length).toBe(2);
  }
  expect(await isQuiet()).toBe(true);
  time.now += 61;
  await using sender = startMailing(db, smtp, { clock: () => time.now, perMinute: 100 });
  sender.wake();
  await expect.poll(() => new Set([...to(smtp, "many"), ...to(smtp, "few")]).size).toBe(22);
  expect([to(smtp, "many").length, to(smtp, "few").length]).toEqual([20, 2]);

  /** Whether a server of the same minute sends no more. */
  async function isQuiet(): Promise<boolean> {
    await using sender = startMailing(db, smtp, { clock: () => time.now + 58, perMinute: 6 });
    sender.wake();
    await expect.poll(() => statesOf(one).then((states) => states.length)).toBe(20);
    return smtp.received.length === 6;
  }
});

test("a server that is away loses nothing, holds up no stop, and its failures are logged without an address", async () => {
  const lines: string[] = [];
  const log = pino({ level: "info" }, { write: (line: string) => void lines.push(line) });
  const world = await newWorld(1, "away");
  const time = { now: startOfTests + 20_000 };
  {
    await using sender = startMailing(db, { url: "smtp://127.0.0.1:1" }, { log, clock: () => time.now });
    sender.wake();
    await announce(world);
    await expect.poll(() => lines.join("")).toContain("mail server takes no message");
  }
  expect(lines.join("")).not.toContain("example.com");
  await using smtp = await startSmtp();
  time.now += 7_200;
  await using sender = startMailing(db, smtp, { clock: () => time.now });
  sender.wake();
  await expect.poll(() => to(smtp, "away")).toEqual(["away0@example.com"]);
});

test("a server that is slow gets each message once, and one that falls silent is left alone, then tried again", async () => {
  let isSilent = true;
  await using smtp = await startSmtp({
    refuseMessage: () => pause(300).then(() => undefined),
    refuseAddress: () => (isSilent ? new Promise(() => undefined) : undefined),
  });
  const world = await newWorld(2, "slow");
  const time = { now: startOfTests + 30_000 };
  {
    await using sender = startMailing(db, { url: smtp.url, attemptMs: 200 }, { clock: () => time.now });
    await announce(world);
    sender.wake();
    await expect
      .poll(() => mailsOf(db, world.calendar_id))
      .toMatchObject([{ attempts: 1, error: "ETIMEDOUT" }, {}]);
  }
  isSilent = false;
  time.now += 7_200;
  await using sender = startMailing(db, smtp, { clock: () => time.now });
  sender.wake();
  await expect.poll(() => statesOf(world)).toEqual(["sent", "sent"]);
  expect(to(smtp, "slow").toSorted()).toEqual(["slow0@example.com", "slow1@example.com"]);
});

test("a message that a server takes 90 s to take is sent by no other server meanwhile", async () => {
  const held = new AbortController();
  let begun = 0;
  const hold = async (): Promise<undefined> => {
    begun++;
    while (!held.signal.aborted) await pause(10);
  };
  await using smtp = await startSmtp({ refuseMessage: hold });
  const world = await newWorld(1, "held");
  const time = { now: startOfTests };
  const choice = { clock: () => time.now };
  await using first = startMailing(db, smtp, choice);
  await announce(world);
  first.wake();
  await expect.poll(() => begun).toBe(1);
  time.now += mostAttemptMs / 1_000;
  await using second = startMailing(db, smtp, choice);
  second.wake();
  await pause(1_500);
  held.abort();
  await expect.poll(() => statesOf(world)).toEqual(["sent"]);
  expect(to(smtp, "held")).toEqual(["held0@example.com"]);
});

test.skipIf(!makesCertificates)(
  "TLS is checked: a server that cannot prove its name gets no message",
  async () => {
    const [keyFile, certificateFile] = [join(folder, "key.pem"), join(folder, "certificate.pem")];
    makeCertificate(keyFile, certificateFile);
    const [key, cert] = [readFileSync(keyFile, "utf8"), readFileSync(certificateFile, "utf8")];
    await using smtp = await startSmtp({ secure: true, key, cert });
    const world = await newWorld(1, "tls");
    const time = { now: startOfTests + 40_000 };
    {
      await using sender = startMailing(db, smtp, { clock: () => time.now });
      sender.wake();
      await announce(world);
      await expect
        .poll(() => mailsOf(db, world.calendar_id))
        .toMatchObject([{ attempts: 1, error: "ESOCKET" }]);
    }
    expect(smtp.received).toEqual([]);
    time.now += 7_200;
    await using sender = startMailing(db, { ...smtp, ca: cert }, { clock: () => time.now });
    sender.wake();
    await expect.poll(() => to(smtp, "tls")).toEqual(["tls0@example.com"]);
  },
);

test("whatever an organizer writes is one subject, one receiver and no markup", async () => {
  await using smtp = await startSmtp();
  const account = await server.account();
  const title = "Club\u2028Bcc: x@example.com \u202egnp\u202c <script>alert(1)</script> =?utf-8?q?=0d=0aX?=";
  const { id } = (await account.call("createCalendar", { title })).body.calendar;
  await addReceiver(server, account, id, { email: "hostile@example.com" });
  const world = { account, calendar_id: id };
  await using sender = startMailing(db, smtp);
  sender.wake();
  await announce(world, {
    subject: "a\r\nBcc: evil@example.com\r\n\r\nbody\u0001",
    content:
      '\r\n.\r\nMAIL FROM:<evil@example.com>\r\n<img src=x onerror=alert(1)>\r\n-- \r\nhttps://x.example/"onmouseover="a',
  });
  await expect.poll(() => to(smtp, "hostile").length).toBe(1);
  const mail = smtp.received.find(({ to: [address] }) => address === "hostile@example.com");
  expect(mail?.to).toEqual(["hostile@example.com"]);
  expect(mail?.headers.has("bcc")).toBe(false);
  expect(mail?.headers.get("subject")).not.toMatch(/[\r\n\u2028\u202e]/);
  expect(mail?.headers.get("to")).toBe("hostile@example.com");
  expect(mail?.html).not.toMatch(/<script|<img|onmouseover="/);
  expect(mail?.text).toContain("MAIL FROM:<evil@example.com>");
});

test("what has waited for more than a week is sent to no one, such as messages of a time without SMTP_URL", async () => {
  await using smtp = await startSmtp();
  const [stored, filled, fresh] = [
    await newWorld(1, "stored"),
    await newWorld(1, "filled"),
    await newWorld(1, "fresh"),
  ];
  await announce(filled);
  await db.transaction((trx) => fillNext(trx, startOfTests));
  await announce(stored);
  const now = startOfTests + 8 * 86_400;
  await announce(fresh, { created_at: now });
  await using sender = startMailing(db, smtp, { clock: () => now });
  sender.wake();
  await expect.poll(() => statesOf(fresh)).toEqual(["sent"]);
  expect(smtp.received.flatMap(({ to }) => to)).toEqual(["fresh0@example.com"]);
  expect([await statesOf(stored), await statesOf(filled)]).toEqual([[], ["pending"]]);
});
