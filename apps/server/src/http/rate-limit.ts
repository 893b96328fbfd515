import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import { ApiError } from "./errors.js";

/** Counts a request of a token, an address or a calendar. Returns the headers that tell its budget; throws ApiError when it is used up. */
export type RateLimit = (key: number | string) => Promise<Readonly<Record<string, string>>>;

/**
 * Counts in the memory of this process.
 * @param perMinute requests a minute for one key; 0 means no limit (rulings R6.2)
 */
export function createRateLimit(perMinute: number): RateLimit {
  if (perMinute === 0) return () => Promise.resolve({});
  const limiter = new RateLimiterMemory({ points: perMinute, duration: windowSeconds });
  return async (key) => {
    try {
      return headers(perMinute, await limiter.consume(key));
    } catch (refusal) {
      if (!(refusal instanceof RateLimiterRes)) throw refusal;
      throw new ApiError("rate_limited", [], {
        ...headers(perMinute, refusal),
        "Retry-After": seconds(refusal),
      });
    }
  };
}

const windowSeconds = 60;

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
