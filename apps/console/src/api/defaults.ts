import type { CalendarDetails } from "@kalends/client/extensions";

/** What a new event of a calendar begins with. */
export interface Defaults extends Readonly<Record<string, string>> {
  /** Minutes. */
  readonly length: string;
  readonly location: string;
  readonly reminder: string;
}

/** The key in the calendar's own data (extensions X2.4) that the console has for itself. */
const key = "new_event";

export function defaultsOf({ custom_data }: Pick<CalendarDetails, "custom_data">): Defaults {
  const own: Readonly<Record<string, unknown>> = custom_data;
  const kept: Readonly<Record<string, unknown>> = Object(own[key]);
  const text = (name: string, otherwise: string): string => {
    const value = kept[name];
    return typeof value === "string" ? value : otherwise;
  };
  const length = text("length", "60");
  return {
    length: /^[1-9]\d{0,4}$/.test(length) ? length : "60",
    location: text("location", ""),
    reminder: text("reminder", ""),
  };
}

/** The calendar's data with some defaults changed; what others keep there stays. @param calendar read just before */
export function withDefaults(
  calendar: Pick<CalendarDetails, "custom_data">,
  changes: Partial<Defaults>,
): CalendarDetails["custom_data"] {
  return { ...calendar.custom_data, [key]: { ...defaultsOf(calendar), ...changes } };
}
