import { resolveTxt } from "node:dns/promises";
import { codeOf } from "../db/error-code.js";
import type { Config } from "../settings/config.js";
import { openMailTransport } from "../webhooks/mail-transport.js";

/** What `doctor` finds of e-mail. */
export interface MailFinding {
  readonly check: string;
  readonly status: "ok" | "warning" | "failed";
  readonly detail: string;
}

/** Checks the mail server and what DNS says of the sender's domain; sends a message where an address is given. */
export async function checkMail(
  { SMTP_URL: url, SMTP_FROM: from }: Pick<Config, "SMTP_URL" | "SMTP_FROM">,
  to: string | undefined,
): Promise<readonly MailFinding[]> {
  if (url === undefined || from === undefined) {
    if (to === undefined) return [];
    return [{ check: "SMTP_URL", status: "failed", detail: "not set: no e-mail can be sent" }];
  }
  const domain = from.slice(from.lastIndexOf("@") + 1);
  return [
    await checkServer(url, from, to),
    await checkSpf(domain),
    await checkDmarc(domain),
    checkDkim(domain),
  ];
}

async function checkServer(url: string, from: string, to: string | undefined): Promise<MailFinding> {
  const check = "SMTP_URL";
  const transport = openMailTransport({ url, from });
  try {
    if (to === undefined) {
      const refusal = await transport.verify();
      if (refusal !== undefined)
        return { check, status: "failed", detail: `the mail server takes no message: ${refusal}` };
      return { check, status: "ok", detail: "the mail server answers; --mail ADDRESS sends a message" };
    }
    const text = "This message was sent by: kalends doctor --mail\n";
    const messageId = `<kalends.doctor.${Date.now()}@${from.slice(from.lastIndexOf("@") + 1)}>`;
    const mail = { to, subject: "Kalends: test", text, html: `<p>${text}</p>`, messageId };
    const outcome = await transport.send({ ...mail, headers: { "Auto-Submitted": "auto-generated" } });
    if (outcome.result === "sent")
      return {
        check,
        status: "ok",
        detail: "the mail server has taken the message: look whether it arrives, and not as spam",
      };
    return { check, status: "failed", detail: `the mail server has not taken the message: ${outcome.code}` };
  } finally {
    transport.close();
  }
}

/** Returns the TXT records of a name that begin so; undefined when DNS does not answer. */
async function records(name: string, beginning: string): Promise<readonly string[] | undefined> {
  try {
    const found = (await resolveTxt(name)).map((parts) => parts.join(""));
    return found.filter((text) => text.toLowerCase().startsWith(beginning));
  } catch (error) {
    return /^(?:ENOTFOUND|ENODATA)$/.test(codeOf(error)) ? [] : undefined;
  }
}

async function checkSpf(domain: string): Promise<MailFinding> {
  const found = await records(domain, "v=spf1");
  const check = "SPF";
  if (found === undefined)
    return { check, status: "warning", detail: `not checked: DNS does not answer for ${domain}` };
  if (found.length === 1) return { check, status: "ok", detail: `${domain}: ${found[0] ?? ""}` };
  const detail =
    found.length === 0
      ? `${domain} has no TXT record that begins with v=spf1: it should name the servers that may send for it`
      : `${domain} has ${found.length} TXT records that begin with v=spf1: there must be one`;
  return { check, status: "warning", detail };
}

async function checkDmarc(domain: string): Promise<MailFinding> {
  const found = await records(`_dmarc.${domain}`, "v=dmarc1");
  const check = "DMARC";
  if (found === undefined)
    return { check, status: "warning", detail: `not checked: DNS does not answer for ${domain}` };
  if (found.length === 1) return { check, status: "ok", detail: `_dmarc.${domain}: ${found[0] ?? ""}` };
  const detail = `_dmarc.${domain} should have one TXT record, such as v=DMARC1; p=quarantine`;
  return { check, status: "warning", detail };
}

/** The name of its record is known to the mail server alone, which signs. */
function checkDkim(domain: string): MailFinding {
  const detail = `not checked: the mail server should sign for ${domain}, with its key at SELECTOR._domainkey.${domain}`;
  return { check: "DKIM", status: "ok", detail };
}
