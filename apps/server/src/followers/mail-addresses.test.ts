import { pino } from "pino";
import { expect, test } from "vitest";
import { addFollower } from "../../test/calls.js";
import { type TestAccount, testServer } from "../../test/harness.js";
import { startSmtp } from "../../test/smtp.js";
import type { MailDeliveryRow, SubscriberRow } from "../db/rows.js";
import { sharedJobs } from "../process/jobs.js";
import { readConfig } from "../settings/config.js";

// Addresses of followers, confirmed by a link that only a POST uses up (extensions X12.1).

const smtp = await startSmtp({
  refuseAddress: (address) => (address.startsWith("typo@") ? "450 4.1.2 Domain not found" : undefined),
});
const settings = {
  SMTP_URL: smtp.url,
  SMTP_FROM: "news@example.org",
  PUBLIC_URL: "https://calendars.example.org",
};
const server = await testServer(settings);
const account = await server.account();

async function newCalendar(
  of: TestAccount = account,
): Promise<{ readonly id: string; readonly uniquekey: string }> {
  return (await of.call("createCalendar", { title: "Sports club", timezone: "Europe/Berlin" })).body.calendar;
}

const post = (path: string, fields: Readonly<Record<string, string>>, headers = {}) =>
  server.request(path, { method: "POST", body: new URLSearchParams(fields), headers, redirect: "manual" });

const mailsTo = (address: string) => smtp.received.filter(({ to }) => to.includes(address));

async function mailTo(address: string, count = 1) {
  await expect.poll(() => mailsTo(address).length).toBe(count);
  const mail = mailsTo(address).at(-1);
  if (mail === undefined) throw new Error("no mail");
  return mail;
}

const linkIn = (text: string): string => /https:\/\/calendars\.example\.org(\/m\/\S+)/.exec(text)?.[1] ?? "";

const rowOf = (id: number) => server.db.read<SubscriberRow>("subscribers").where({ id }).first();

test("an address that is left on the follow page gets one link, which a POST uses and a GET does not", async () => {
  const { uniquekey } = await newCalendar();
  const left = { app: "google", name: "Ada", email: "ada@example.com" };
  const followed = await post(`/c/${uniquekey}/follow`, left, { "Accept-Language": "de" });
  expect(followed.status).toBe(303);
  const mail = await mailTo("ada@example.com");
  expect(mail.headers.get("subject")).toBe("Bestätigen: Neuigkeiten von Sports club");
  expect(mail.headers.get("auto-submitted")).toBe("auto-generated");
  expect(mail.from).toBe("news@example.org");
  const link = linkIn(mail.text);
  expect(mail.html).toContain(link);
  const news = async () =>
    (await server.db.read<SubscriberRow>("subscribers").where({ email: left.email }).first())?.news;
  for (const method of ["GET", "HEAD"]) expect((await server.request(link, { method })).status).toBe(200);
  expect(await news()).toBe(1);
  expect((await server.request(link, { method: "PUT" })).status).toBe(405);
  expect((await post(link, {})).status).toBe(200);
  expect(await news()).toBe(2);
  const page = await server.request(followed.headers.get("Location")?.replace(settings.PUBLIC_URL, "") ?? "");
  expect(page.text).toContain("News goes to the e-mail address a•••@e•••.");
});

test("whoever has the link of a follower's page sees no address in it, and can replace or remove the one that is there", async () => {
  const { id } = await newCalendar();
  const { id: follower, key } = await addFollower(server, account, id);
  const page = async () => (await server.request(`/f/${key}`)).text;
  const addresses = [
    ["reader@example.net", "r•••@e•••."],
    ["r@b.de", "r•••@b•••."],
    ["älter@möbel.example", "ä•••@m•••."],
  ] as const;
  for (const [email, shown] of addresses) {
    await post(`/f/${key}/mail`, { email });
    for (const news of [1, 2]) {
      await server.db.transaction((trx) => trx("subscribers").where({ id: follower }).update({ news }));
      expect(await page()).toContain(`the e-mail address ${shown}`);
      expect(await page()).not.toContain(email);
    }
    expect(await page()).toMatch(/name="email"[^]*name="remove" value="1"/);
  }
  await post(`/f/${key}/mail`, { remove: "1" });
  expect(await rowOf(follower)).toMatchObject({ news: 0, email: "" });
  await server.db.transaction((trx) =>
    trx("subscribers").where({ id: follower }).update({ email: "left@example.net" }),
  );
  expect(await page()).not.toContain("left@example.net"); // one that was left without a wish for news
});

test("a follower changes the address on their page; the one before gets nothing more, and its link is void", async () => {
  const { id } = await newCalendar();
  const follower = await addFollower(server, account, id);
  const page = `/f/${follower.key}`;
  await post(`${page}/mail`, { email: "first@example.com" });
  const first = linkIn((await mailTo("first@example.com")).text);
  await post(first, {});
  expect(await rowOf(follower.id)).toMatchObject({ news: 2, email: "first@example.com" });
  await post(`${page}/mail`, { email: "second@example.com" });
  expect(await rowOf(follower.id)).toMatchObject({ news: 1, email: "second@example.com" });
  expect((await post(first, {})).status).toBe(404);
  await post(linkIn((await mailTo("second@example.com")).text), {});
  expect(await rowOf(follower.id)).toMatchObject({ news: 2, email: "second@example.com" });
  await post(`${page}/mail`, { remove: "1" });
  expect(await rowOf(follower.id)).toMatchObject({ news: 0, email: "" });
});

test("the link to a corrected address does not wait for the next attempt at the mistyped one", async () => {
  const { id } = await newCalendar();
  const follower = await addFollower(server, account, id);
  const deliveries = () =>
    server.db.read<MailDeliveryRow>("mail_deliveries").where({ subscriber_id: follower.id }).orderBy("id");
  await post(`/f/${follower.key}/mail`, { email: "typo@exmaple.com" });
  await expect.poll(async () => (await deliveries())[0]?.error).not.toBe("");
  expect(await deliveries()).toMatchObject([{ state: "pending", attempts: 1 }]);
  await post(`/f/${follower.key}/mail`, { email: "right@example.com" });
  await post(linkIn((await mailTo("right@example.com")).text), {});
  expect(await rowOf(follower.id)).toMatchObject({ news: 2, email: "right@example.com" });
  expect((await deliveries()).map(({ state }) => state)).toEqual(["skipped", "sent"]);
});

test("what is no address is refused, and no text of a form reaches a header of a message", async () => {
  const { id } = await newCalendar();
  const { key } = await addFollower(server, account, id);
  const before = smtp.received.length;
  const bad = [
    "x",
    "a@example.com\r\nBcc: b@example.com",
    "a@example.com, b@example.com",
    "A <a@example.com>",
    '"a b"@example.com',
    "a@example.com>",
    "a@@example.com",
    "",
    `${"a".repeat(250)}@example.com`,
  ];
  for (const email of bad) {
    const answer = await post(`/f/${key}/mail`, { email });
    expect([email, answer.headers.get("Location")]).toEqual([
      email,
      expect.stringContaining("?email=wrong#news"),
    ]);
  }
  expect(smtp.received.length).toBe(before);
  expect((await server.request(`/f/${key}?email=wrong`)).text).toContain("This is not an e-mail address");
});

test("an address gets at most 3 links a day, whoever asks, and a source asks for at most 30", async () => {
  const address = "victim@example.com";
  const answers = new Set<number>();
  for (let round = 0; round < 6; round++) {
    const { id, uniquekey } = await newCalendar();
    answers.add((await post(`/c/${uniquekey}/follow`, { app: "ical", email: address })).status);
    const { key } = await addFollower(server, account, id);
    answers.add((await post(`/f/${key}/mail`, { email: address.toUpperCase() })).status);
    await post(`/f/${key}/delete`, {}); // who is erased does not set the count back
  }
  expect([...answers]).toEqual([303]);
  await expect
    .poll(() => server.db.read("mail_deliveries").where({ state: "pending" }).first())
    .toBe(undefined);
  expect(smtp.received.filter(({ to }) => to[0]?.toLowerCase() === address).length).toBeLessThanOrEqual(3);
  const { id } = await newCalendar();
  const { key } = await addFollower(server, account, id);
  for (let round = 0; round < 40; round++)
    await post(`/f/${key}/mail`, { email: `many${round}@example.com` });
  await expect
    .poll(() => server.db.read("mail_deliveries").where({ state: "pending" }).first())
    .toBe(undefined);
  expect(smtp.received.filter(({ to }) => to[0]?.startsWith("many")).length).toBeLessThanOrEqual(30);
  const [count] = await server.db.read("mail_requests").count({ count: "*" });
  expect(Number(count?.count)).toBeLessThanOrEqual(30);
});

test("a link of another follower, of another kind or a guessed one changes nothing", async () => {
  server.now += 86_401;
  const { id } = await newCalendar();
  const [one, other] = [await addFollower(server, account, id), await addFollower(server, account, id)];
  await post(`/f/${one.key}/mail`, { email: "one@example.com" });
  const link = linkIn((await mailTo("one@example.com")).text);
  await post(`/f/${other.key}/mail`, { email: "other@example.com" });
  const tried = [
    link.replace(`/${one.id}-`, `/${other.id}-`),
    link.replace("/confirm/", "/stop/"),
    `${link.slice(0, -1)}${link.endsWith("A") ? "B" : "A"}`,
    "/m/confirm/0-aaaaaaaaaaaaaaaaaaaaaa",
    "/m/confirm/99999999999999999999-aaaaaaaaaaaaaaaaaaaaaa",
    "/m/confirm/%00",
    "/m/stop/x",
  ];
  for (const path of tried) expect([path, (await post(path, {})).status]).toEqual([path, 404]);
  expect([(await rowOf(one.id))?.news, (await rowOf(other.id))?.news]).toEqual([1, 1]);
  server.now += 7 * 86_400 + 1;
  expect((await post(link, {})).status).toBe(404); // too old
});

test("without SMTP_URL nothing of it exists", async () => {
  const without = await testServer();
  const owner = await without.account();
  const { id, uniquekey } = (await owner.call("createCalendar", { title: "Quiet" })).body.calendar;
  const { key } = await addFollower(without, owner, id);
  for (const path of ["/m/stop/1-aaaaaaaaaaaaaaaaaaaaaa", `/c/${uniquekey}/news.atom`])
    expect([path, (await without.request(path)).status]).toEqual([path, 404]);
  const answer = await without.request(`/f/${key}/mail`, {
    method: "POST",
    body: new URLSearchParams({ email: "a@b.c" }),
  });
  expect(answer.status).toBe(404);
  for (const path of [`/c/${uniquekey}`, `/f/${key}`])
    expect((await without.request(path)).text).not.toMatch(/by e-mail|news-email|news\.atom/);
  // What is stored of a time with it goes.
  const asked = { address_hash: "a", source_hash: "b", created_at: without.now - 86_401 };
  await without.db.transaction((trx) => trx("mail_requests").insert(asked));
  const { db, now } = without;
  const log = pino({ enabled: false });
  const jobs = sharedJobs({ db, clock: () => now, log, config: readConfig({}) });
  await jobs.find(({ name }) => name === "mail")?.run(() => false);
  expect(await db.read("mail_requests")).toEqual([]);
});
