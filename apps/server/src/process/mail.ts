import { Worker } from "../background/worker.js";
import type { Config } from "../settings/config.js";
import { findAccount } from "../accounts/queries.js";
import { addLink, kindOfLink, linkAddress } from "../people/links.js";
import { findPerson } from "../people/queries.js";
import { printLetter, renderNews } from "../public/mail-render.js";
import { nameForStrangers } from "../public/mail-letter.js";
import { languageOf } from "../public/views/layout.js";
import { type MailContext, mailQueue, type RenderMail } from "../webhooks/mail-sender.js";
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
  const news = renderNews({ ...context, secret, publicUrl });
  const signIn = renderSignIn({ ...context, publicUrl });
  const render: RenderMail = (delivery, receiver) =>
    (delivery.kind === "sign_in" ? signIn : news)(delivery, receiver);
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

function untilText(language: string, unix: number): string {
  const format = new Intl.DateTimeFormat(language, {
    dateStyle: "long",
    timeStyle: "short",
    timeZone: "UTC",
  });
  return format.format(unix * 1_000);
}

interface SignInContext extends Pick<MailContext, "db" | "clock"> {
  readonly publicUrl: string;
}

/** Returns what makes the messages with a link to sign in (extensions X9.2). Each has a link of its own, which is stored as a hash. */
function renderSignIn({ db, clock, publicUrl }: SignInContext): RenderMail {
  return async ({ account_id, person_id }, { language }) => {
    const account = await findAccount(db.read, account_id);
    const made = await db.transaction(async (trx) => {
      const person = await findPerson(trx, person_id);
      return person && { person, ...(await addLink(trx, person_id, kindOfLink(person), clock())) };
    });
    if (account === undefined || made === undefined) return undefined;
    const { news: t, language: tag } = languageOf(language).texts;
    const subject = made.person.joined_at === null ? t.joinSubject : t.signInSubject;
    return printLetter(subject, {
      language: tag,
      title: subject,
      paragraphs: [
        t.signInText(nameForStrangers(account.name)),
        t.signInUntil(untilText(tag, made.expires_at)),
      ],
      button: { label: t.signInButton, url: linkAddress(publicUrl, made.secret) },
      end: [t.sentBy(new URL(publicUrl).host)],
    });
  };
}
