import { expect, test } from "vitest";
import { startOfTests as now } from "../../test/harness.js";
import { testDatabase } from "../../test/databases.js";
import { followingRules } from "./slow-rules.js";

const { db } = await testDatabase();

const weekly = {
  rrule: "FREQ=WEEKLY;COUNT=3",
  rdate: "",
  exdate: "",
  rule_timezone: "Europe/Berlin",
  rule_all_day: 0,
  start_local: now,
  length: 3_600,
};
/** Takes about as long to follow as a rule may: each day of a hundred years is looked at, and none is named. */
const positions = Array.from({ length: 300 }, (_, index) => `${index + 2},-${index + 2}`).join(",");
const slow = { ...weekly, rrule: `FREQ=DAILY;BYHOUR=1;BYSETPOS=${positions}` };

test("a rule that takes a moment is followed in the transaction that asks for it", async () => {
  let begun = 0;
  const followed = await followingRules(1, (follow) =>
    db.transaction(async () => {
      begun++;
      return follow(weekly, { now });
    }),
  );
  expect(followed).toMatchObject({ places: [now, now + 7 * 86_400, now + 14 * 86_400] });
  expect(begun).toBe(1);
});

test("while a rule that takes long is followed, others write; and one that has changed meanwhile is followed again", async () => {
  const order: string[] = [];
  const moved = { ...slow, rule_timezone: "Asia/Tokyo" };
  const others: Promise<void>[] = [];
  const write = async (): Promise<void> => {
    await db.transaction(() => Promise.resolve());
    order.push("another write");
  };
  const followed = await followingRules(1, (follow) =>
    db.transaction(async () => {
      order.push("transaction");
      others.push(write());
      return follow(others.length === 1 ? slow : moved, { now });
    }),
  );
  expect(followed).toMatchObject({ parameter: "rrule" });
  const both = ["transaction", "another write"];
  expect(order.slice(0, 5)).toEqual([...both, ...both, "transaction"]);
  await Promise.all(others);
});
