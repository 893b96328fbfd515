import { expect, test } from "vitest";
import { columnsExcept, eventColumns, eventSearchColumns } from "../src/db/columns.js";
import { type TestAccount, testServer } from "./harness.js";

// Portals whose month has so many events that each of its days is searched by itself, which takes seconds.

const server = await testServer();
const newCalendar = async (account: TestAccount, title: string) =>
  (await account.call("calendarsCreate", { title, listed: "true" })).body.calendar;

test("what is read of an account waits for no portals of two others, however full they are", async () => {
  const account = await server.account();
  const page = `/c/${(await newCalendar(account, "Training")).uniquekey}`;
  const full = [await fullPortal("one"), await fullPortal("two")];
  const answered: string[] = [];
  const ask = async (path: string, statuses: readonly number[]): Promise<void> => {
    expect(statuses).toContain((await server.request(path)).status);
    answered.push(path);
  };
  const portals = full.map((path) => ask(path, [200, 503])); // the second waits for the first one
  await new Promise((resolve) => void setTimeout(resolve, 30));
  await Promise.all([...portals, ask(page, [200]), account.call("listCalendars")]);
  expect(answered[0]).toBe(page);
});

async function fullPortal(key: string): Promise<string> {
  const account = await server.account();
  await account.call("accountUpdate", { key });
  const month = new Date(server.now * 1_000).toISOString().slice(0, 7);
  const events = Array.from({ length: 60 }, (_, index) => [
    "BEGIN:VEVENT",
    `UID:${key}-${index}`,
    `DTSTART:${month.replace("-", "")}${String(1 + (index % 28)).padStart(2, "0")}T100000Z`,
    "SUMMARY:Training",
    "END:VEVENT",
  ]);
  const { id } = await newCalendar(account, "Full");
  const ics = ["BEGIN:VCALENDAR", ...events.flat(), "END:VCALENDAR", ""].join("\r\n");
  await account.call("calendarsImport", { calendar_id: id, ics });
  await multiply(Number(id), 510);
  return `/o/${key}?q=training+t+r+a&month=${month}`;
}

/** Copies the events of a calendar, which have one text, as they are stored: to import as many takes long. */
async function multiply(calendar: number, times: number): Promise<void> {
  const columns = columnsExcept(eventColumns, "id", "uid").join(", ");
  const found = columnsExcept(eventSearchColumns, "event_id");
  await server.db.transaction(async (trx) => {
    const of = { calendar, last: (await trx("events").max({ id: "id" }).first())?.id };
    const those = "from events where calendar_id = :calendar and id <= :last";
    for (let copy = 1; copy < times; copy++)
      await trx.raw(`insert into events (uid, ${columns}) select uid || '-${copy}', ${columns} ${those}`, of);
    await trx.raw(
      `insert into event_search (event_id, ${found.join(", ")})
        select e.id, ${found.map((name) => `s.${name}`).join(", ")} from events as e
          join event_search as s on s.event_id = (select min(id) ${those})
        where e.calendar_id = :calendar and e.id > :last`,
      of,
    );
  });
}
