import { expect } from "../engine/assert.js";
import { idOf, isItem, type Item, list, text } from "../engine/json.js";
import type { Kit } from "../engine/kit.js";
import type { Answer, Params } from "../engine/target.js";
import { ok } from "./extensions.js";

/** Over the end of summer time in Paris, 2026-10-25. */
export const council = {
  title: "Council",
  location: "Hall",
  timezone: "Europe/Paris",
  start_date: "2026-10-12T19:00",
  end_date: "2026-10-12T20:30",
  rrule: "FREQ=WEEKLY;COUNT=4",
} as const;
/** When its events are. */
export const starts = ["2026-10-12T19:00", "2026-10-19T19:00", "2026-10-26T19:00", "2026-11-02T19:00"];

export interface Council {
  readonly calendar_id: string;
  /** Of its events, soonest first. */
  readonly ids: readonly string[];
}

/** Makes a weekly council of four evenings in a calendar of its own. */
export async function createCouncil(kit: Kit, params: Params = {}): Promise<Council> {
  const calendar_id = idOf(await kit.calendar());
  const { body } = await ok(kit, "POST events/series/create/", { calendar_id, ...council, ...params });
  return { calendar_id, ids: texts(body, "event_ids") };
}

/** A list of texts in a body. */
export function texts(body: unknown, name: string): readonly string[] {
  const found = isItem(body) ? body[name] : undefined;
  expect(
    Array.isArray(found) && found.every((one) => typeof one === "string"),
    `${name}: expected a list of texts.`,
  );
  return Array.isArray(found) ? found.map(String) : [];
}

/** The events of a calendar, soonest first. */
export async function eventsOf(kit: Kit, calendar_id: string): Promise<readonly Item[]> {
  const { body } = await ok(kit, "GET events/list/", { calendar_id, order_by: "id-asc" });
  return list(body, "events").toSorted((one, other) =>
    text(one, "start_at") < text(other, "start_at") ? -1 : 1,
  );
}

/** A field of each event. */
export function column(events: readonly Item[], name: string): readonly unknown[] {
  return events.map((event) => event[name]);
}

/** Changes events of a series. */
export async function updateSeries(
  kit: Kit,
  event_id: string | undefined,
  scope: string,
  params: Params,
): Promise<Answer> {
  return ok(kit, "POST events/series/update/", { event_id: event_id ?? "", scope, ...params });
}
