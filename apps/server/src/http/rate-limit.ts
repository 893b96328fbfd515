import {
  RateLimiterCluster,
  RateLimiterClusterMaster,
  RateLimiterMemory,
  RateLimiterRes,
} from "rate-limiter-flexible";
import { ApiError } from "./errors.js";

/** What is counted: requests of a token, follow forms of an address and of a calendar, forms of followers. */
type Counted = "token" | "follow" | "calendar" | "leave";

/** Counts a request of a token, an address or a calendar. Returns the headers that tell its budget; throws ApiError when it is used up. */
export type RateLimit = (key: number | string) => Promise<Readonly<Record<string, string>>>;

/**
 * @param name of what is counted; each is counted apart
 * @param perMinute requests a minute for one key; 0 means no limit (rulings R6.2)
 * @param workers processes that count together, in the first process's memory
 */
export function createRateLimit(name: Counted, perMinute: number, workers: number): RateLimit {
  if (perMinute === 0) return () => Promise.resolve({});
  const options = { points: perMinute, duration: windowSeconds };
  const limiter =
    workers === 1
      ? new RateLimiterMemory(options)
      : new RateLimiterCluster({ ...options, keyPrefix: name, timeoutMs: askedMs });
  return async (key) => {
    try {
      return headers(perMinute, await limiter.consume(key));
    } catch (refusal) {
      if (!(refusal instanceof RateLimiterRes)) return {}; // the first process is gone or stuck: better served than refused
      throw new ApiError("rate_limited", [], {
        ...headers(perMinute, refusal),
        "Retry-After": seconds(refusal),
      });
    }
  };
}

const windowSeconds = 60;

/** How long a worker waits for the first process's count, in ms. */
const askedMs = 1_000;

/** Counts for the workers. Call it once, in the process that starts them. */
export function shareRateLimits(): RateLimiterClusterMaster {
  return new RateLimiterClusterMaster();
}

function headers(limit: number, result: RateLimiterRes): Record<string, string> {
  return {
    "RateLimit-Limit": String(limit),
    "RateLimit-Remaining": String(result.remainingPoints),
    "RateLimit-Reset": seconds(result),
  };
}

/** Returns the seconds until the window ends. It ends by a timer, so the clock, which may be set back, counts only up to that. */
function seconds({ msBeforeNext }: RateLimiterRes): string {
  return String(Math.min(windowSeconds, Math.max(1, Math.ceil(msBeforeNext / 1000))));
}
