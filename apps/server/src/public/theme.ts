import { accentColors, type AccentColors, defaultAccent } from "@kalends/spec";
import type { CalendarRow, KeyedAccount } from "../db/rows.js";

/** What a page has of the account that it is of (extensions X11.1). What is not set is empty. */
export interface Theme {
  readonly name: string;
  readonly key: string;
  readonly website: string;
  readonly imprintUrl: string;
  readonly privacyUrl: string;
  readonly colors: Readonly<Record<"light" | "dark", AccentColors>>;
  /** Path of the stylesheet that sets the colours as custom properties: a page has no inline style. */
  readonly stylePath: string;
}

/** @param calendar whose page it is; its own accent counts before that of the account */
export function themeOf(account: KeyedAccount, calendar?: Pick<CalendarRow, "accent">): Theme {
  const { name, key, website, imprint_url: imprintUrl, privacy_url: privacyUrl } = account;
  const accent = calendar?.accent || account.accent;
  const colors = accentColors(accent);
  return { name, key, website, imprintUrl, privacyUrl, colors, stylePath: accentStylePath(accent) };
}

/** The same accent has the same stylesheet for ever, whoever has chosen it. */
function accentStylePath(accent: string): string {
  return `/assets/accent-${(accent || defaultAccent).slice(1)}.css`;
}

/** Returns the stylesheet of a path as above; undefined when the path is another one. */
export function accentStyle(path: string): string | undefined {
  const [, digits] = /^\/assets\/accent-([0-9a-f]{6})\.css$/.exec(path) ?? [];
  if (digits === undefined) return undefined;
  const { light, dark } = accentColors(`#${digits}`);
  const dimmed = `@media screen and (prefers-color-scheme: dark) {\n${properties(dark)}}\n`;
  return `${properties(light)}${dimmed}`;
}

function properties(colors: AccentColors): string {
  const lines = Object.entries(colors).map(
    ([name, color]) => `--${name.replaceAll("_", "-")}: ${String(color)};`,
  );
  return `:root { ${lines.join(" ")} }\n`;
}
