import { expect, test } from "vitest";
import { exchange } from "./calls.js";
import { testServer } from "./harness.js";

// While the server parses a body, no one else is served.

const server = await testServer();
const { token } = await server.account();

const formType = "application/x-www-form-urlencoded";
const jsonType = "application/json";
const multipartType = "multipart/form-data; boundary=b";
const fill = (unit: string): string => unit.repeat(Math.floor(1_040_000 / unit.length));
const members = Array.from({ length: 80_000 }, (_, n) => `"k${n}":1`).join(",");

test.each([
  ["a form of plus signs", formType, `filler=${fill("+")}`, 400],
  ["a form of separators", formType, fill("a&"), 400],
  ["a JSON object of many members", jsonType, `{${members}}`, 400],
  ["a JSON object of one name", jsonType, `{${fill('"a":"",')}"a":""}`, 400],
  ["JSON of open brackets", jsonType, `{"a":${fill("[")}`, 400],
  ["JSON of open objects", jsonType, fill('{"a":'), 400],
  ["JSON of escaped quotes that never end", jsonType, `{"a":"${fill('\\"')}`, 400],
  [
    "multipart of many parts",
    multipartType,
    `${fill('--b\r\nContent-Disposition: form-data; name="a"\r\n\r\nx\r\n')}--b--`,
    400,
  ],
])("1 MiB, %s, takes less than 60 ms of CPU", async (_title, type, body, status) => {
  const times: number[] = [];
  // On a busy machine the same work takes more CPU, and a collection of earlier garbage may be counted: one try must do.
  while (times.length < 20 && !(Math.min(...times) < 60)) {
    const before = process.cpuUsage();
    const answer = await exchange(server, "/api/v1/calendars/create/", {
      method: "POST",
      headers: { "Content-Type": type, Authorization: `Bearer ${token}` },
      body,
    });
    const { user, system } = process.cpuUsage(before);
    times.push((user + system) / 1000);
    expect(answer.status).toBe(status);
  }
  expect(Math.min(...times)).toBeLessThan(60);
});
