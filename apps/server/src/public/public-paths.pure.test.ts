import { describe, expect, test } from "vitest";
import { newFollowerKey } from "../followers/subscribe.js";
import { pagePathIn, paths, slug } from "./public-paths.js";

describe("the slug in a feed's address", () => {
  for (const [name, want] of [
    ["Concerts", "concerts"],
    ["Été à la mer", "ete-a-la-mer"],
    ["  --- Rock & Roll!? ", "rock-roll"],
    ["日本の祝日", encodeURIComponent("日本の祝日")],
    ["تقويم", encodeURIComponent("تقويم")],
    ["Москва 2026", `${encodeURIComponent("москва")}-2026`],
    ["हिन्दी", encodeURIComponent("हिन्दी")],
    ["Straße", "stra%C3%9Fe"],
    ["!?", "calendar"],
    ["日".repeat(99), encodeURIComponent("日".repeat(6))],
    ["", "calendar"],
    ["../../etc/passwd", "etc-passwd"],
    ["a\r\nb", "a-b"],
    ["ﬁne № 5", "fine-no-5"],
    [`${"x".repeat(59)} y`, "x".repeat(59)],
  ] as const) {
    test(`${JSON.stringify(name)} is ${want}`, () => {
      expect(slug(name)).toBe(want);
    });
  }
});

test("a feed's address is at most 200 characters with a host of 60, whatever the calendar is called", () => {
  const base = `https://${"h".repeat(60)}`;
  for (const calendarname of [
    "x",
    "long ".repeat(51),
    "Ŵ".repeat(255),
    "日".repeat(255),
    "تقويم ".repeat(40),
    "🎉",
    "é".repeat(255),
  ]) {
    const feed = base + paths.feed(newFollowerKey(), { calendarname });
    expect(feed.length).toBeLessThanOrEqual(200);
    expect(new URL(feed).href).toBe(feed);
  }
});

describe("the page that a link leads to", () => {
  const [key, follower] = ["abcdefghij12", newFollowerKey()];
  const [page, own] = [paths.page(key), paths.follower(follower)];
  test.each([
    [`https://kalends.example/c/${key}`, page],
    [` HTTPS://kalends.example/base/c/${key}?month=2027-01#list\n`, page],
    [`webcal://kalends.example/c/${key}/concerts.ics`, page],
    [`kalends.example/c/${key}/e/uid%40kalends`, page],
    [`<iframe src="https://kalends.example/c/${key}/embed">`, page],
    [key, page],
    [`https://kalends.example/f/${follower}/concerts.ics`, own],
    [`//evil.example/c/${key}`, page],
    ["https://kalends.example/", undefined],
    ["https://kalends.example/c/", undefined],
    ["/c/../console", undefined],
    [`/f/${follower}x`, undefined],
    ["concerts", undefined],
    ["", undefined],
  ])("%j is %j", (link, path) => {
    expect(pagePathIn(link)).toBe(path);
  });
});
