import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { createCalendarClient, isTrue } from "@kalends/client";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestServer, type TestServer } from "../../../apps/server/test/harness.js";
import { publicHolidays } from "../src/holidays.js";

const folder = fileURLToPath(new URL("..", import.meta.url));
let server: TestServer;

beforeAll(async () => {
  server = await startTestServer({ PAGE_SIZE: "2" });
});
afterAll(() => server.stop());

/** Runs the script as `npm start` does. */
async function run(
  args: readonly string[],
  token: string,
): Promise<{ readonly stdout: string; readonly stderr: string }> {
  const script = ["--conditions", "@kalends/source", "--import", "tsx", "src/main.ts", ...args];
  const env = { ...process.env, KALENDS_BASE_URL: server.url, KALENDS_TOKEN: token };
  return promisify(execFile)(process.execPath, script, { cwd: folder, env });
}

test("two countries get their calendars, with each holiday on its days, and the lists show them", async () => {
  const { token } = await server.account();
  const { stdout } = await run(["--countries", "fr,SA", "--year", "2027"], token);
  // Literals, so that script and test do not share a mistake.
  expect(stdout).toBe(`
France 2027
  01/01/2027 New Year's Day
  03/29/2027 Easter Monday
  05/01/2027 Labour Day
  05/06/2027 Ascension Day
  05/08/2027 Victory Day
  05/17/2027 Whit Monday
  07/14/2027 Bastille Day
  08/15/2027 Assumption
  11/01/2027 All Saints' Day
  11/11/2027 Armistice Day
  12/25/2027 Christmas Day

Saudi Arabia 2027
  02/22/2027 Founding Day
  03/09/2027 to 03/12/2027 End of Ramadan (Eid al-Fitr)
  05/15/2027 to 05/18/2027 Feast of the Sacrifice (Eid al-Adha)
  09/23/2027 National Day
`);
  const client = createCalendarClient({ baseUrl: server.url, token });
  const made: Record<string, readonly [count: string, allDay: boolean]> = {};
  for await (const { id, title, timezone, events_total } of client.calendars.list()) {
    let allDay = true;
    for await (const event of client.events.list({ calendar_id: id }))
      allDay &&= isTrue(event.all_day_event) && event.timezone === timezone;
    made[`${title}, ${timezone}`] = [events_total, allDay];
  }
  expect(made).toEqual({
    "Public holidays in Saudi Arabia 2027, Asia/Riyadh": ["4", true],
    "Public holidays in France 2027, Europe/Paris": ["11", true],
  });
});

test("a refused token ends it with a sentence and the exit code 1", async () => {
  const failed = run(["--countries", "DE"], "not-a-token");
  await expect(failed).rejects.toMatchObject({
    code: 1,
    stdout: "",
    stderr: expect.stringMatching(/holidays: .*token/i),
  });
});

describe("publicHolidays", () => {
  test.each([
    ["DE", 9],
    ["FR", 11],
    ["US", 15],
    ["JP", 17],
    ["BR", 10],
  ])("%s has %i in 2027", (country, count) => {
    expect(publicHolidays(country, 2027).holidays.length).toBe(count);
  });

  test("does not know XX", () => {
    expect(() => publicHolidays("XX", 2027)).toThrow("There are no holidays for the country XX.");
  });
});
