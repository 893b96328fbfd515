import { Worker } from "../background/worker.js";
import type { Config } from "../settings/config.js";
import { renderNews } from "../public/mail-render.js";
import { type MailContext, mailQueue } from "../webhooks/mail-sender.js";
import { openMailTransport } from "../webhooks/mail-transport.js";
import { onMail } from "../webhooks/wake.js";

interface StartMail extends Pick<MailContext, "db" | "log" | "clock" | "isStopping" | "observe"> {
  readonly config: Config;
  /** Of the installation. */
  readonly secret: string;
}

/** How long a message in flight may take once the server stops, in ms. It was counted, so it comes again. */
const attemptMs = 3_000;

/** Starts the sender of e-mail. It does nothing without SMTP_URL. */
export function startMail({ config, secret, ...context }: StartMail): { stop(): Promise<void> } {
  const { SMTP_URL: url, SMTP_FROM: from, SMTP_RATE: perMinute, PUBLIC_URL: publicUrl } = config;
  if (url === undefined || from === undefined || publicUrl === undefined)
    return { stop: () => Promise.resolve() };
  const transport = openMailTransport({ url, from });
  const render = renderNews({ ...context, secret, publicUrl });
  const host = new URL(publicUrl).hostname;
  const worker = new Worker(mailQueue({ ...context, transport, perMinute, host, render }), context.log);
  const stopListening = onMail(() => worker.wake());
  return {
    stop: async () => {
      stopListening();
      const late = setTimeout(() => transport.close(), attemptMs);
      await worker.stop();
      clearTimeout(late);
      transport.close();
    },
  };
}
