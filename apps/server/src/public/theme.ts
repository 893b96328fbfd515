import { accentColors, type AccentColors } from "@kalends/spec";
import { findPublicProfile } from "../accounts/profile-queries.js";
import type { Database } from "../db/database.js";
import type { CalendarRow, KeyedAccount } from "../db/rows.js";
import { accentStylePath } from "./views/accent-style.js";
import { type ShownPicture, shownPicture } from "./views/shown-picture.js";

/** What a page has of the account that it is of (extensions X11.1). What is not set is empty. */
export interface Theme extends Pick<
  KeyedAccount,
  "name" | "key" | "website" | "imprint_url" | "privacy_url"
> {
  readonly colors: Readonly<Record<"light" | "dark", AccentColors>>;
  /** Path of the stylesheet that sets the colours as custom properties: a page has no inline style. */
  readonly stylePath: string;
  readonly logo: ShownPicture | undefined;
  /** That of the calendar, else of the account. */
  readonly cover: ShownPicture | undefined;
}

/** Reads what the pages of a calendar have of its account; undefined when the account was deleted. */
export async function readTheme(
  db: Pick<Database, "lookUp">,
  root: string,
  calendar: Pick<CalendarRow, "account_id" | "accent" | "picture_id" | "picture_alt">,
): Promise<Theme | undefined> {
  const account = await findPublicProfile(db, calendar.account_id);
  return account && themeOf(root, account, calendar);
}

/**
 * Returns what a page has of its account.
 * @param root the path of the service, or its whole address, without a slash at its end
 * @param calendar whose page it is; its own accent and cover count before those of the account
 */
export function themeOf(
  root: string,
  account: KeyedAccount,
  calendar?: Pick<CalendarRow, "accent" | "picture_id" | "picture_alt">,
): Theme {
  const { name, key, website, imprint_url, privacy_url } = account;
  const accent = calendar?.accent || account.accent;
  const colors = accentColors(accent);
  const links = { website, imprint_url, privacy_url };
  const cover = (calendar && shownPicture(root, calendar)) ?? shownPicture(root, account);
  const logo = shownPicture(root, { picture_id: account.logo_id, picture_alt: account.logo_alt });
  return { name, key, ...links, colors, stylePath: root + accentStylePath(accent), logo, cover };
}
