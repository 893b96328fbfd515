import type { EventRow } from "../db/rows.js";
import type { SeriesRow } from "../db/series-row.js";

/** The fields of an event that the next ones of its series get too. */
export type Template = Pick<EventRow, (typeof names)[number]>;

const names = [
  "title",
  "description",
  "location",
  "organizer",
  "organizer_email",
  "color_id",
  "reminder",
  "status",
  "custom_data",
  "categories",
] as const;

export function printTemplate(template: Template): string {
  return JSON.stringify(Object.fromEntries(names.map((name) => [name, template[name]])));
}

export function readTemplate({ template }: Pick<SeriesRow, "template">): Template {
  const read: Template = JSON.parse(template);
  return read;
}
