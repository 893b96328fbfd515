import type { SeriesRow } from "../db/series-row.js";
import { initial, type Template, templateOf } from "../events/revisions.js";

export function printTemplate(template: Template): string {
  return JSON.stringify(templateOf(template));
}

export function readTemplate({ template }: Pick<SeriesRow, "template">): Template {
  const read: Template = JSON.parse(template);
  return { ...initial, ...read }; // that of a release before lacks the columns since
}
