import { expect, test } from "vitest";
import { createTestDatabase } from "../../test/databases.js";
import { issueToken, mayWrite, revokeToken } from "../accounts/queries.js";
import { hashToken } from "../accounts/tokens.js";
import { openDatabase } from "../db/open-database.js";
import { prepareAccounts } from "./first-start.js";

// CALENDAR_TOKEN from one start to the next (rulings R6.1).

async function withDatabase() {
  const database = await createTestDatabase("migrated");
  const db = await openDatabase(database.url);
  const start = (settingToken: string) => prepareAccounts(db, { settingToken, makesDemo: false }, 1);
  const opens = (token: string) => mayWrite(db.read, hashToken(token), 1);
  const close = async (): Promise<void> => {
    await db.close();
    await database.remove();
  };
  return { db, start, opens, [Symbol.asyncDispose]: close };
}

const [one, two, made] = ["the-token-one-0123", "the-token-two-0123", "the-token-made-0123"];

test("another value revokes the one before, and an earlier one set again is reported, not accepted", async () => {
  await using world = await withDatabase();
  const { start, opens } = world;
  expect([await start(one), await start(one), await opens(one)]).toEqual([
    "nothing to do",
    "nothing to do",
    true,
  ]);
  expect([await start(two), await opens(one), await opens(two)]).toEqual(["nothing to do", false, true]);
  // As a server with the former setting does that starts while the setting is being changed.
  expect([await start(one), await opens(one), await opens(two)]).toEqual(["token ended", false, true]);
});

test("a token that the account has already revokes the value before when it is set, and is reported once it is revoked", async () => {
  await using world = await withDatabase();
  const { db, start, opens } = world;
  await start(one);
  const fields = { account_id: 1, name: "made", scope: "write", created_at: 1, expires_at: null } as const;
  const { row } = await db.transaction((trx) => issueToken(trx, fields, made));
  expect([await start(made), await opens(one), await opens(made)]).toEqual(["nothing to do", false, true]);
  await db.transaction((trx) => revokeToken(trx, row.id, 1));
  expect([await start(made), await opens(made)]).toEqual(["token ended", false]);
});
