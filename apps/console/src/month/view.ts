import { addDays, type Day, isDay, isMonth, monthOf, todayIn, weekAround } from "../dates/days.js";
import { firstWeekday } from "../dates/words.js";
import { useMedia } from "../parts/media.js";
import { go, useAddress } from "../router/location.js";
import { printAddress } from "../router/routes.js";
import { locale } from "../texts/current.js";

/** How events are shown. */
export const kinds = ["month", "week", "agenda"] as const;

/** What of one calendar or of all is shown: the address has all of it, so that a reload and "back" keep it. */
export interface View {
  /** In the zone of what is shown. */
  readonly today: Day;
  readonly month: string;
  readonly day: Day;
  readonly kind: (typeof kinds)[number];
  /** The first and the last day of the week of the day; on a phone, of the three days from it on. */
  readonly week: readonly [Day, Day];
  /** The day of an event to add, or its start; the id of one that is open. */
  readonly adding: string;
  readonly open: string;
}

/** The view that the address of a screen asks for, and what changes it. */
export function useView(path: string, timezone: string): readonly [View, (changes: Partial<View>) => void] {
  const { query } = useAddress();
  const isWide = useMedia("(min-width: 640px)");
  const asked = query["day"] ?? "";
  const month = query["month"] ?? "";
  const today = todayIn(timezone);
  const day = isDay(asked) ? asked : isMonth(month) && month !== monthOf(today) ? `${month}-01` : today;
  const kind = query["view"] ?? (isWide ? "month" : "agenda");
  const view: View = {
    today,
    day,
    month: monthOf(day),
    kind: kinds.find((each) => each === kind) ?? "agenda",
    week: isWide ? weekAround(day, firstWeekday(locale)) : [day, addDays(day, 2)],
    adding: isStart(query["new"] ?? "") ? (query["new"] ?? "") : "",
    open: /^\d+$/.test(query["event"] ?? "") ? (query["event"] ?? "") : "",
  };
  const show = (changes: Partial<View>): void => {
    const next = { ...view, ...changes };
    const isStep = next.adding !== view.adding || next.open !== view.open;
    const shown = {
      day: next.day,
      month: "",
      view: query["view"] === undefined && changes.kind === undefined ? "" : next.kind,
    };
    const address = printAddress(path, { ...query, ...shown, new: next.adding, event: next.open });
    go(address, isStep && view.adding === "" && view.open === "" ? "push" : "replace");
  };
  return [view, show];
}

/** Whether a text is a day, or a time of one. */
function isStart(text: string): boolean {
  return isDay(text.slice(0, 10)) && /^(?:T(?:[01]\d|2[0-3]):[0-5]\d)?$/.test(text.slice(10));
}
