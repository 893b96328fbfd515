import type { BatchChange, BatchResult, FoundEvent } from "@kalends/client/extensions";
import { api } from "../../api/client.js";
import { savedOnce } from "../../api/saved-once.js";
import { RequestFailure } from "../../api/requests.js";
import type { Told } from "../../parts/telling.js";

/** What may become of many events. */
export const ways = [
  "move",
  "location",
  "categories",
  "color_id",
  "cancelled",
  "confirmed",
  "drafts",
  "publish",
  "calendar_id",
  "delete",
] as const;
export type Way = (typeof ways)[number];

/** What was chosen: the way, and the value that it needs. */
export type Chosen = Readonly<Record<"days" | "minutes" | "value", string> & { way: Way }>;

/** The change for the server; undefined while something is missing. */
export function changeOf({ way, days, minutes, value }: Chosen): BatchChange | undefined {
  const shift = { shift_days: Number(days), shift_minutes: Number(minutes) };
  switch (way) {
    case "move":
      return Number.isInteger(shift.shift_days + shift.shift_minutes) &&
        (shift.shift_days !== 0 || shift.shift_minutes !== 0)
        ? shift
        : undefined;
    case "categories":
      return { categories: namesIn(value) };
    case "cancelled":
    case "confirmed":
      return { status: way };
    case "drafts":
      return { published: "false" };
    case "publish":
      return { published: "true" };
    case "delete":
      return { delete: true };
    case "calendar_id":
      return value === "" ? undefined : { calendar_id: value };
    default:
      return { [way]: value };
  }
}

function namesIn(text: string): string[] {
  const names = text.split(",").map((name) => name.trim());
  return names.filter((name) => name !== "");
}

/** Whether events of a series would leave it, by the change or when it is taken back: then it is not. */
export function leavesSeries({ way }: Chosen, events: readonly FoundEvent[]): boolean {
  return (
    ["drafts", "publish", "calendar_id"].includes(way) && events.some(({ series_id }) => series_id !== "")
  );
}

/** Takes a change back. @throws when someone changed one of the events since */
export async function undoChange(
  change: BatchChange,
  events: readonly FoundEvent[],
  told: Told,
): Promise<void> {
  if (change.delete === true) {
    for (const { id } of events) await api.trash.restoreEvent(id, told);
    return;
  }
  for (const [inverse, group] of inversesOf(change, events)) {
    const { done }: BatchResult = await api.events.changeMany(savedOnce(group), { ...inverse, ...told });
    if (!done) throw new RequestFailure(412, {});
  }
}

/** What takes a change back, for the events that need the same. */
function inversesOf(
  { shift_days = 0, shift_minutes = 0, ...fields }: BatchChange,
  events: readonly FoundEvent[],
): readonly (readonly [BatchChange, readonly FoundEvent[]])[] {
  if (shift_days !== 0 || shift_minutes !== 0)
    return [[{ shift_days: -shift_days, shift_minutes: -shift_minutes }, events]];
  const groups = new Map<string, FoundEvent[]>();
  for (const event of events) {
    const key = JSON.stringify(before(fields, event));
    groups.set(key, [...(groups.get(key) ?? []), event]);
  }
  return [...groups].map(([key, group]) => {
    const inverse: BatchChange = JSON.parse(key);
    return [inverse, group] as const;
  });
}

/** What an event had in the fields of a change. */
function before(fields: BatchChange, event: FoundEvent): BatchChange {
  const { location, categories, color_id, status, calendar_id } = event;
  const own = { location, categories: [...categories], color_id, status, calendar_id };
  const known = Object.fromEntries(Object.entries(own).filter(([name]) => name in fields));
  const color = "calendar_id" in fields ? { color_id } : {}; // the other palette may lack it
  return { ...known, ...color, ...("published" in fields ? publicationOf(event) : {}) };
}

/** Whether an event was published, and when a draft would have been: publishing it has dropped that time. */
function publicationOf({ published, publish_at }: FoundEvent): BatchChange {
  return published ? { published: "true" } : { published: "false", publish_at };
}
