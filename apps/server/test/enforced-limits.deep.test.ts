import { once } from "node:events";
import { type IncomingMessage, get } from "node:http";
import { allOperations, operations } from "@kalends/spec";
import { afterEach, describe, expect, test } from "vitest";
import { largeAnswerBytes, sentFileBytes, unsentBytes } from "../src/http/limits.js";
import { calendarFile, importFile, vevent } from "./calendar-files.js";
import { onPostgres } from "./databases.js";
import { type TestAccount, testServer } from "./harness.js";

// What docs/limits.md says of answers that wait to be sent is enforced.

const server = await testServer({ PAGE_CACHE_MB: "256" }); // so that waiting answers are one in memory
const account = await server.account();

const newCalendar = async (owner = account): Promise<string> =>
  (await owner.call("createCalendar", { title: "Town", timezone: "UTC" })).body.calendar.id;

describe.skipIf(onPostgres)("large answers that wait for slow readers", () => {
  const waiting: IncomingMessage[] = [];

  /** An account whose first page of events has about 13 MB. */
  async function writer(): Promise<{ readonly owner: TestAccount; readonly calendar_id: string }> {
    const owner = await server.account();
    const calendar_id = await newCalendar(owner);
    const text = `DESCRIPTION:${'"'.repeat(65_000)}`;
    const events = Array.from({ length: 100 }, (_, n) => vevent(`UID:${n}@example.com`, text));
    const { body } = await importFile(server, owner, calendar_id, calendarFile(...events));
    expect(body.import).toMatchObject({ created: 100 });
    return { owner, calendar_id };
  }

  /** Requests the page, or what another address has of the calendar, and does not read the answer. */
  async function begin(
    { owner, calendar_id }: Awaited<ReturnType<typeof writer>>,
    address = `${operations.listEvents.path}?`,
  ): Promise<IncomingMessage> {
    const url = `${server.url}${address}calendar_id=${calendar_id}`;
    const [response]: IncomingMessage[] = await once(
      get(url, { agent: false, headers: { Authorization: `Bearer ${owner.token}` } }),
      "response",
    );
    if (response === undefined) throw new Error("no answer");
    response.on("error", () => undefined);
    waiting.push(response);
    return response;
  }
  const end = (response: IncomingMessage | undefined): void => void response?.destroy();
  afterEach(() => waiting.forEach(end));

  test("are refused beyond a limit of one account, files among them, which others do not notice", async () => {
    const [first, second] = [await writer(), await writer()];
    const { headers } = await begin(first);
    const ofOne = Math.floor(unsentBytes.ofOne / Number(headers["content-length"]));
    expect(ofOne).toBeGreaterThan(3);
    for (let n = 1; n < ofOne; n++) expect((await begin(first)).statusCode).toBe(200);
    expect((await begin(first)).statusCode).toBe(503);
    const file = () => begin(first, `${allOperations.calendarsExport.path}?format=csv&`);
    const room = unsentBytes.ofOne - ofOne * Number(headers["content-length"]);
    for (let n = 0; n < Math.floor(room / sentFileBytes); n++) expect((await file()).statusCode).toBe(200);
    expect((await file()).statusCode).toBe(503);
    expect((await begin(second)).statusCode).toBe(200);
    // What was written is answered, however long that is: else it would be sent again.
    const { calendar_id } = first;
    const long = {
      calendar_id,
      title: "x",
      start_date: "2030-01-01T10:00",
      description: "😀".repeat(65_535),
    };
    const { status, text } = await first.owner.call("eventsCreate", long);
    expect([status, Buffer.byteLength(text) > largeAnswerBytes]).toEqual([200, true]);
    expect((await first.owner.call("calendarsDetails", { calendar_id: first.calendar_id })).status).toBe(200);
    end(waiting[0]);
    await expect.poll(async () => (await begin(first)).statusCode).toBe(200);
  });

  test("a file that cannot be read on breaks off, and does not end as if it were whole", async () => {
    const one = await writer();
    const file = await begin(one, `${allOperations.calendarsExport.path}?format=csv&`);
    let end: () => void = () => undefined;
    const held = server.db.list(one.owner.id, () => new Promise<void>((resolve) => (end = resolve)));
    // The list has no turn within 10 s.
    await new Promise((resolve) => file.resume().once("close", resolve));
    expect(file.complete).toBe(false);
    end();
    await held;
  });
});
