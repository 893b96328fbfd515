import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { exchange } from "../../test/calls.js";
import { testServer } from "../../test/harness.js";
import { callConsole, cookieOf } from "../../test/people.js";
import { revokeToken } from "../accounts/queries.js";

const server = await testServer();

const other = await server.account();
const daySeconds = 86_400;
const instant = (at: number) => new Date(at * 1000).toISOString().replace(".000Z", "Z");

/** Sends a write of an extension with another token than an account's first. */
async function write(token: string, path: string, params: Readonly<Record<string, string>>, key?: string) {
  return exchange(server, `/api/kalends/v1/tokens/${path}/`, {
    method: "POST",
    headers: {
      Authorization: `Bearer ${token}`,
      "Content-Type": "application/x-www-form-urlencoded",
      ...(key === undefined ? {} : { "Idempotency-Key": key }),
    },
    body: new URLSearchParams(params).toString(),
  });
}

test("a token is shown once and works at once; a list does not show it (extensions X8.6)", async () => {
  const owner = await server.account();
  const { body } = await owner.call("tokensCreate", { name: "Console", scope: "write" });
  expect(body.token).toMatchObject({
    name: "Console",
    scope: "write",
    ends_in: body.secret.slice(-4),
    status: "valid",
    current: false,
    date_create: instant(server.now),
    date_expires: "",
    date_used: "",
  });
  const made = await write(body.secret, "create", { name: "Website" });
  expect(made.body.token).toMatchObject({ name: "Website", scope: "read", date_expires: "" });
  const listed = await owner.call("tokensList");
  expect(listed.body.tokens.map((one: { readonly name: string }) => one.name)).toEqual([
    "Website",
    "Console",
    expect.any(String),
  ]);
  expect(listed.body.tokens.map((one: { readonly current: boolean }) => one.current)).toEqual([
    false,
    false,
    true,
  ]);
  expect(listed.text).not.toContain(body.secret);
});

test("nothing stores a token: not the database, not the answer that is kept under a key, not the log", async () => {
  const owner = await server.account();
  const first = await write(owner.token, "create", { name: "Once" }, "once");
  const { secret } = first.body;
  expect(secret).toMatch(/^kal_/);
  const kept = await server.db.read("idempotency_keys").where({ account_id: owner.id, key: "once" });
  expect(JSON.stringify(kept)).toContain("secret");
  expect(
    JSON.stringify([kept, await server.db.read("tokens").where({ account_id: owner.id })]),
  ).not.toContain(secret);
  const again = await write(owner.token, "create", { name: "Once" }, "once");
  expect(again.headers.get("Idempotency-Replayed")).toBe("true");
  expect(again.body).toEqual({ ...first.body, secret: "" });
  expect(server.logText()).not.toContain(secret);
});

test("a token makes none that outlasts it, or that may do more", async () => {
  const owner = await server.account({ expiresAt: server.now + 2 * daySeconds });
  const same = await owner.call("tokensCreate", { name: "As long" });
  expect(same.body.token.date_expires).toBe(instant(server.now + 2 * daySeconds));
  const shorter = await owner.call("tokensCreate", { name: "Shorter", expires_in_days: "1" });
  expect(shorter.body.token.date_expires).toBe(instant(server.now + daySeconds));
  const longer = await owner.call("tokensCreate", { name: "Longer", expires_in_days: "3" });
  expect(longer.body.meta.errors).toEqual([
    { parameter: "expires_in_days", message: "must not outlast the token of the request", code: "too_late" },
  ]);
  const reader = await server.account({ scope: "read" });
  expect((await reader.call("tokensCreate", { name: "More" })).body.meta.error_type).toBe(
    "scope_insufficient",
  );
  expect((await reader.call("tokensList")).status).toBe(200);
  const reserved = await owner.call("tokensCreate", { name: "CALENDAR_TOKEN" });
  expect(reserved.body.meta.errors).toMatchObject([{ parameter: "name", code: "not_allowed" }]);
});

test("a token is revoked, also the one of the request; another account's is not found", async () => {
  const owner = await server.account();
  const { body } = await owner.call("tokensCreate", { name: "Own", scope: "write" });
  const token_id = body.token.id;
  expect((await other.call("tokensRevoke", { token_id })).body.meta.error_type).toBe("token_not_found");
  const revoked = await write(body.secret, "revoke", { token_id });
  expect(revoked.body.token).toMatchObject({ id: token_id, status: "revoked", current: true });
  const again = await owner.call("tokensRevoke", { token_id });
  expect(again.body.token.status).toBe("revoked");
  await expect
    .poll(async () => (await write(body.secret, "create", { name: "Late" })).status, { timeout: 30_000 })
    .toBe(401);
});

test("a token creates none after it was revoked, also where it is still accepted for two seconds", async () => {
  const owner = await server.account();
  const { body } = await owner.call("tokensCreate", { name: "Lost", scope: "write" });
  expect((await write(body.secret, "create", { name: "Before" })).status).toBe(200); // it is cached now
  await owner.call("tokensRevoke", { token_id: body.token.id });
  const after = await write(body.secret, "create", { name: "After", scope: "write" });
  expect([after.status, after.body.meta.error_type]).toEqual([401, "token_unknown"]);
  const { tokens } = (await owner.call("tokensList")).body;
  expect(tokens.map((one: { readonly name: string }) => one.name)).not.toContain("After");
});

test("who signed in with a token invites no one whose invitation waited while the token was revoked", async () => {
  const owner = await server.account();
  const { body } = await owner.call("tokensCreate", { name: "Lost", scope: "write" });
  const headers = { Cookie: cookieOf(await callConsole(server, "sessionOpen", { token: body.secret })) };
  const invite = (name: string) => callConsole(server, "peopleInvite", { name, role: "owner" }, headers);
  expect((await invite("Before")).status).toBe(200);
  let commit: () => void = () => undefined;
  const revoking = server.db.transaction(async (trx) => {
    await revokeToken(trx, Number(body.token.id), server.now);
    await new Promise<void>((resolve) => (commit = resolve));
  });
  const invited = invite("After");
  await delay(300); // it has passed the look-up of its session
  commit();
  await revoking;
  const { status, body: refused } = await invited;
  expect([status, refused.meta.error_type]).toEqual([401, "token_unknown"]);
});

test("of the tokens that ended, the account keeps those among its last 1,000", async () => {
  const owner = await server.account();
  const of = { account_id: owner.id, last_four: "", name: "old", scope: "read", created_at: server.now };
  const ended = (hash: string) => ({ ...of, hash, revoked_at: server.now });
  const { body } = await owner.call("tokensCreate", { name: "old", scope: "write" });
  const session = await callConsole(server, "sessionOpen", { token: body.secret });
  expect(session.status, session.text).toBe(200);
  await owner.call("tokensRevoke", { token_id: body.token.id });
  await server.db.transaction((trx) =>
    trx.batchInsert(
      "tokens",
      Array.from({ length: 1_000 }, (_, index) => ended(`${owner.id} ${index}`)),
      100,
    ),
  );
  for (const name of ["one", "two"]) expect((await owner.call("tokensCreate", { name })).status).toBe(200);
  const kept: readonly { readonly name: string }[] = await server.db
    .read("tokens")
    .where({ account_id: owner.id })
    .orderBy("id");
  // the valid one that is older than all stays
  expect([kept.length, kept.filter(({ name }) => name === "old").length]).toEqual([1_001, 998]);
  expect((await owner.call("tokensList")).status).toBe(200);
});

test("an account may have 100 valid tokens; those that ended do not count", async () => {
  const owner = await server.account();
  const made = [];
  for (let index = 0; index < 99; index++)
    made.push((await owner.call("tokensCreate", { name: "x" })).body.token.id);
  const full = await owner.call("tokensCreate", { name: "x" });
  expect([full.status, full.body.meta.error_type]).toEqual([409, "token_limit_reached"]);
  await owner.call("tokensRevoke", { token_id: made[0] });
  expect((await owner.call("tokensCreate", { name: "x" })).status).toBe(200);
  const { body } = await owner.call("tokensList", { page: "2" });
  expect(body.paging.previous).not.toBe("");
});
