import { operations } from "@kalends/spec";
import * as z from "zod";
import { storedData } from "../calendars/custom-data-stored.js";
import type { SeriesRow } from "../db/series-row.js";
import type { Template } from "../events/revisions.js";
import { parseRule, type Rule } from "../events/recurrence-rule.js";
import { pastYear9999, year1900 } from "../time/formats.js";
import { isZone } from "../time/zones.js";

// What an export says of series (extensions X6.2): its events are single ones to other programs, so the rule stands beside them.

/** What a file says of the rule of a series, as it is stored. */
export const ruleColumns = [
  "rrule",
  "rdate",
  "exdate",
  "rule_timezone",
  "rule_all_day",
  "start_local",
  "from_place",
  "before_place",
  "shift",
  "length",
  "timezone",
  "all_day",
  "made_until",
] as const;

export type FileRule = Pick<SeriesRow, (typeof ruleColumns)[number]>;

/** The series of an event of an export. */
export interface OwnSeries {
  /** What the export calls it. */
  readonly id: string;
  readonly place: number;
  /** Its first event has what all have in common, and what of its texts is not that of the event. */
  readonly rule: FileRule | undefined;
  readonly template: { readonly [Name in keyof Template]?: Template[Name] | undefined };
}

const flag = z.int().min(0).max(1);
const local = z
  .int()
  .min(year1900 - 86_400)
  .max(pastYear9999);
const minutes = z.int().multipleOf(60).min(-pastYear9999).max(pastYear9999);
const places = z
  .string()
  .max(32_768)
  .regex(/^(?:-?\d{1,12}(?:,-?\d{1,12})*)?$/);
const zone = z.string().refine(isZone);
const texts = { title: true, description: true, location: true, organizer: true } as const;
const others = { organizer_email: true, color_id: true, reminder: true, status: true } as const;
const found = { custom_data: true, categories: true, url: true } as const;
const picture = { picture_id: true, picture_alt: true } as const;

const written = z.object({
  id: z.string().regex(/^\d{1,16}$/),
  place: local,
  rule: z
    .object({
      rrule: z.string().max(1_000),
      rdate: places,
      exdate: places,
      rule_timezone: zone,
      rule_all_day: flag,
      start_local: local,
      from_place: z.int(),
      before_place: z.int(),
      shift: minutes,
      length: minutes.min(0),
      timezone: zone,
      all_day: flag,
      made_until: z.int(),
    })
    .refine(({ rrule, ...rule }) => rrule === "" || typeof ruleOf({ rrule, ...rule }) !== "string")
    .optional(),
  template: operations.eventsUpdate.params.pick({ ...texts, ...others, ...found, ...picture }).optional(),
});

/** Returns the rule, or why it is none. */
export function ruleOf({ rrule, rule_all_day }: Pick<FileRule, "rrule" | "rule_all_day">): Rule | string {
  return parseRule(rrule, { allDay: rule_all_day === 1, lenient: true });
}

/** Reads what an export says of the series of an event; undefined when it is not as exports write it. */
export function readOwnSeries(text: string): OwnSeries | undefined {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return undefined;
  }
  const { success, data } = written.safeParse(json);
  if (!success) return undefined;
  const { id, place, rule, template: { custom_data, status, ...template } = {} } = data;
  return {
    id,
    place,
    rule,
    template: {
      ...template,
      ...(status === undefined || status === "" ? {} : { status }),
      ...(custom_data === undefined ? {} : { custom_data: storedData(custom_data) }),
    },
  };
}
