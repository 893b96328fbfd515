import type { LinkPurpose } from "../../api/session.js";
import type { Texts } from "../../texts/en.js";
import { shownTitle } from "../../texts/titles.js";

interface Right {
  readonly where: string;
  readonly what: string;
}

/** What a person may do, in words: calendars with the same rights are one sentence. */
export function rightsOf(
  grants: LinkPurpose["grants"],
  words: Texts["join"],
  locale: string,
): readonly Right[] {
  const list = new Intl.ListFormat(locale);
  const calendars = new Map<string, string[]>();
  for (const { calendar, role, sees_followers: sees } of grants) {
    const may = [words.roles[role], ...(sees && role !== "owner" ? [words.followers] : [])];
    const what = list.format(may);
    calendars.set(what, [...(calendars.get(what) ?? []), calendar]);
  }
  return [...calendars].map(([what, titles]) => ({
    where: titles.includes("") ? words.everywhere : words.only(list.format(titles.map(shownTitle))),
    what,
  }));
}
