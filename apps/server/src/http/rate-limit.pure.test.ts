import { afterEach, expect, test, vi } from "vitest";
import { ApiError } from "./errors.js";
import { createRateLimit } from "./rate-limit.js";

afterEach(() => void vi.useRealTimers());

test("a clock that is set back raises neither Retry-After nor RateLimit-Reset above the window of a minute", async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.UTC(2036, 0, 1) });
  const limit = createRateLimit(2);
  await limit("key");
  vi.setSystemTime(Date.UTC(2026, 0, 1));
  expect(Number((await limit("key"))["RateLimit-Reset"])).toBe(60);
  const refused: unknown = await limit("key").catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(ApiError);
  expect(refused).toMatchObject({ headers: { "Retry-After": "60", "RateLimit-Reset": "60" } });
});
