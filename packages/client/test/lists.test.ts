import { expect, test } from "vitest";
import { createCalendarClient } from "../src/index.js";
import { calendars, json, startScriptedServer } from "./scripted-server.js";

const token = "token";
const zones = [
  { label: "Asia/Tokyo", offset: "09:00" },
  { label: "Etc/UTC", offset: "00:00" },
];
const zoneList = json(200, { meta: { code: 200 }, data: zones });
const threePages = [
  calendars(["1", "2"], "/?page=2"),
  calendars(["3", "4"], "/?page=3"),
  calendars(["5"]),
] as const;

test.each([
  { limit: undefined, ids: ["1", "2", "3", "4", "5"], requests: 3 },
  { limit: 9, ids: ["1", "2", "3", "4", "5"], requests: 3 },
  { limit: 5, ids: ["1", "2", "3", "4", "5"], requests: 3 },
  { limit: 3, ids: ["1", "2", "3"], requests: 2 },
  { limit: 2, ids: ["1", "2"], requests: 1 },
  { limit: 0, ids: [], requests: 0 },
  { limit: -1, ids: [], requests: 0 },
])("toArray with limit $limit returns $ids.length items and needs $requests requests", async (row) => {
  await using server = await startScriptedServer(...threePages);
  const list = createCalendarClient({ baseUrl: server.url, token }).calendars.list();
  const found = await list.toArray({ limit: row.limit });
  expect(found.map(({ id }) => id)).toEqual(row.ids);
  expect(server.seen).toHaveLength(row.requests);
});

test("toArray rejects as reading does", async () => {
  await using server = await startScriptedServer(
    json(404, { meta: { code: "404", error_type: "calendar_not_found" } }),
  );
  const client = createCalendarClient({ baseUrl: server.url, token });
  for (const list of [
    client.events.list({ calendar_id: "9" }),
    client.subscribers.list({ calendar_id: "9" }),
  ])
    await expect(list.toArray()).rejects.toMatchObject({ kind: "http", errorType: "calendar_not_found" });
});

test.each([
  { first: 2, seen: ["?page=2", "?page=3"] },
  { first: "2", seen: ["?page=2", "?page=3"] },
  { first: 1, seen: ["?page=1", "?page=2"] },
])("a list starts with page $first, and counts on from it", async ({ first, seen }) => {
  const next = Number(first) + 1;
  await using server = await startScriptedServer(calendars(["1"], `/?page=${next}`), calendars(["2"]));
  const list = createCalendarClient({ baseUrl: server.url, token }).calendars.list({ page: first });
  const pages: number[] = [];
  for await (const { page } of list.pages()) pages.push(page);
  expect(pages).toEqual([Number(first), next]);
  expect(server.seen.map(({ url }) => url?.replace(/.*\//, ""))).toEqual(seen);
});

test("find returns the calendar, reads no page after it, and returns undefined when there is none", async () => {
  await using server = await startScriptedServer(...threePages, ...threePages);
  const client = createCalendarClient({ baseUrl: server.url, token });
  expect(await client.calendars.find("3")).toEqual({ id: "3" });
  expect(server.seen).toHaveLength(2);
  await using other = await startScriptedServer(...threePages);
  expect(await createCalendarClient({ baseUrl: other.url, token }).calendars.find("6")).toBeUndefined();
  expect(other.seen).toHaveLength(3);
});

test("find rejects with the error of the list, and takes the options of a call", async () => {
  await using server = await startScriptedServer(json(503, { meta: { code: "503" } }));
  const client = createCalendarClient({ baseUrl: server.url, token });
  await expect(client.calendars.find("3", { retries: 0 })).rejects.toMatchObject({ status: 503 });
  expect(server.seen).toHaveLength(1);
});

test("the list of time zones is a promise of the array as well as a list", async () => {
  await using server = await startScriptedServer(zoneList);
  const { timezones } = createCalendarClient({ baseUrl: server.url });
  const list = timezones.list();
  expect(server.seen, "nothing is sent before it is read").toHaveLength(0);
  expect(await list).toEqual(zones);
  expect((await timezones.list()).length).toBe(2);
  expect(await timezones.list().toArray({ limit: 1 })).toEqual([zones[0]]);
  const labels: string[] = [];
  for await (const { label } of timezones.list()) labels.push(label);
  expect(labels).toEqual(["Asia/Tokyo", "Etc/UTC"]);
  expect(list).toBeInstanceOf(Promise);
  expect(await Promise.all([timezones.list(), timezones.list()])).toEqual([zones, zones]);
});

test("the promise of the time zones has then, catch and finally of a promise", async () => {
  await using server = await startScriptedServer(
    json(500, { meta: { code: 500, error_type: "internal_error" } }),
  );
  const { timezones } = createCalendarClient({ baseUrl: server.url });
  await expect(timezones.list()).rejects.toMatchObject({ errorType: "internal_error" });
  expect(await timezones.list().catch(({ status }) => status)).toBe(500);
  let isOver = false;
  const failed = timezones.list().finally(() => {
    isOver = true;
  });
  await expect(failed).rejects.toMatchObject({ status: 500 });
  expect(isOver).toBe(true);
});
