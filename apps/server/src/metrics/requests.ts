import { operationIds } from "@kalends/spec";
import { Counter, type Registry } from "prom-client";
import type { ObserveRequest } from "../http/access-log.js";
import { routeNames } from "../http/request-names.js";
import { FastHistogram } from "./fast-histogram.js";
import { showCounts } from "./shown.js";

/** What the label `operation` may be, so that no caller can add one: an operation of the API, or one of these. */
const others = ["feed", "upcoming", "page", "other"] as const;

/** From the cached list to what a client no longer waits for, in seconds. */
const durationBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

const statusClasses = ["2xx", "3xx", "4xx", "5xx"] as const;

/** The requests of one operation and class. */
interface Kind {
  count: number;
  readonly observe: (seconds: number) => void;
}

/** Returns the function that counts a request, which allocates nothing. */
export function observeRequests(registers: Registry[]): ObserveRequest {
  const durations = new FastHistogram({
    name: "kalends_http_request_duration_seconds",
    help: "Time from the head of a request to the end of its response, by operation and class of the status.",
    labelNames: ["operation", "status"],
    buckets: durationBuckets,
    registers,
  });
  const labels = [...operationIds, ...others];
  const kinds = new Map(
    labels.map((operation) => [
      operation,
      statusClasses.map((status): Kind => ({ count: 0, observe: durations.observer({ operation, status }) })),
    ]),
  );
  countRequests(registers, kinds);
  const feeds = countFeeds(registers);
  const other = kinds.get("other") ?? [];
  const byName = new Map<string | undefined, readonly Kind[]>(kinds);
  for (const [name, label] of Object.entries(routeNames)) byName.set(name, kinds.get(label) ?? other);

  return (operation, status, seconds) => {
    const kind = (byName.get(operation) ?? other)[Math.floor(status / 100) - 2];
    if (kind === undefined) return; // 1xx does not end a request
    kind.count++;
    kind.observe(seconds);
    if (operation === "feed") feeds.count(status);
  };
}

/** Every kind is printed from the start: an alert sees the first error of all. */
function countRequests(registers: Registry[], kinds: ReadonlyMap<string, readonly Kind[]>): void {
  void new Counter({
    name: "kalends_http_requests_total",
    help: "Requests, by operation and class of the status; 4xx includes clients that left before the response (499).",
    labelNames: ["operation", "status"],
    registers,
    collect() {
      this.reset();
      for (const [operation, ofOperation] of kinds)
        for (const [index, { count }] of ofOperation.entries())
          this.inc({ operation, status: statusClasses[index] ?? "" }, count);
    },
  });
}

/** Counts polls that were answered with the feed, without it, or otherwise. */
function countFeeds(registers: Registry[]): { count(status: number): void } {
  const counts = { 200: 0, 304: 0, other: 0 };
  const metric = {
    name: "kalends_feed_responses_total",
    help: "Responses to requests for feeds: 200 with the feed, 304 not modified, or another status.",
    label: "code",
  };
  showCounts(registers, metric, () => counts);
  return {
    count: (status) => {
      counts[status === 200 || status === 304 ? status : "other"]++;
    },
  };
}
