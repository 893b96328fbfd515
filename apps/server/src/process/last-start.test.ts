import { expect, test } from "vitest";
import { startTestServer } from "../../test/harness.js";
import { clockFault } from "./last-start.js";

const day = 86_400;

test("a clock that is before the last start, or years behind it, is a fault", async () => {
  const server = await startTestServer();
  try {
    const { db, now } = server;
    for (const near of [-60, 0, 400 * day]) expect(await clockFault(db, now + near)).toBeUndefined();
    expect(await clockFault(db, now - day)).toMatch(
      /^it is 2026-07-01T12:00:00\.000Z, but the last start was/,
    );
    expect(await clockFault(db, now + 1_000 * day)).toMatch(/check the clock/);
  } finally {
    await server.stop();
  }
});
