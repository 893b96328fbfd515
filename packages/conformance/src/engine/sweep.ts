import { idOf, list } from "./json.js";
import { hasNext } from "./lists.js";
import { carries, inGroups, isSuccess } from "./session.js";
import type { Recorder, Target } from "./target.js";

const mostPages = 200;
const deletesAtOnce = 4;

/** Ids of listed calendars that carry the mark and, when `before` is given, are older than that Unix time. */
async function findMarked(
  target: Target,
  as: "first" | "other",
  mark: string | RegExp,
  limits: { readonly before?: number; readonly pages?: number } = {},
): Promise<readonly string[]> {
  const recorder: Recorder = { exchanges: [] };
  const ids = new Set<string>();
  for (let page = 1; page <= (limits.pages ?? mostPages); page++) {
    const params = page === 1 ? {} : { page: String(page) };
    const { body } = await target.call(recorder, "listCalendars", params, { as });
    const calendars = list(body, "calendars");
    for (const calendar of calendars) {
      if (!carries(calendar, mark)) continue;
      const created = calendar["date_create"];
      if (limits.before === undefined || (typeof created === "number" && created < limits.before))
        ids.add(idOf(calendar));
    }
    if (calendars.length === 0 || !hasNext(body)) break;
  }
  return [...ids];
}

/** Deletes calendars, going on after errors; returns the ids that the server did not delete. */
async function deleteAll(
  target: Target,
  as: "first" | "other",
  ids: readonly string[],
): Promise<readonly string[]> {
  const recorder: Recorder = { exchanges: [] };
  const left: string[] = [];
  await inGroups(ids, deletesAtOnce, async (id) => {
    try {
      const answer = await target.call(recorder, "deleteCalendar", { calendar_id: id }, { as });
      if (!isSuccess(answer)) left.push(id);
    } catch {
      left.push(id);
    }
  });
  return left;
}

/**
 * Deletes the calendars of a run, first the known ids, then listed ones with its mark. Those that are still listed, or could
 * not be deleted, are returned, and whether the list could be read to its end.
 */
export async function sweep(
  target: Target,
  as: "first" | "other",
  mark: string | RegExp,
  known: readonly string[],
  limits: { readonly before?: number; readonly pages?: number } = {},
): Promise<{
  readonly deleted: readonly string[];
  readonly left: readonly string[];
  readonly isSearched: boolean;
}> {
  const failed = await deleteAll(target, as, known);
  const done = known.filter((id) => !failed.includes(id));
  try {
    const found = await findMarked(target, as, mark, limits);
    if (found.length === 0) return { deleted: done, left: [], isSearched: true };
    await deleteAll(target, as, found);
    const left = await findMarked(target, as, mark, limits);
    return { deleted: [...done, ...found.filter((id) => !left.includes(id))], left, isSearched: true };
  } catch {
    return { deleted: done, left: failed, isSearched: false };
  }
}
