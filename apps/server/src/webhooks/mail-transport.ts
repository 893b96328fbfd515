import { createTransport } from "nodemailer";
import * as z from "zod";
import { isLoopback } from "../settings/ip-address.js";

/** Where messages are given to for sending. */
export interface MailServer {
  readonly url: string;
  /** The address that they are from. */
  readonly from: string;
  /** Authorities that its certificate may be of, beside those of Node, in PEM. */
  readonly ca?: string;
  /** How long all of an attempt may take, in ms. */
  readonly attemptMs?: number;
}

export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** The same in each attempt. */
  readonly messageId: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** How long the greeting of a server may take, in ms. */
const greetingMs = 10_000;

/**
 * How long all of an attempt may take, in ms: less than the pause after it, when another server would make the next one. Silence has no
 * shorter limit: a server that checks a message before it answers may have accepted it, and would get it again (RFC 5321 4.5.3.2.6).
 */
export const mostAttemptMs = 90_000;

/**
 * What came of an attempt. "unreachable": the server takes no message at present. "unknown": it refuses the address for good. `code` has
 * no words of the server, which often repeat the address.
 */
export type MailOutcome =
  | { readonly result: "sent" }
  | { readonly result: "retried" | "failed" | "unknown" | "unreachable"; readonly code: string };

/** Sends one message at a time, over one connection. */
export interface MailTransport {
  /** Never rejects. */
  send(mail: Mail): Promise<MailOutcome>;
  /** Connects and signs in. Returns why that failed; undefined when it did not. */
  verify(): Promise<string | undefined>;
  /** Ends an attempt in flight too, which is then "unreachable". */
  close(): void;
}

export function openMailTransport(server: MailServer): MailTransport {
  const { from, attemptMs = mostAttemptMs } = server;
  let open: ReturnType<typeof connect> | undefined;
  const close = (): void => {
    // Otherwise the pool would go on with the message that was given up, which is sent again later.
    open?.close({ force: true });
    open = undefined;
  };
  return {
    close,
    verify: () => (open ??= connect(server)).verify().then(() => undefined, refusalIn),
    send: async ({ to, messageId, headers, ...texts }) => {
      const transport = (open ??= connect(server));
      let late: NodeJS.Timeout | undefined;
      const timeout = new Promise<MailOutcome>((resolve) => {
        late = setTimeout(() => resolve({ result: "unreachable", code: "ETIMEDOUT" }), attemptMs);
      });
      const envelope = { from, to: [to] };
      const sending = transport
        .sendMail({
          ...texts,
          from,
          to: { name: "", address: to },
          envelope,
          messageId,
          headers: { ...headers },
        })
        .then((): MailOutcome => ({ result: "sent" }), outcomeOf);
      const outcome = await Promise.race([sending, timeout]);
      clearTimeout(late);
      if (outcome.result === "unreachable") close();
      return outcome;
    },
  };
}

function refusalIn(error: unknown): string {
  const outcome = outcomeOf(error);
  return "code" in outcome ? outcome.code : outcome.result;
}

function connect({ url, ca, attemptMs = mostAttemptMs }: MailServer) {
  const { protocol, hostname, port, username, password } = new URL(url);
  const host = hostname.replace(/^\[|\]$/g, "");
  const secure = protocol === "smtps:";
  const isLocal = isLoopback(hostname);
  return createTransport({
    pool: true,
    maxConnections: 1,
    host,
    port: port === "" ? (secure ? 465 : 587) : Number(port),
    secure,
    // Beyond this machine nothing is sent unless the server has proved its name.
    requireTLS: !secure && !isLocal,
    ignoreTLS: !secure && isLocal,
    tls: ca === undefined ? {} : { ca },
    ...(username === ""
      ? {}
      : { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
    connectionTimeout: greetingMs,
    greetingTimeout: greetingMs,
    socketTimeout: attemptMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}

function outcomeOf(error: unknown): MailOutcome {
  const { code, responseCode, command, response } = parts.parse(error);
  const [enhanced = ""] = /(?<=^\d{3}[ -])\d\.\d{1,3}\.\d{1,3}\b/.exec(response) ?? [];
  const shown = { code: responseCode === 0 ? code || "ESMTP" : `${responseCode} ${enhanced}`.trim() };
  if (responseCode === 0 || responseCode === 421 || /^(?:AUTH|EHLO|HELO|STARTTLS|CONN)/.test(command))
    return { result: "unreachable", ...shown };
  if (responseCode < 500) return { result: "retried", ...shown };
  // It refuses us, whoever the message is for: 5.1.7 and 5.1.8 are about the sender, also where they follow the receiver (RFC 3463 3.2).
  if (command === "MAIL FROM" || /^5\.1\.[78]$/.test(enhanced)) return { result: "unreachable", ...shown };
  // A full mailbox, or a server that is full or closed, is there again later (RFC 3463 3.3, 3.4).
  if (/^5\.(?:2\.2|3\.[12])$/.test(enhanced)) return { result: "retried", ...shown };
  // 5.7 is about what the sender may do: with a server that is set up badly all addresses would be lost.
  const words = response.replace(/\S*@\S*/g, "");
  const isByWords = !/^5\.[12]\./.test(enhanced) && /relay|auth/i.test(words);
  if (enhanced.startsWith("5.7.") || isByWords) return { result: "retried", ...shown };
  const namesReceiver =
    receiverCodes.test(enhanced) || (enhanced === "" && /^55[013]$/.test(String(responseCode)));
  if (command !== "RCPT TO" && !enhanced.startsWith("5.1.") && !receiverCodes.test(enhanced))
    return { result: "failed", ...shown };
  return { result: namesReceiver && !aboutSender.test(words) ? "unknown" : "retried", ...shown };
}

/** Codes for an address that does not exist (RFC 3463 3.2, 3.3), as which Exchange Online has 5.4.1. Others of 5.1 may be about the sender. */
const receiverCodes = /^5\.(?:1\.(?:1|2|3|6|10)|2\.1|4\.1)$/;

/** Words for what a server has against the sender, which many say only in their answer to the receiver. */
const aboutSender = /\b(?:sender|limit|quota|helo|ehlo)\b|block|spam/i;

/** What nodemailer says of an error, as far as it does. */
const parts = z
  .object({
    code: z.string().catch(""),
    responseCode: z.number().catch(0),
    command: z.string().catch(""),
    response: z.string().catch(""),
  })
  .catch({ code: "", responseCode: 0, command: "", response: "" });
