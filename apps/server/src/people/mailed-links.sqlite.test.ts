import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { testServer } from "../../test/harness.js";
import { callConsole, signIn } from "../../test/people.js";
import { startSmtp } from "../../test/smtp.js";
import type { MailDeliveryRow } from "../db/rows.js";

// Links to sign in that are sent by e-mail (extensions X9.2, X12.4).

const smtp = await startSmtp({
  refuseAddress: (address) => (address.startsWith("typo@") ? "450 4.1.2 Domain not found" : undefined),
});
// An address of this machine, where people may sign in over http.
const settings = { SMTP_URL: smtp.url, SMTP_FROM: "news@example.org", PUBLIC_URL: "http://127.0.0.1" };
const server = await testServer(settings);
const account = await server.account();
const owner = await signIn(server, account.id);

const mailTo = async (address: string) => {
  const found = () => smtp.received.filter(({ to }) => to[0] === address);
  await expect.poll(() => found().length).toBe(1);
  return found()[0]?.text ?? "";
};

test("an invitation goes by e-mail and can be copied too; the first that is used ends the other, and neither is stored", async () => {
  const params = {
    name: "Grace",
    email: "grace@example.com",
    language: "de",
    role: "viewer",
    send_mail: "true",
  };
  expect((await owner.call("session")).body.can.mail).toBe(true); // by which the console offers it
  const { body } = await owner.call("peopleInvite", params);
  const text = await mailTo("grace@example.com");
  expect(text).toContain("Ihre Einladung zu Kalends");
  expect(text).toMatch(/Er gilt bis \d+\. \p{L}+ \d{4} um \d\d:\d\d \(UTC\)/u);
  const [, sent = ""] = /\/console\/join#([\w-]{43})/.exec(text) ?? [];
  const [, copied = ""] = /#(.*)$/.exec(body.link) ?? [];
  expect(sent).not.toBe(copied);
  const stored =
    readFileSync(server.databaseFile, "latin1") + readFileSync(`${server.databaseFile}-wal`, "latin1");
  expect([stored.includes(sent), stored.includes(copied)]).toEqual([false, false]);
  expect((await callConsole(server, "sessionOpen", { link: sent })).status).toBe(200);
  expect((await callConsole(server, "sessionOpen", { link: copied })).status).toBe(401);
  expect(server.logText()).not.toContain("grace@example.com");
});

test("an invitation has no link of the name of an account, and says who sends it", async () => {
  const club = await server.account();
  await club.call("accountUpdate", { name: "Pay at https://evil.example/pay" });
  const params = { name: "x", role: "viewer", email: "new@example.com", language: "en", send_mail: "true" };
  await (await signIn(server, club.id)).call("peopleInvite", params);
  const text = await mailTo("new@example.com");
  expect(text).not.toContain("evil.example");
  expect(text).toContain("calendar service at 127.0.0.1");
});

test("a link to a corrected address does not wait for the next attempt at the mistyped one", async () => {
  const typo = { name: "Bob", role: "viewer", email: "typo@exmaple.com", send_mail: "true" };
  const person_id = (await owner.call("peopleInvite", typo)).body.person.id;
  const deliveries = () =>
    server.db
      .read<MailDeliveryRow>("mail_deliveries")
      .where({ person_id: Number(person_id) })
      .orderBy("id");
  await expect.poll(async () => (await deliveries())[0]?.error).toBe("450 4.1.2");
  await owner.call("peopleUpdate", { person_id, email: "bob@example.com" });
  expect((await owner.call("peopleLink", { person_id, send_mail: "true" })).status).toBe(200);
  expect(await mailTo("bob@example.com")).toContain("/console/join#");
  await expect.poll(async () => (await deliveries()).map(({ state }) => state)).toEqual(["skipped", "sent"]);
});

test("someone without an address gets none, an account sends 50 a day, and a server without SMTP_URL says so", async () => {
  const invite = (email: string) =>
    owner.call("peopleInvite", { name: "x", role: "viewer", email, send_mail: "true" });
  expect((await owner.call("peopleInvite", { name: "x", role: "viewer", send_mail: "true" })).status).toBe(
    400,
  );
  const { body } = await invite("again@example.com");
  await mailTo("again@example.com");
  const sent = {
    account_id: account.id,
    calendar_id: 0,
    kind: "sign_in",
    state: "sent",
    priority: 0,
    created_at: server.now,
  };
  await server.db.transaction((trx) => trx("mail_deliveries").insert(Array.from({ length: 48 }, () => sent)));
  expect((await owner.call("peopleLink", { person_id: body.person.id, send_mail: "true" })).status).toBe(400);
  expect((await owner.call("peopleLink", { person_id: body.person.id })).status).toBe(200);
});
