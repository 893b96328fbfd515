import { expect, test } from "vitest";
import { testServer } from "../../test/harness.js";

const server = await testServer();

test("the list has the zones of tzdata's zone.tab and Etc/UTC, in the order of their names", async () => {
  const { body } = await server.request("/api/v1/timezones");
  const labels: readonly string[] = body.data.map(({ label }: { label: string }) => label);
  expect(labels).toHaveLength(419);
  expect(labels).toEqual(labels.toSorted());
  expect(labels).toContain("Etc/UTC");
});

test("the extensions have the same list, with a meta.code like theirs (extensions X8.6)", async () => {
  const { data } = (await server.request("/api/v1/timezones")).body;
  const { body } = await (await server.account()).call("timezonesList");
  expect(body).toEqual({ meta: { code: "200" }, timezones: data });
});

// The clock of the test stands in July 2026: summer time in the north, winter time in the south.
for (const [label, offset] of [
  ["America/Los_Angeles", "-08:00"],
  ["America/St_Johns", "-03:30"],
  ["Asia/Kolkata", "05:30"],
  ["Asia/Kathmandu", "05:45"],
  ["Australia/Sydney", "10:00"],
  ["Europe/Dublin", "00:00"],
  ["Europe/Paris", "01:00"],
  ["Pacific/Chatham", "12:45"],
  ["America/Vancouver", "-07:00"],
  ["Etc/UTC", "00:00"],
] as const) {
  test(`${label} has the standard-time offset ${offset}`, async () => {
    expect((await server.request("/api/v1/timezones")).body.data).toContainEqual({ label, offset });
  });
}

test("an unchanged list answers 304 to its ETag, and takes no token", async () => {
  const etag = (await server.request("/api/v1/timezones")).headers.get("ETag") ?? "";
  const again = await server.request("/api/v1/timezones?token=x&token=y", {
    headers: { "If-None-Match": `"other", W/${etag}` },
  });
  expect(again.status).toBe(304);
  expect(again.text).toBe("");
  expect(
    (await server.request("/api/v1/timezones", { headers: { "If-None-Match": '"other"' } })).status,
  ).toBe(200);
});
