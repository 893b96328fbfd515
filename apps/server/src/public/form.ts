import express, { type Router } from "express";
import { findPublicProfile } from "../accounts/profile-queries.js";
import { findPageCalendar } from "../calendars/public-queries.js";
import { listCategories } from "../calendars/category-queries.js";
import { recordOf } from "../http/access-log.js";
import { readBytes } from "../http/body-bytes.js";
import { bodyPairs } from "../http/body.js";
import { ApiError } from "../http/errors.js";
import { addressKey, addressOf } from "../settings/ip-address.js";
import { heavy, publicOf } from "../http/quota.js";
import { largestBody } from "../http/limits.js";
import { createRateLimit, type RateLimit } from "../http/rate-limit.js";
import type { RouteName } from "../http/request-names.js";
import { subscribeToAll } from "../followers/combined-job.js";
import { chooseCategories, deleteSubscriber, renewKey, unfollow } from "../followers/life-job.js";
import type { FindLocation } from "../followers/locations.js";
import { findCombined, type Follower, findFollower } from "../followers/subscriber-queries.js";
import {
  hashFollowerKey,
  type Person,
  storedAddress,
  type StoreIp,
  subscribe,
} from "../followers/subscribe.js";
import { anyOf, combinedForms, combinedOf, tickedCalendars } from "./combined.js";
import { type FollowForm, readCategories, readFollowForm } from "./form-fields.js";
import { chooseMail, leaveAddress } from "./mail-pages.js";
import {
  type Form,
  pageGuards,
  type PageServices,
  respondError,
  sendErrorPage,
  sendFormError,
  themed,
  type Visit,
  visitOf,
} from "./page.js";
import { findRequested, followerOf } from "./public-pages.js";
import { paths } from "./public-paths.js";
import { themeOf } from "./theme.js";

interface FormServices extends PageServices {
  readonly storeIp: StoreIp;
  /** Follow forms per minute; 0 means no limit. */
  readonly followLimits: { readonly perAddress: number; readonly perCalendar: number };
  readonly findLocation: FindLocation;
}

/** Forms per minute and IP address that stop, renew or delete. Not a setting: only people with a key send them. */
const leavesPerMinute = 240;

/** Size limit of a form. The longest name and e-mail address, percent-encoded, take a quarter of it. */
const maxFormBytes = largestBody.ofForm;

/** Handles the forms of the follow and follower pages. Mount it before the pages, which answer every other path. */
export function followForm(services: FormServices): Router {
  const router = express.Router({ caseSensitive: true });
  const { followLimits, publicUrl } = services;
  const leaving = createRateLimit(leavesPerMinute);
  const perAddress = createRateLimit(followLimits.perAddress);
  const perCalendar = createRateLimit(followLimits.perCalendar);
  const add = (path: string, operation: RouteName, limit: RateLimit, handle: HandleForm): void => {
    const note: express.RequestHandler = (_req, res, next) => {
      recordOf(res).operation = operation;
      next();
    };
    const take = (visit: Visit) => takeForm(visit, limit, services, handle);
    router.all(path, note, ...pageGuards(publicUrl), (req, res) => take(visitOf(req, res, services)));
  };
  const addOfFollower = (path: string, operation: RouteName, handle: HandleOfFollower): void =>
    add(path, operation, leaving, async (form) => {
      const next = await handleOfPerson(form, operation, handle);
      if (next === undefined) sendErrorPage(form, 404);
      else redirect(form, next);
    });
  add(paths.follow(":uniquekey"), "follow", perAddress, (form) =>
    startFollowing(form, services, perCalendar),
  );
  add(paths.followSeveral, "followSeveral", perAddress, (form) =>
    startFollowingAll(form, services, perCalendar),
  );
  // The page of one who follows a single calendar has no such form.
  addOfFollower(paths.calendars(":key"), "chooseCalendars", () => Promise.resolve(undefined));
  addOfFollower(paths.unfollow(":key"), "unfollow", stopFollowing);
  addOfFollower(paths.renew(":key"), "renewKey", replaceKey);
  addOfFollower(paths.categories(":key"), "chooseCategories", pickCategories);
  addOfFollower(paths.deleteData(":key"), "deleteFollower", deleteData);
  if (services.mail !== undefined)
    addOfFollower(paths.mail(":key"), "chooseMail", (form, { subscriber_id: id }, key) =>
      chooseMail(form, { id, key }),
    );
  router.use(respondError(services));
  return router;
}

type HandleForm = (form: Form) => Promise<void>;

/** Returns the path of the next page; undefined when what the form is about does not exist. */
type HandleOfFollower = (form: Form, follower: Follower, key: string) => Promise<string | undefined>;

/** Handles a form of the page of a follower, or of one who follows several calendars, whose forms have the same addresses. */
async function handleOfPerson(
  form: Form,
  operation: RouteName,
  handle: HandleOfFollower,
): Promise<string | undefined> {
  const found = await followerOf(form.req, form.db);
  if (found !== undefined) return handle(form, found.follower, found.key);
  const combined = await combinedOf(form);
  return combined && combinedForms[operation]?.(form, combined);
}

async function takeForm(visit: Visit, limit: RateLimit, { clock, mail }: FormServices, handle: HandleForm) {
  const { req, res } = visit;
  // Requests that follow a link, such as prefetches and mail scanners, must not change anything.
  if (req.method !== "POST") return sendErrorPage(visit, 405, { Allow: "POST" });
  const body = await readBytes(req, res, { bytes: maxFormBytes, owner: undefined });
  if (!isSameOrigin(visit)) return sendErrorPage(visit, 403);
  if (await isWithin(limit, addressKey(req), visit)) await handle({ ...visit, body, now: clock(), mail });
}

/** Counts the form under the key and returns whether it is within the limit; otherwise sends an error page. */
async function isWithin(limit: RateLimit, key: string | number, visit: Visit) {
  try {
    await limit(key);
    return true;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    recordOf(visit.res).errorType = error.code;
    sendErrorPage(visit, 429, { "Retry-After": error.headers["Retry-After"] ?? "60" });
    return false;
  }
}

/** The response does not depend on whether the e-mail address follows already, so it does not reveal that. */
async function startFollowing(visit: Form, services: FormServices, perCalendar: RateLimit): Promise<void> {
  const { req, res, db, body, now, mail } = visit;
  const calendar = await findRequested(req, db);
  if (calendar === undefined) return sendErrorPage(visit, 404);
  if (calendar.deleted_at !== null) return sendErrorPage(await themed(visit, calendar), 410);
  const pairs = await bodyPairs(req, body);
  const form = readFollowForm(pairs);
  if (!("app" in form)) {
    return sendFormError(await themed(visit, calendar), form, paths.page(calendar.uniquekey));
  }
  if (!(await isWithin(perCalendar, calendar.id, visit))) return;
  recordOf(res).calendarId = calendar.id;
  const key = await heavy.run(publicOf(calendar.account_id), async () => {
    const categories = readCategories(pairs, await listCategories(db, calendar.id));
    return subscribe(db, calendar.id, { ...(await personOf(visit, form, services)), categories }, now);
  });
  if (key === undefined) return sendErrorPage(visit, 410); // deleted since the query
  const follower = mail && form.email !== "" ? await findFollower(db, hashFollowerKey(key)) : undefined;
  if (mail !== undefined && follower !== undefined)
    await leaveAddress(visit, mail, { id: follower.subscriber_id, address: form.email, now });
  redirect(visit, paths.follower(key));
}

async function personOf(
  { req }: Form,
  { app: calendar_type, name, email }: FollowForm,
  { storeIp, findLocation }: FormServices,
): Promise<Person> {
  const address = addressOf(req);
  // The location needs the full address, even if only a part of it is stored.
  const location = await findLocation(address);
  return { name, email, calendar_type, ip: storedAddress(address, storeIp), ...location };
}

/** Follows the calendars that the form of a portal ticks, by one address. */
async function startFollowingAll(visit: Form, services: FormServices, perCalendar: RateLimit): Promise<void> {
  const { req, db, body, now, mail } = visit;
  const pairs = await bodyPairs(req, body);
  const calendars = await tickedCalendars(visit, pairs);
  const [first] = calendars;
  const account = first && (await findPublicProfile(db, first.account_id));
  const own = account === undefined ? visit : { ...visit, theme: themeOf(visit.root, account) };
  const portal = account === undefined || account.key === "" ? "/" : paths.portal(account.key);
  const form = readFollowForm(pairs);
  if (first === undefined || !("app" in form)) {
    const invalid = "app" in form ? [] : form;
    return sendFormError(own, first === undefined ? ["calendars", ...invalid] : invalid, portal);
  }
  const ids = calendars.map(({ id }) => id);
  for (const id of ids) if (!(await isWithin(perCalendar, id, own))) return;
  const key = await heavy.run(publicOf(first.account_id), async () =>
    subscribeToAll(db, ids, await personOf(visit, form, services), now),
  );
  if (key === undefined) return sendErrorPage(own, 410); // deleted since the query
  if (mail !== undefined && form.email !== "") {
    const followers = await findCombined(db, hashFollowerKey(key));
    await leaveAddress(visit, mail, { id: anyOf(followers), address: form.email, now });
  }
  redirect(visit, paths.follower(key));
}

async function stopFollowing({ db, now }: Form, { subscriber_id }: Follower, key: string) {
  await unfollow(db, subscriber_id, now);
  return paths.follower(key);
}

async function replaceKey({ db }: Form, { subscriber_id, key_hash }: Follower) {
  const key = await renewKey(db, subscriber_id, key_hash);
  return key === undefined ? undefined : paths.follower(key); // renewed or deleted since the query
}

async function pickCategories({ req, db, body, now }: Form, follower: Follower, key: string) {
  const offered = await listCategories(db, follower.calendar_id);
  const categories = readCategories(await bodyPairs(req, body), offered);
  await chooseCategories(db, follower.subscriber_id, categories, now);
  return `${paths.follower(key)}?chosen=1`;
}

async function deleteData({ db, now }: Form, { subscriber_id, calendar_id }: Follower) {
  const calendar = await findPageCalendar(db.read, calendar_id);
  if (calendar === undefined) return undefined;
  await deleteSubscriber(db, subscriber_id, now);
  return `${paths.page(calendar.uniquekey)}?left=1`;
}

/** Redirects to a page. No referrer: the address of this form contains the key. */
function redirect({ res, root }: Visit, path: string): void {
  res.setHeader("Cache-Control", "no-store");
  res.setHeader("Referrer-Policy", "no-referrer");
  res
    .status(303)
    .location(root + path)
    .end();
}

/**
 * Returns whether a form was submitted from a page of this service, according to its browser.
 *
 * Sec-Fetch-Site is decisive, because pages cannot set it. Browsers send it only to https and to localhost, and old ones not
 * at all; then Origin decides, which browsers send with every form. `Origin: null` is refused: our pages never cause it,
 * since their Referrer-Policy is same-origin. A request with neither header comes from a program, which cannot misuse a
 * visitor's browser; there are no cookies.
 */
function isSameOrigin({ req, baseUrl }: Visit): boolean {
  const site = req.headers["sec-fetch-site"];
  if (site !== undefined) return site === "same-origin" || site === "none";
  const { origin } = req.headers;
  return origin === undefined || (URL.canParse(baseUrl) && origin === new URL(baseUrl).origin);
}
