import type { Snapshot } from "./snapshots.js";

/** What the primary process and its workers tell each other about metrics. Other messages have no member `metrics`. */
export type Message =
  /** Of a worker that receives a scrape. */
  | { readonly metrics: "scrape"; readonly id: number }
  /** Of the primary process, to each worker. */
  | { readonly metrics: "collect" }
  /** Of a worker, as the answer. */
  | { readonly metrics: "snapshot"; readonly snapshot: Snapshot }
  /** Of the primary process, to the worker that was asked. */
  | { readonly metrics: "page"; readonly id: number; readonly text: string };

/** Both sides are of one program, so the kind of a message shows the rest. */
export function isMetricsMessage(message: unknown): message is Message {
  return typeof message === "object" && message !== null && "metrics" in message;
}
