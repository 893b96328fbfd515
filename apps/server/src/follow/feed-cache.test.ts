import { expect, test } from "vitest";
import type { FeedBody } from "./feed-body.js";
import { createFeedCache as createCache, type FeedCache } from "./feed-cache.js";

/** The cache, whose answers are promises here whether or not they had to be made. */
function createFeedCache(
  maxBytes: number,
): (...args: Parameters<FeedCache>) => Promise<FeedBody | undefined> {
  const cache = createCache(maxBytes);
  return async (...args) => cache(...args);
}

const body = (version: number, fields: Partial<FeedBody> = {}): FeedBody => ({
  version,
  cut: false,
  day: 1,
  bytes: Buffer.alloc(100),
  gzip: Buffer.alloc(10),
  ...fields,
});

/** A maker that counts its runs and ends when told. */
function maker(feed: FeedBody | undefined) {
  let end = (): void => undefined;
  const gate = new Promise<void>((resolve) => {
    end = resolve;
  });
  const made = {
    runs: 0,
    end,
    make: async () => {
      made.runs++;
      await gate;
      return feed;
    },
  };
  return made;
}

const wanted = { calendarId: 1, version: 1, day: 1 };

test("a feed is made once, however many ask for it at the same time and afterwards", async () => {
  const cache = createFeedCache(10_000);
  const first = maker(body(1));
  const asked = Array.from({ length: 100 }, () => cache(wanted, first.make));
  first.end();
  expect(new Set(await Promise.all(asked)).size).toBe(1);
  await cache(wanted, first.make);
  await cache({ ...wanted, day: 2 }, first.make);
  expect(first.runs).toBe(1);
});

test("a newer version is made anew, and an older one that ends later does not replace it", async () => {
  const cache = createFeedCache(10_000);
  const [slow, fast] = [maker(body(1)), maker(body(2))];
  const old = cache(wanted, slow.make);
  const recent = cache({ ...wanted, version: 2 }, fast.make);
  fast.end();
  expect((await recent)?.version).toBe(2);
  slow.end();
  expect((await old)?.version).toBe(1);
  const never = maker(body(9));
  expect((await cache({ ...wanted, version: 2 }, never.make))?.version).toBe(2);
  expect((await cache(wanted, never.make))?.version).toBe(2);
  expect(never.runs).toBe(0);
});

test("a feed that left coming events out is made anew on the next day", async () => {
  const cache = createFeedCache(10_000);
  const today = maker(body(1, { cut: true }));
  today.end();
  await cache(wanted, today.make);
  const tomorrow = maker(body(1, { cut: true, day: 2 }));
  tomorrow.end();
  expect((await cache({ ...wanted, day: 2 }, tomorrow.make))?.day).toBe(2);
  expect((await cache({ ...wanted, day: 2 }, tomorrow.make))?.day).toBe(2);
  expect([today.runs, tomorrow.runs]).toEqual([1, 1]);
});

test("memory is bounded: the feed that was asked for longest ago goes first", async () => {
  const cache = createFeedCache(350);
  const feeds = [1, 2, 3, 4].map((id) => ({ id, made: maker(body(1)) }));
  for (const { id, made } of feeds) {
    made.end();
    await cache({ ...wanted, calendarId: id }, made.make);
  }
  for (const { id, made } of feeds.toReversed()) await cache({ ...wanted, calendarId: id }, made.make);
  expect(feeds.map(({ made }) => made.runs)).toEqual([2, 1, 1, 1]);
});

test("a failure is told to all who asked, and the next one tries again", async () => {
  const cache = createFeedCache(10_000);
  let runs = 0;
  const fail = () => Promise.reject(new Error(`run ${++runs}`));
  const asked = [cache(wanted, fail), cache(wanted, fail)];
  for (const { status } of await Promise.allSettled(asked)) expect(status).toBe("rejected");
  await expect(cache(wanted, fail)).rejects.toThrow("run 2");
  const gone = maker(undefined);
  gone.end();
  expect(await cache(wanted, gone.make)).toBeUndefined();
});
