import { domainToASCII } from "node:url";
import express, { type Router } from "express";
import { findAccount } from "../accounts/queries.js";
import { findPageCalendar } from "../calendars/public-queries.js";
import { bodyPairs } from "../http/body.js";
import { recordOf } from "../http/access-log.js";
import { readBytes } from "../http/body-bytes.js";
import { largestBody, mailRequests } from "../http/limits.js";
import { addressKey } from "../settings/ip-address.js";
import { idOfToken, isTokenOf, keyedHash, type MailLinkKind } from "../followers/mail-links.js";
import {
  confirmAddress,
  findNewsFollower,
  type NewsFollower,
  requestNews,
} from "../followers/mail-request-queries.js";
import { removeAddress } from "../webhooks/mail-queries.js";
import { readEmail } from "./form-fields.js";
import {
  type Form,
  type MailPages,
  pageGuards,
  type PageServices,
  respondError,
  sendErrorPage,
  sendPage,
  themed,
  type Visit,
  visitOf,
} from "./page.js";
import { paths } from "./public-paths.js";
import { layout } from "./views/layout.js";
import { mailLinkBody } from "./views/news.js";

const kinds: readonly MailLinkKind[] = ["confirm", "stop"];

/** Serves the pages of links in messages (extensions X12.1, X12.3). Nothing is changed but by a POST. */
export function mailPages(services: PageServices): Router {
  const router = express.Router({ caseSensitive: true });
  const { mail } = services;
  if (mail === undefined) return router;
  const guards = pageGuards(services.publicUrl);
  for (const kind of kinds)
    router.all(paths.mailLink(kind, ":token"), ...guards, (req, res) =>
      answer(visitOf(req, res, services), kind, mail, services.clock()),
    );
  router.use("/m", respondError(services));
  return router;
}

async function answer(visit: Visit, kind: MailLinkKind, mail: MailPages, now: number): Promise<void> {
  const { req, res, db, language, root } = visit;
  recordOf(res).operation = "mailLink";
  res.setHeader("Cache-Control", "no-store");
  res.setHeader("Referrer-Policy", "no-referrer");
  if (!["GET", "HEAD", "POST"].includes(req.method))
    return sendErrorPage(visit, 405, { Allow: "GET, HEAD, POST" });
  const follower = await followerOfLink(visit, kind, mail);
  const calendar = follower && (await findPageCalendar(db.read, follower.calendar_id));
  const around = calendar === undefined ? visit : await themed(visit, calendar);
  const t = language.texts.news;
  const show = (status: number, of: Parameters<typeof mailLinkBody>[0]): void => {
    const body = mailLinkBody(
      of,
      root + (calendar === undefined ? "/" : paths.page(calendar.uniquekey)),
      language,
    );
    sendPage(visit, status, layout(around, { title: of.title, kind: "error", body }));
  };
  const words = {
    confirm: { title: t.confirmTitle, lead: t.confirmLead, button: t.confirmButton, done: t.isConfirmed },
    stop: { title: t.stopTitle, lead: t.stopLead, button: t.stopButton, done: t.isStopped },
  }[kind];
  const gone = { title: t.heading, lead: t.gone };
  if (follower === undefined || calendar === undefined) return show(404, gone);
  if (req.method !== "POST")
    return show(200, {
      title: words.title,
      lead: words.lead(await followedName(db, follower, calendar.title)),
      button: words.button,
    });
  // One click of a mail program comes without a page of ours, so the link alone decides (RFC 8058).
  await readBytes(req, res, { bytes: largestBody.ofForm, owner: undefined });
  const isDone = await db.transaction(async (trx) => {
    if (kind === "confirm") return confirmAddress(trx, follower, now);
    await removeAddress(trx, follower.id);
    return true;
  });
  if (isDone) show(200, { title: t.heading, lead: words.done });
  else show(404, gone);
}

async function followerOfLink(
  { req: { params }, db }: Visit,
  kind: MailLinkKind,
  { secret }: MailPages,
): Promise<NewsFollower | undefined> {
  const { token } = params;
  const id = typeof token === "string" ? idOfToken(token) : undefined;
  if (typeof token !== "string" || id === undefined) return undefined;
  const follower = await findNewsFollower(db, id);
  const address = follower?.email ?? "";
  // A wrong link and one of someone who was erased are answered alike.
  return isTokenOf(secret, token, { kind, id, address }) ? follower : undefined;
}

/** Returns what a follower follows: a calendar, or with one address for several the account. */
async function followedName(
  db: Visit["db"],
  { combined_hash, account_id }: NewsFollower,
  title: string,
): Promise<string> {
  const account = combined_hash === null ? undefined : await findAccount(db.read, account_id);
  return account?.name || title;
}

/**
 * Returns what is one address to most mail servers: whatever its case, without a part after + and points before @. Messages go to the
 * domain in ASCII, which has many spellings in Unicode.
 */
function countedAs(address: string): string {
  const at = address.lastIndexOf("@");
  const [name = ""] = address.slice(0, at).split("+");
  const domain = domainToASCII(address.slice(at + 1)).replace(/\.$/, "");
  return `${name.replaceAll(".", "").toLowerCase()}@${domain}`;
}

/** Stores the address that a follower leaves, and has a link to confirm it sent there. */
export async function leaveAddress(
  { req, db, language }: Visit,
  { secret }: MailPages,
  { id, address, now }: { readonly id: number; readonly address: string; readonly now: number },
): Promise<void> {
  const hashes = {
    address_hash: keyedHash(secret, `address ${countedAs(address)}`),
    source_hash: keyedHash(secret, `source ${addressKey(req)}`),
  };
  const of = { id, address, language: language.texts.language, hashes, limits: mailRequests, now };
  await db.transaction((trx) => requestNews(trx, of));
}

/** Changes or removes the address of a follower (extensions X12.1). Returns the path of the next page. */
export async function chooseMail(
  form: Form,
  { id, key }: { readonly id: number; readonly key: string },
): Promise<string | undefined> {
  const { req, db, body, now, mail } = form;
  if (mail === undefined) return undefined;
  const pairs = await bodyPairs(req, body);
  if (pairs.some(([name, value]) => name === "remove" && value === "1")) {
    await db.transaction((trx) => removeAddress(trx, id));
    return `${paths.follower(key)}#news`;
  }
  const address = readEmail(pairs);
  if (address === undefined) return `${paths.follower(key)}?email=wrong#news`;
  await leaveAddress(form, mail, { id, address, now });
  return `${paths.follower(key)}#news`;
}
