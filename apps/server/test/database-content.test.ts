import { expect, test } from "vitest";
import { holdContent } from "./database-content.js";
import { testServer } from "./harness.js";

// What the tests that nothing is changed rely on.

const server = await testServer();
const account = await server.account();

test("a calendar that was made since is a change", async () => {
  await using before = await holdContent(server);
  await before.expectSame();
  await account.call("createCalendar", { title: "x" });
  await expect(before.expectSame()).rejects.toThrow("to be");
});

test("when a token was last used is no change, its name is one", async () => {
  const update = (values: object) => server.db.transaction((trx) => trx("tokens").update(values));
  await using before = await holdContent(server);
  await update({ last_used_at: server.now });
  await before.expectSame();
  await update({ name: "other" });
  await expect(before.expectSame()).rejects.toThrow("to be");
});
