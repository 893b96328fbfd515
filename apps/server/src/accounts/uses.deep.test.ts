import { expect, test } from "vitest";
import { startOfTests, testServer } from "../../test/harness.js";
import { createUses } from "./uses.js";

const server = await testServer();

const lastUsed = async (accountId: number): Promise<unknown> => {
  const [at] = await server.db.read("tokens").where({ account_id: accountId }).pluck("last_used_at");
  return at;
};

test("a request stores when its token was used, though not in its own time; a refused one does not", async () => {
  const [used, expired] = [await server.account(), await server.account({ expiresAt: startOfTests })];
  await Promise.all([used.call("listCalendars"), expired.call("listCalendars")]);
  await expect.poll(() => lastUsed(used.id), { timeout: 120_000, interval: 100 }).toBe(startOfTests);
  expect(await lastUsed(expired.id)).toBeNull();
});

test("the use is written at most once an hour, also when two servers record it", async () => {
  const { id } = await server.account();
  const [tokenId = 0]: readonly number[] = await server.db
    .read("tokens")
    .where({ account_id: id })
    .pluck("id");
  const [one, other] = [createUses(server.db, "tokens"), createUses(server.db, "tokens")];
  const use = async (uses: typeof one, at: number, lastUsedAt: number | null) => {
    uses.record({ id: tokenId, lastUsedAt }, at);
    await uses.flush();
    return lastUsed(id);
  };
  expect(await use(one, startOfTests, null)).toBe(startOfTests);
  expect(await use(other, startOfTests + 3_599, null)).toBe(startOfTests); // it does not know of the first yet
  expect(await use(one, startOfTests + 3_599, startOfTests)).toBe(startOfTests);
  expect(await use(one, startOfTests + 3_600, startOfTests)).toBe(startOfTests + 3_600);
});

test("a use that could not be written is written by the next flush", async () => {
  const { id } = await server.account();
  const [tokenId = 0]: readonly number[] = await server.db
    .read("tokens")
    .where({ account_id: id })
    .pluck("id");
  let fails = true;
  const db: typeof server.db = {
    ...server.db,
    transaction: (work) => (fails ? Promise.reject(new Error("away")) : server.db.transaction(work)),
  };
  const uses = createUses(db, "tokens");
  uses.record({ id: tokenId, lastUsedAt: null }, startOfTests);
  await expect(uses.flush()).rejects.toThrow("away");
  fails = false;
  await uses.flush();
  expect(await lastUsed(id)).toBe(startOfTests);
});
