import { createServer, type AddressInfo } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import { startSmtp } from "../../test/smtp.js";
import { type MailOutcome, openMailTransport } from "./mail-transport.js";

// Which answer of a mail server leads to what (docs/self-hosting.md has it as a table).

const message = {
  to: "ada@example.com",
  subject: "a",
  text: "b",
  html: "<p>b</p>",
  messageId: "<1@example.org>",
  headers: {},
};

async function outcomeOf(url: string): Promise<MailOutcome> {
  const transport = openMailTransport({ url, from: "news@example.org", attemptMs: 2_000 });
  const outcome = await transport.send(message);
  transport.close();
  return outcome;
}

const refusals: readonly (readonly ["address" | "message", string, MailOutcome["result"]])[] = [
  ["address", "550 5.1.1 No such user", "unknown"],
  ["address", "550 No such user", "unknown"],
  ["address", "553 5.1.3 Bad address", "unknown"],
  ["address", "550 5.1.1 <author@relay.example.com>: no such user", "unknown"],
  ["address", "550 <author@relay.example.com>: no such user", "unknown"],
  ["address", "550 5.1.7 Bad sender's mailbox address syntax", "unreachable"],
  ["address", "550 5.1.8 Access denied, bad outbound sender", "unreachable"],
  ["address", "550 5.1.0 <news@example.org>: Sender address rejected: User unknown", "retried"],
  ["address", "550 5.1.1 Sender address rejected: User unknown", "retried"],
  ["address", "550 5.1.90 Your message can't be sent: daily limit for recipients", "retried"],
  ["address", "550 Sender verify failed", "retried"],
  ["address", "550 Invalid HELO name", "retried"],
  ["address", "554 Service unavailable; Client host blocked", "retried"],
  ["address", "552 Mailbox full", "retried"],
  ["address", "503 Bad sequence of commands", "retried"],
  ["address", "550 5.4.5 Daily sending quota exceeded", "retried"],
  ["address", "550 5.4.1 Recipient address rejected: Access denied", "unknown"],
  ["address", "550 5.2.1 Mailbox disabled", "unknown"],
  ["address", "552 5.2.2 Mailbox full", "retried"],
  ["address", "550 5.3.1 Mail system full", "retried"],
  ["address", "554 5.3.2 System down for maintenance", "retried"],
  ["address", "550 5.7.1 Blocked by policy", "retried"],
  ["address", "554 Relay access denied", "retried"],
  ["address", "550 5.5.1 Authentication required", "retried"],
  ["address", "450 4.2.0 Greylisted", "retried"],
  ["address", "452 4.2.2 Mailbox full", "retried"],
  ["address", "421 4.7.0 Try later", "unreachable"],
  ["message", "550 5.1.1 No such user", "unknown"],
  ["message", "550 5.1.8 Access denied, bad outbound sender", "unreachable"],
  ["message", "550 5.1.10 Recipient not found", "unknown"],
  ["message", "550 5.1.90 Your message can't be sent: daily limit for recipients", "retried"],
  ["message", "552 5.2.2 Mailbox full", "retried"],
  ["message", "554 5.6.0 Malformed", "failed"],
  ["message", "554 5.7.1 Spam", "retried"],
  ["message", "451 4.3.0 Later", "retried"],
];

test.each(refusals)("an %s that is refused with %j is %s", async (what, reply, result) => {
  const refuse = () => reply;
  await using smtp = await startSmtp(
    what === "address" ? { refuseAddress: refuse } : { refuseMessage: refuse },
  );
  const outcome = await outcomeOf(smtp.url);
  expect(outcome.result).toBe(result);
  expect(JSON.stringify(outcome)).not.toMatch(/user|ada|policy/i);
});

/** What a server does with each line that it is sent. */
const broken: readonly (readonly [string, (line: string) => string | undefined])[] = [
  ["refuses the sender", (line) => (line.startsWith("MAIL") ? "550 5.7.1 Not you\r\n" : "250 ok\r\n")],
  ["closes after the sender", (line) => (line.startsWith("MAIL") ? undefined : "250 ok\r\n")],
  [
    "closes within the message",
    (line) => (line === "DATA" ? "354 go\r\n" : line.length > 20 ? undefined : "250 ok\r\n"),
  ],
  ["says nothing to the message", (line) => (line === "DATA" ? "" : "250 ok\r\n")],
  ["speaks another protocol", () => "HTTP/1.1 400 Bad Request\r\n\r\n"],
];

test.each(broken)("a server that %s is left alone for a while", async (_name, answer) => {
  const server = createServer((socket) => {
    socket.on("error", () => undefined);
    socket.write("220 mail.example.org ESMTP\r\n");
    socket.on("data", (data) => {
      const reply = answer(data.toString().trim());
      if (reply === undefined) socket.destroy();
      else socket.write(reply);
    });
  });
  server.listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const address: AddressInfo | string | null = server.address();
  const port = typeof address === "object" ? address?.port : undefined;
  expect((await outcomeOf(`smtp://127.0.0.1:${port}`)).result).toBe("unreachable");
  server.close();
  expect((await outcomeOf(`smtp://127.0.0.1:${port}`)).result).toBe("unreachable"); // no program listens
});

test("a message that was given up because the server is slow is not delivered after all", async () => {
  let closed = 0;
  await using smtp = await startSmtp({
    onClose: () => void closed++,
    onMailFrom: (_address, _session, done) => setTimeout(done, 300),
    refuseAddress: () => pause(300).then(() => undefined),
  });
  const transport = openMailTransport({ url: smtp.url, from: "news@example.org", attemptMs: 500 });
  expect(await transport.send(message)).toEqual({ result: "unreachable", code: "ETIMEDOUT" });
  await expect.poll(() => closed).toBe(1);
  expect(smtp.received).toEqual([]);
});

test("closing ends the attempt in flight, so that a server that is slow delays no stop", async () => {
  let begun = 0;
  await using smtp = await startSmtp({
    refuseAddress: () => {
      begun++;
      return new Promise(() => undefined);
    },
  });
  const transport = openMailTransport({ url: smtp.url, from: "news@example.org" });
  const sending = transport.send(message);
  await expect.poll(() => begun).toBe(1);
  transport.close();
  expect((await sending).result).toBe("unreachable");
});
