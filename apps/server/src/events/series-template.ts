import { initial, templateColumns } from "../db/columns.js";
import type { SeriesRow } from "../db/series-row.js";
import type { Template } from "./revisions.js";

export function printTemplate(template: Template): string {
  return JSON.stringify(template, [...templateColumns]);
}

export function readTemplate({ template }: Pick<SeriesRow, "template">): Template {
  const read: Template = JSON.parse(template);
  return { ...initial, ...read }; // that of a release before lacks the columns since
}

/** Returns what other events take over from an event. */
export function templateOf(event: Template): Template {
  return readTemplate({ template: printTemplate(event) });
}
