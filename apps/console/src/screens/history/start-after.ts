import type { HistoryEntry } from "@kalends/client/extensions";

/**
 * Returns when an event started after an entry: what the first change of its start after that says it was before.
 * @param ofEvent the entries of the same event, newest first
 */
export function startAfter(
  entry: Pick<HistoryEntry, "id" | "start_date">,
  ofEvent: readonly Pick<HistoryEntry, "id" | "changes">[],
): string {
  const later = ofEvent.slice(
    0,
    ofEvent.findIndex(({ id }) => id === entry.id),
  );
  const moved = later.flatMap(({ changes }) => changes.filter(({ field }) => field === "start_date"));
  return moved.at(-1)?.before ?? entry.start_date;
}
