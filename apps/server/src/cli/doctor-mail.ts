import { resolveTxt } from "node:dns/promises";
import { codeOf } from "../db/error-code.js";
import type { Config } from "../settings/config.js";
import { openMailTransport } from "../webhooks/mail-transport.js";

export type Outcome = Readonly<{ status: "ok" | "warning" | "failed"; detail: string }>;

export type Finding = Outcome & { readonly check: string };

export const ok = (detail: string): Outcome => ({ status: "ok", detail });
export const warning = (detail: string): Outcome => ({ status: "warning", detail });
export const failed = (detail: string): Outcome => ({ status: "failed", detail });

/** Checks the mail server and what DNS says of the sender's domain; sends a message where an address is given. */
export async function checkMail(
  { SMTP_URL: url, SMTP_FROM: from }: Pick<Config, "SMTP_URL" | "SMTP_FROM">,
  to: string | undefined,
): Promise<readonly Finding[]> {
  if (url === undefined || from === undefined)
    return to === undefined ? [] : [{ check: "SMTP_URL", ...failed("not set: no e-mail can be sent") }];
  const domain = from.slice(from.lastIndexOf("@") + 1);
  return [
    { check: "SMTP_URL", ...(await checkServer(url, from, to)) },
    { check: "SPF", ...(await checkSpf(domain)) },
    { check: "DMARC", ...(await checkDmarc(domain)) },
    { check: "DKIM", ...checkDkim(domain) },
  ];
}

async function checkServer(url: string, from: string, to: string | undefined): Promise<Outcome> {
  const transport = openMailTransport({ url, from });
  try {
    if (to === undefined) {
      const refusal = await transport.verify();
      if (refusal !== undefined) return failed(`the mail server takes no message: ${refusal}`);
      return ok("the mail server answers; --mail ADDRESS sends a message");
    }
    const text = "This message was sent by: kalends doctor --mail\n";
    const messageId = `<kalends.doctor.${Date.now()}@${from.slice(from.lastIndexOf("@") + 1)}>`;
    const mail = { to, subject: "Kalends: test", text, html: `<p>${text}</p>`, messageId };
    const outcome = await transport.send({ ...mail, headers: { "Auto-Submitted": "auto-generated" } });
    return outcome.result === "sent"
      ? ok("the mail server has taken the message: look whether it arrives, and not as spam")
      : failed(`the mail server has not taken the message: ${outcome.code}`);
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

async function checkSpf(domain: string): Promise<Outcome> {
  const found = await records(domain, "v=spf1");
  if (found === undefined) return warning(`not checked: DNS does not answer for ${domain}`);
  if (found.length === 1) return ok(`${domain}: ${found[0] ?? ""}`);
  return warning(
    found.length === 0
      ? `${domain} has no TXT record that begins with v=spf1: it should name the servers that may send for it`
      : `${domain} has ${found.length} TXT records that begin with v=spf1: there must be one`,
  );
}

async function checkDmarc(domain: string): Promise<Outcome> {
  const found = await records(`_dmarc.${domain}`, "v=dmarc1");
  if (found === undefined) return warning(`not checked: DNS does not answer for ${domain}`);
  if (found.length === 1) return ok(`_dmarc.${domain}: ${found[0] ?? ""}`);
  return warning(`_dmarc.${domain} should have one TXT record, such as v=DMARC1; p=quarantine`);
}

/** The name of its record is known to the mail server alone, which signs. */
function checkDkim(domain: string): Outcome {
  return ok(
    `not checked: the mail server should sign for ${domain}, with its key at SELECTOR._domainkey.${domain}`,
  );
}
