import { createFakeServer } from "@kalends/client/testing";
import { expect, test } from "vitest";
import { run } from "../src/index.js";
import { startFakeBehindHttp } from "./support/fake-behind-http.js";

test("the fake of @kalends/client/testing meets every check of the suite", async () => {
  const fake = createFakeServer({ pageSize: 3 }); // fewer than its subscribers, so that their list has pages
  await using served = await startFakeBehindHttp(fake);
  const title = new URLSearchParams({ title: "Followed", timezone: "Pacific/Auckland", token: fake.token });
  await fake.fetch(`${fake.baseUrl}/api/v1/calendars/create/`, { method: "POST", body: title });
  for (const choice of [{}, { active: false }, { blocked: true }, { name: "Ada", email: "ada@example.com" }])
    fake.addSubscriber({ calendar_id: "1", ...choice });
  const { token, otherToken } = fake;
  const skip = ["http.other-methods"]; // sends TRACE, which no Request can be
  const options = { token, otherToken, subscribersCalendar: "1", seed: 7, timeoutMs: 60_000, skip };
  const report = await run({ baseUrl: served.url, ...options });
  expect(report).toMatchObject({ verdict: "conforms", leftovers: [] });
  const notPassed = report.results.filter(({ status }) => status !== "passed" && status !== "observed");
  expect(notPassed.map(({ id, message, reason }) => `${id}: ${message ?? reason}`)).toEqual([]);
}, 180_000);
