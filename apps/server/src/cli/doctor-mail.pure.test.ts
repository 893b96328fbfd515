import { expect, test } from "vitest";
import { startSmtp } from "../../test/smtp.js";
import { checkMail } from "./doctor-mail.js";

const from = "news@kalends.invalid"; // no such domain (RFC 2606)

test("doctor reaches the mail server, sends a message to a given address, and prints the expected DNS records", async () => {
  await using smtp = await startSmtp();
  const settings = { SMTP_URL: smtp.url, SMTP_FROM: from };
  const found = await checkMail(settings, undefined);
  expect(found.map(({ check, status }) => [check, status])).toEqual([
    ["SMTP_URL", "ok"],
    ["SPF", "warning"],
    ["DMARC", "warning"],
    ["DKIM", "ok"],
  ]);
  expect(smtp.received).toEqual([]);
  expect((await checkMail(settings, "me@example.com"))[0]?.status).toBe("ok");
  expect(smtp.received.map(({ to }) => to)).toEqual([["me@example.com"]]);
});

test("doctor says what a mail server has answered, as a code", async () => {
  await using smtp = await startSmtp({ refuseAddress: () => "550 5.1.1 me@example.com is unknown" });
  const [refused] = await checkMail({ SMTP_URL: smtp.url, SMTP_FROM: from }, "me@example.com");
  expect(refused).toMatchObject({
    status: "failed",
    detail: "the mail server has not taken the message: 550 5.1.1",
  });
  const [away] = await checkMail({ SMTP_URL: "smtp://127.0.0.1:1", SMTP_FROM: from }, undefined);
  expect(away).toMatchObject({ status: "failed" });
  expect(await checkMail({ SMTP_URL: undefined, SMTP_FROM: undefined }, "me@example.com")).toMatchObject([
    { status: "failed" },
  ]);
});
