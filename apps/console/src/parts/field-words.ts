import { whenInWords } from "../dates/words.js";
import { locale, t } from "../texts/current.js";

/** The name of a field of the API, as the forms call it. */
export function labelOf(field: string): string {
  const labels: Readonly<Record<string, string>> = t.history.fields;
  return labels[field] ?? field;
}

/** A value of a field of the API as people read it: dates and words of the API are not. */
export function valueInWords(field: string, value: string): string {
  if (/^\d{4}-\d\d-\d\d(T\d\d:\d\d)?$/.test(value))
    return whenInWords(locale, { start: value, end: value, allDay: value.length === 10 });
  const words: Readonly<Record<string, Readonly<Record<string, string>>>> = {
    status: t.search.statuses,
    published: t.draft.ways,
    reminder: t.event.reminders,
    all_day_event: { true: "✓" },
  };
  if (field === "picture_id" && value !== "") return t.pictures.event;
  const known = value === "" ? "" : (words[field]?.[value] ?? value);
  return known === "" || (field === "all_day_event" && value === "false") ? "–" : known;
}
