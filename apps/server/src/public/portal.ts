import express, { type Response, type Router } from "express";
import { findByKey, findPublicProfile } from "../accounts/profile-queries.js";
import { findOnlyAccount } from "../calendars/public-queries.js";
import type { KeyedAccount } from "../db/rows.js";
import { addRead } from "../http/documents.js";
import { queryString } from "../http/paths.js";
import { heavy } from "../http/quota.js";
import { listNotices } from "./news-queries.js";
import {
  keep,
  pageGuards,
  type PageServices,
  respondError,
  sendErrorPage,
  sendPage,
  type Visit,
  visitOf,
} from "./page.js";
import { readPortal, readPortalQuery } from "./portal-content.js";
import { paths } from "./public-paths.js";
import { themeOf } from "./theme.js";
import { commonApps } from "./views/apps.js";
import { portalPage } from "./views/portal-page.js";

/** Serves the portals of accounts by their keys; an old key redirects for a year (extensions X11.1, X11.3). */
export function portalPages(services: PageServices): Router {
  const { db, clock, publicUrl } = services;
  const router = express.Router({ caseSensitive: true });
  router.use("/o", ...pageGuards(publicUrl));
  addRead(router, paths.portal(":key"), "portalPage", async (req, res) => {
    const visit = visitOf(req, res, services);
    const key = /^\/o\/([a-z0-9-]{3,40})\/?$/.exec(req.path)?.[1];
    const account = key === undefined ? undefined : await findByKey(db, key, clock());
    if (account === undefined || account.key === "") return sendErrorPage(visit, 404);
    if (account.key === key) return showPortal(visit, account, services, paths.portal(key));
    const query = queryString(req);
    redirect(res, visit.root + paths.portal(account.key) + (query === "" ? "" : `?${query}`));
  });
  router.use("/o", (req, res) => sendErrorPage(visitOf(req, res, services), 404));
  router.use("/o", respondError(services));
  return router;
}

/** For a while only: whoever takes the key after that year has it. */
function redirect(res: Response, address: string): void {
  res.setHeader("Cache-Control", "public, max-age=300");
  res.status(302).location(address).end();
}

/**
 * The owner of all that reads portals: one with 100 full calendars takes seconds, and those of two accounts would have all
 * connections of lists, for which everyone else waits.
 */
const readers = "portals";

/** Shows the portal of an account when the limiter has room. @param path where it is, below that of the service */
export async function showPortal(
  visit: Visit,
  account: KeyedAccount,
  { clock, publicUrl, mail }: PageServices,
  path: string,
): Promise<void> {
  const { req, res, db, root } = visit;
  const own = { ...visit, theme: themeOf(root, account) };
  const query = readPortalQuery(queryString(req));
  if (query === undefined) return sendErrorPage(own, 400);
  await heavy.run(readers, async () => {
    const content = await db.list(readers, (on) => readPortal(on, account.id, query, clock()));
    const ids = content.calendars.map(({ id }) => id);
    const news = mail && (await listNotices(db.read, ids, clock()));
    const isSearchable = content.calendars.some(({ searchable }) => searchable === 1);
    if (isSearchable) res.removeHeader("X-Robots-Tag");
    keep(res, publicUrl);
    res.vary("User-Agent"); // by which the apps are sorted
    const view = { ...own, ...content, commonApps: commonApps(req.headers["user-agent"]) };
    sendPage(visit, 200, portalPage({ ...view, news, account, query, path, isSearchable }));
  });
}

/**
 * Returns the account whose portal the start page is; undefined for the page of the service itself. `home` is the setting: the path of
 * a portal, `door` for none, or `auto`.
 */
export async function findHome(
  db: Pick<Visit["db"], "lookUp">,
  home: string,
  now: number,
): Promise<KeyedAccount | undefined> {
  if (home === "door") return undefined;
  if (home !== "auto") return findByKey(db, home.slice(paths.portal("").length), now);
  const id = await findOnlyAccount(db);
  return id === undefined ? undefined : findPublicProfile(db, id);
}
