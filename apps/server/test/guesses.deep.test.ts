import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { onPostgres } from "./databases.js";
import { testServer } from "./harness.js";
import { callConsole, newPerson, signIn } from "./people.js";

// Extensions X9.2: no one gets in by guessing, and no one is locked out by the guesses of others.

const server = await testServer({ LOG_LEVEL: "warn" });

/** From 50 connections. Of PostgreSQL a tenth: the server refuses nearly all of them before it asks a database. */
const guessesOfEach = onPostgres ? 200 : 2_000;

test(`${50 * guessesOfEach} guesses open nothing, and a link that is right signs in meanwhile, from the same address`, async () => {
  const account = await server.account();
  const { link } = await newPerson(server, account.id);
  const outcomes = new Map<unknown, number>();
  const guess = async (): Promise<void> => {
    for (let done = 0; done < guessesOfEach; done++) {
      // Of the right form; near the right one; a token.
      const secret = [
        randomBytes(32).toString("base64url"),
        `${link.slice(0, -1)}_`,
        `kal_${"0".repeat(49)}`,
      ][done % 3];
      const answer = await callConsole(
        server,
        "sessionOpen",
        done % 3 === 2 ? { token: secret ?? "" } : { link: secret ?? "" },
      );
      const outcome: unknown = answer.body.meta.error_type ?? answer.status;
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    }
  };
  const guesses = Promise.all(Array.from({ length: 50 }, guess));
  await expect.poll(() => outcomes.get("rate_limited") ?? 0, { timeout: 60_000 }).toBeGreaterThan(100);
  const other = await signIn(server, account.id);
  expect((await other.call("session")).status).toBe(200);
  await guesses;
  expect([...outcomes.keys()].toSorted()).toEqual(["link_unknown", "rate_limited"]);
  expect([...outcomes.values()].reduce((sum, count) => sum + count, 0)).toBe(50 * guessesOfEach);
  expect(outcomes.get("link_unknown")).toBeLessThan(1_000);
  expect((await callConsole(server, "sessionOpen", { link })).status).toBe(200);
  expect(await server.db.read("sessions").where({ account_id: account.id })).toHaveLength(2);
}, 600_000);

test("an id of another calendar takes as long as one that does not exist", async ({ annotate }) => {
  const account = await server.account();
  const calendars = await Promise.all(
    ["Own", "Other"].map(
      async (title) => (await account.call("calendarsCreate", { title })).body.calendar.id,
    ),
  );
  const [own = "", other = ""]: readonly string[] = calendars;
  const event = { calendar_id: other, title: "Secret", start_date: "2027-07-04 13:30" };
  const { id: event_id } = (await account.call("eventsCreate", event)).body.event;
  const person = await signIn(server, account.id, [
    { calendar_id: Number(own), role: "editor", sees_followers: 0 },
  ]);
  const differences: Record<string, number> = {};
  for (const [name, hidden, absent, id] of [
    ["event", event_id, "9007199254740990", "eventsDetails"],
    ["calendar", other, "9007199254740990", "calendarsDetails"],
  ] as const) {
    const times: { hidden: number[]; absent: number[] } = { hidden: [], absent: [] };
    for (let round = 0; round < 1_500; round++)
      for (const [kind, value] of round % 2 === 0
        ? ([
            ["hidden", hidden],
            ["absent", absent],
          ] as const)
        : ([
            ["absent", absent],
            ["hidden", hidden],
          ] as const)) {
        const began = performance.now();
        expect((await person.call(id, { [`${name}_id`]: value })).status).toBe(404);
        if (round >= 500) times[kind].push(performance.now() - began);
      }
    const median = (all: readonly number[]): number => all.toSorted((a, b) => a - b)[all.length >> 1] ?? 0;
    differences[name] = Math.round((median(times.hidden) - median(times.absent)) * 1000);
  }
  // Printed, not asserted: a busy machine would fail it.
  await annotate(`hidden less absent, medians of 1,000 in µs: ${JSON.stringify(differences)}`);
}, 300_000);
