import { type Day, isDay, isMonth, monthOf, todayIn } from "../dates/days.js";
import { go, useAddress } from "../router/location.js";
import { printAddress } from "../router/routes.js";

/** What of one calendar or of all is shown: the address has all of it, so that a reload and "back" keep it. */
export interface View {
  /** In the zone of what is shown. */
  readonly today: Day;
  readonly month: string;
  readonly day: Day;
  readonly kind: "month" | "agenda";
  /** The day of an event to add; the id of one that is open. */
  readonly adding: string;
  readonly open: string;
}

const isWide = matchMedia("(min-width: 640px)");

/** The view that the address of a screen asks for, and what changes it. */
export function useView(path: string, timezone: string): readonly [View, (changes: Partial<View>) => void] {
  const { query } = useAddress();
  const asked = query["day"] ?? "";
  const month = query["month"] ?? "";
  const today = todayIn(timezone);
  const day = isDay(asked) ? asked : isMonth(month) && month !== monthOf(today) ? `${month}-01` : today;
  const kind = query["view"] ?? (isWide.matches ? "month" : "agenda");
  const view: View = {
    today,
    day,
    month: monthOf(day),
    kind: kind === "month" ? "month" : "agenda",
    adding: isDay(query["new"] ?? "") ? (query["new"] ?? "") : "",
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
