import { pino } from "pino";
import { Worker } from "../src/background/worker.js";
import type { Database } from "../src/db/open-database.js";
import type { MailDeliveryRow } from "../src/db/rows.js";
import { renderNews } from "../src/public/mail-render.js";
import { type MailContext, mailQueue } from "../src/webhooks/mail-sender.js";
import { type MailServer, openMailTransport } from "../src/webhooks/mail-transport.js";
import { startOfTests } from "./harness.js";

export const publicUrl = "https://calendars.example.org";

/** Sends the e-mail of a database, as a server does, until it is stopped. */
export function startMailing(
  db: Database,
  mailServer: Pick<MailServer, "url" | "ca" | "attemptMs">,
  change: Partial<MailContext> = {},
): AsyncDisposable & { readonly wake: () => void } {
  const { log = pino({ level: "silent" }), clock = () => startOfTests, perMinute = 100_000 } = change;
  const transport = openMailTransport({ from: "news@example.org", ...mailServer });
  const render = renderNews({ db, clock, secret: "secret of the test", publicUrl });
  const stopping = new AbortController();
  const isStopping = (): boolean => stopping.signal.aborted;
  const context = { db, log, clock, perMinute, transport, render, host: "calendars.example.org", isStopping };
  const worker = new Worker(mailQueue({ ...context, ...change }), log);
  return {
    wake: () => worker.wake(),
    [Symbol.asyncDispose]: async () => {
      stopping.abort();
      await worker.stop();
      transport.close();
    },
  };
}

export async function mailsOf(db: Database, calendarId: string): Promise<readonly MailDeliveryRow[]> {
  return db
    .read<MailDeliveryRow>("mail_deliveries")
    .where({ calendar_id: Number(calendarId) })
    .orderBy("id");
}
