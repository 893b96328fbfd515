import type { CalendarDetails } from "@kalends/client/extensions";
import { type Day, isDay, isMonth, monthOf, todayIn } from "../../dates/days.js";
import { go, useAddress } from "../../router/location.js";
import { calendarPath, printAddress } from "../../router/routes.js";

/** What of the calendar is shown: the address has all of it, so that a reload and "back" keep it. */
export interface View {
  /** In the zone of the calendar, as all that is shown. */
  readonly today: Day;
  readonly month: string;
  readonly day: Day;
  readonly kind: "month" | "agenda";
  /** The day of an event to add; the id of one that is open. */
  readonly adding: string;
  readonly open: string;
}

const isWide = matchMedia("(min-width: 640px)");

/** The view, and what changes it. */
export function useView({
  id,
  timezone,
}: CalendarDetails): readonly [View, (changes: Partial<View>) => void] {
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
      view: query["view"] === undefined && changes.kind === undefined ? "" : next.kind,
    };
    const path = printAddress(calendarPath(id), { ...shown, new: next.adding, event: next.open });
    go(path, isStep && view.adding === "" && view.open === "" ? "push" : "replace");
  };
  return [view, show];
}
