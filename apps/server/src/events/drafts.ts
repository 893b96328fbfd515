import type { ParameterFailure } from "@kalends/spec";
import type { Transaction } from "../db/transaction.js";
import type { EventRow } from "../db/rows.js";
import { requireCategories } from "./fields.js";
import { isReplaced } from "./move-queries.js";
import type { LockedEvent } from "./queries.js";
import type { EventChange } from "./revisions.js";
import { storeEventChange } from "./write.js";

/** Makes the error of a draft that cannot be published. */
export type Refuse = (
  code: "event_replaced" | "parameter_invalid",
  failures?: readonly ParameterFailure[],
) => Error;

/**
 * Changes a locked event or draft, publishes it, or makes it a draft again (extensions X8.5).
 * @throws Error of `error` when it cannot be published
 */
export async function storeChange(
  trx: Transaction,
  { event, calendar }: LockedEvent,
  change: EventChange,
  { now, error }: { readonly now: number; readonly error: Refuse },
): Promise<EventRow> {
  const { state = event.state } = change;
  if (state === "published" && event.state === "draft") {
    if (await isReplaced(trx, event)) throw error("event_replaced");
    await requireCategories(trx, calendar, change.categories ?? event.categories, error);
  }
  // As its deletion would, this takes the event out of its series.
  const leaves = state === "draft" && event.state === "published" ? { series_id: 0, series_place: 0 } : {};
  return storeEventChange(trx, { event, calendar }, { ...change, ...leaves }, now);
}
