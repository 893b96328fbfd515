import { findPublicProfile } from "../accounts/profile-queries.js";
import {
  findListed,
  findPageCalendar,
  listPortalCalendars,
  mostListed,
  type PageCalendar,
} from "../calendars/public-queries.js";
import type { Reader } from "../db/database.js";
import { chooseCalendars, deleteCombined, renewCombinedKey, unfollowAll } from "../followers/combined-job.js";
import { findNewsFollower } from "../followers/mail-request-queries.js";
import { type CombinedFollower, findCombined } from "../followers/subscriber-queries.js";
import { hashFollowerKey, isFollowerKey } from "../followers/subscribe.js";
import { bodyPairs } from "../http/body.js";
import { heavy, publicOf } from "../http/quota.js";
import type { Pair } from "../http/query-string.js";
import { chooseMail } from "./mail-pages.js";
import { type Form, type MailPages, sendErrorPage, sendPage, type Visit } from "./page.js";
import { paths } from "./public-paths.js";
import { themeOf } from "./theme.js";
import { combinedPage } from "./views/combined-page.js";

// What one person does who follows several calendars by one address (extensions X11.3).

/** The feed of several calendars that an address is of. */
export interface Combined {
  readonly key: string;
  readonly hash: string;
  readonly accountId: number;
  readonly followers: readonly CombinedFollower[];
}

export async function combinedOf({ req, db }: Pick<Visit, "req" | "db">): Promise<Combined | undefined> {
  const { key } = req.params;
  if (typeof key !== "string" || !isFollowerKey(key)) return undefined;
  const hash = hashFollowerKey(key);
  const followers = await findCombined(db, hash);
  const [first] = followers;
  return first && { key, hash, accountId: first.account_id, followers };
}

/** Returns the calendars that a form ticks, all of one account; undefined when it ticks none that a portal shows. */
export async function tickedCalendars(
  { db }: Pick<Visit, "db">,
  pairs: readonly Pair[],
): Promise<readonly { readonly id: number; readonly account_id: number }[]> {
  const rows = await findListed(db.read, keysIn(pairs));
  return rows.filter(({ account_id }) => account_id === rows[0]?.account_id);
}

function keysIn(pairs: readonly Pair[]): readonly string[] {
  const keys = pairs.flatMap(([name, value]) => (name === "calendar" ? [value] : []));
  return [...new Set(keys)].filter((key) => /^[a-z0-9]{1,40}$/.test(key)).slice(0, mostListed);
}

/**
 * Returns the id of one of the person's followers, of a calendar that is there if possible: one that was deleted for good has no
 * address. What is done about the address of one is done of all.
 */
export function anyOf(
  followers: readonly Pick<CombinedFollower, "subscriber_id" | "unfollowed_at" | "deleted_at">[],
): number {
  const there = followers.filter(({ deleted_at }) => deleted_at === null);
  const one = there.find(({ unfollowed_at }) => unfollowed_at === null) ?? there[0] ?? followers[0];
  return one?.subscriber_id ?? 0;
}

type HandleCombined = (form: Form, combined: Combined) => Promise<string | undefined>;

/** Each handles a form of the person's page, by the name of its route, and returns the path of the next one; undefined when the feed is gone. */
export const combinedForms: Readonly<Record<string, HandleCombined>> = {
  async chooseCalendars(form, { key, hash, followers, accountId }) {
    const { req, db, body, now } = form;
    const keys = new Set(keysIn(await bodyPairs(req, body)));
    const offered = await db.list(publicOf(accountId), (on) => offeredTo(on, followers));
    const chosen = offered.filter(({ uniquekey }) => keys.has(uniquekey)).map(({ id }) => id);
    const choice = { chosen, offered: offered.map(({ id }) => id) };
    const isThere = await chooseCalendars(db, hash, choice, now);
    return isThere ? `${paths.follower(key)}?chosen=1` : undefined;
  },
  async unfollow({ db, now }, { key, hash }) {
    await unfollowAll(db, hash, now);
    return paths.follower(key);
  },
  chooseMail: (form, { followers, key }) => chooseMail(form, { id: anyOf(followers), key }),
  async renewKey({ db }, { hash }) {
    const key = await renewCombinedKey(db, hash);
    return key === undefined ? undefined : paths.follower(key);
  },
  async deleteFollower({ db, now }, { hash, accountId }) {
    await deleteCombined(db, hash, now);
    const account = await findPublicProfile(db, accountId);
    const home = account === undefined || account.key === "" ? "/" : paths.portal(account.key);
    return `${home}?left=1`;
  },
};

/** Returns the calendars that the person may tick: those of the portal, and others that she follows, such as one no longer listed. */
async function offeredTo(
  { read }: Reader,
  followers: readonly CombinedFollower[],
): Promise<readonly PageCalendar[]> {
  const [first] = followers;
  if (first === undefined) return [];
  const listed = await listPortalCalendars(read, first.account_id);
  const others: PageCalendar[] = [];
  for (const { calendar_id, unfollowed_at, deleted_at } of followers) {
    if (unfollowed_at !== null || deleted_at !== null) continue;
    const known = listed.some(({ id }) => id === calendar_id);
    const found = known ? undefined : await findPageCalendar(read, calendar_id);
    if (found !== undefined) others.push(found);
  }
  return [...listed, ...others];
}

export async function showCombined(
  visit: Visit,
  combined: Combined,
  mail: MailPages | undefined,
): Promise<void> {
  const { req, db, root } = visit;
  const { key, followers, accountId } = combined;
  const owner = publicOf(accountId);
  const account = await findPublicProfile(db, accountId);
  if (account === undefined) return sendErrorPage(visit, 404);
  const calendars = await heavy.run(owner, () => db.list(owner, (on) => offeredTo(on, followers)));
  const followed = new Set(
    followers.filter(({ unfollowed_at }) => unfollowed_at === null).map((row) => row.calendar_id),
  );
  const address = mail && (await findNewsFollower(db, anyOf(followers)));
  const view = {
    ...visit,
    address,
    isAddressWrong: req.url.endsWith("?email=wrong"),
    theme: themeOf(root, account),
    account,
    key,
    app: followers[0]?.calendar_type ?? "",
    calendars: calendars.map((calendar) => ({ ...calendar, isFollowed: followed.has(calendar.id) })),
    hasChosen: req.url.endsWith("?chosen=1"),
  };
  sendPage(visit, 200, combinedPage(view));
}
