import { expect, test } from "vitest";
import { testServer } from "../../test/harness.js";
import { readEvents } from "./find-queries.js";
import { changesOf } from "./slices.js";

const server = await testServer();
const account = await server.account();

test("an event that moves while its calendar's changes are read is not among them", async () => {
  const { calendar } = (await account.call("createCalendar", { title: "x" })).body;
  const fields = { calendar_id: calendar.id, title: "x", start_date: "07/04/2026 10:00" };
  const { event } = (await account.call("createEvent", fields)).body;
  const id = Number(event.id);
  const rows = await readEvents(server.db.read, [id]);
  const changed = [{ id, version: 1, deletedAt: null, size: 0 }];
  expect(changesOf(changed, rows, Number(calendar.id))).toMatchObject([
    { event_id: String(id), change: "saved" },
  ]);
  expect(changesOf(changed, rows, Number(calendar.id) + 1)).toEqual([]);
});
