import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import { ApiError } from "./errors.js";

/** Counts a request of a token or an address. Returns the headers that tell its budget; throws ApiError when it is used up. */
export type RateLimit = (key: number | string) => Promise<Readonly<Record<string, string>>>;

/** @param perMinute requests a minute for one key; 0 means no limit (rulings R6.2). */
export function createRateLimit(perMinute: number): RateLimit {
  if (perMinute === 0) return () => Promise.resolve({});
  const limiter = new RateLimiterMemory({ points: perMinute, duration: 60 });
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

function headers(limit: number, result: RateLimiterRes): Record<string, string> {
  return {
    "RateLimit-Limit": String(limit),
    "RateLimit-Remaining": String(result.remainingPoints),
    "RateLimit-Reset": seconds(result),
  };
}

function seconds({ msBeforeNext }: RateLimiterRes): string {
  return String(Math.max(1, Math.ceil(msBeforeNext / 1000)));
}
