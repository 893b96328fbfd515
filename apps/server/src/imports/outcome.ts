import type { EventRow } from "../db/rows.js";

/** What an import made of one event of a file. */
export interface Outcome {
  readonly result: "created" | "changed" | "unchanged" | "skipped";
  readonly uid: string;
  readonly recurrenceId: string;
  readonly title: string;
  /** The event; undefined when it was skipped, or would be created. */
  readonly event: EventRow | undefined;
  /** Why it was skipped; else empty. */
  readonly reason: string;
  readonly notes: readonly string[];
}
