import { body, hasIntegerCode, isWrite, type OperationId, operations } from "@kalends/spec";
import { describe, expect, test } from "vitest";
import { revokeToken } from "../src/accounts/queries.js";
import {
  callsOfWrites,
  callsWithToken,
  codeOf,
  everyCall,
  exchange,
  freshParams,
  hasDeclaredType,
  idParams,
  send,
  withoutRequestId,
} from "./calls.js";
import { holdContent } from "./database-content.js";
import { startOfTests, testServer, withMail } from "./harness.js";

// Holds for every operation of the spec, with every method that it answers.

const server = await testServer({ ...withMail, WEBHOOKS_PER_ACCOUNT: "1000" });
const owner = await server.account();
await owner.call("createCalendar", { title: "One for the list" });
const reader = await server.account({ scope: "read" });
const expired = await server.account({ expiresAt: startOfTests });
const revoked = await server.account();
await server.db.transaction(async (trx) => {
  const { id } = await trx<{ id: number; account_id: number }>("tokens")
    .where({ account_id: revoked.id })
    .first("id")
    .then(found);
  await revokeToken(trx, id, server.now);
});

function found<T>(row: T | undefined): T {
  if (row === undefined) throw new Error("there is no such row");
  return row;
}

const refusedTokens = {
  "unknown and well formed": "kal_000000000000000000000000000000000000000000000000",
  malformed: "'; drop table tokens; --",
  "too short": "abc",
  revoked: revoked.token,
  expired: expired.token,
};

/** What the requests that change nothing share: made once for each operation. */
const made = new Map<OperationId, ReturnType<typeof freshParams>>();

/** Parameters for a request that is refused. */
function shared(id: OperationId): ReturnType<typeof freshParams> {
  const params = made.get(id) ?? freshParams(server, owner, id);
  made.set(id, params);
  return params;
}

/** Parameters for a request that succeeds. */
function unused(id: OperationId): ReturnType<typeof freshParams> {
  return isWrite(operations[id]) ? freshParams(server, owner, id) : shared(id);
}

for (const call of everyCall) {
  const { id, op } = call;
  describe(call.title, () => {
    test("a success holds exactly what the spec declares", async () => {
      const answer = await send(server, call, await unused(id), { token: owner.token });
      expect(answer.status).toBe(200);
      if (op.fileAnswer !== undefined) {
        expect(answer.text.split("\r\n").length).toBeGreaterThan(2);
        return;
      }
      expect(body(op).parse(answer.body)).toStrictEqual(answer.body);
      expect(answer.body.meta).toStrictEqual({ code: codeOf(op, 200) });
      const mayBeEmpty = ["changed_event_ids", "deleted_dates", "notes"]; // of a series that is as it was made
      for (const [name, list] of Object.entries<unknown>(answer.body))
        if (Array.isArray(list) && !mayBeEmpty.includes(name)) expect([name, list]).not.toEqual([name, []]);
    });

    test("its headers name the declared type, the request's id, and no-store where a token was needed", async () => {
      const answer = await send(server, call, await unused(id), { token: owner.token });
      const { headers } = answer;
      expect(hasDeclaredType(op, answer)).toBe(true);
      expect(headers.get("X-Request-Id")).toMatch(/^[0-9a-f]{32}$/);
      expect(headers.get("X-Content-Type-Options")).toBe("nosniff");
      expect(headers.get("Set-Cookie")).toBeNull();
      expect(headers.get("X-Powered-By")).toBeNull();
      if (op.auth === "token") expect(headers.get("Cache-Control")).toBe("no-store");
      else expect(headers.get("ETag")).toMatch(/^"[\w-]+"$/);
    });

    test("the path answers with and without its trailing slash, never by a redirect", async () => {
      const bare = op.path.replace(/\/$/, "");
      for (const path of [bare, `${bare}/`]) {
        const answer = await send(server, call, await unused(id), {
          token: owner.token,
          path,
        });
        expect([path, answer.status]).toStrictEqual([path, 200]);
        expect(answer.headers.get("Location")).toBeNull();
      }
    });

    test("the path of older clients, below /api/v1/me/, is answered by the same operation", async () => {
      const path = op.path.replace("/api/v1/", "/api/v1/me/");
      const params = await unused(id);
      const answer = await send(server, call, params, { token: owner.token, path });
      expect([answer.status, hasDeclaredType(op, answer)]).toEqual([200, true]);
      if (op.fileAnswer === undefined) expect(body(op).parse(answer.body)).toStrictEqual(answer.body);
      const refused = await exchange(server, path, { method: "PUT" });
      expect([refused.status, refused.body.meta.code]).toStrictEqual([405, codeOf(op, 405)]);
    });

    test("the token may come in the query", async () => {
      const query = `token=${owner.token}`;
      const answer = await send(server, call, await unused(id), { query });
      expect(answer.status).toBe(200);
    });

    if (op.auth === "none") {
      test("it takes no token and ignores one", async () => {
        expect((await send(server, call, {})).status).toBe(200);
        expect((await send(server, call, { token: "abc" })).status).toBe(200);
      });
    }
  });
}

for (const call of callsWithToken) {
  const { id, op } = call;
  describe(`${call.title} requires a token`, () => {
    test("in a scheme that is not read: the message names the one that is", async () => {
      const sent = await shared(id);
      const answer = await send(server, call, sent, {
        headers: { Authorization: `Basic ${btoa(`kalends:${owner.token}`)}` },
      });
      expect([answer.status, answer.body.meta.error_type]).toEqual([401, "token_missing"]);
      expect(answer.body.meta.error_message).toContain(
        "Authorization: Bearer (no other scheme, such as Basic, is read)",
      );
    });

    test("without one: 401 token_missing, and nothing is changed", async () => {
      const params = await shared(id);
      await using before = await holdContent(server);
      for (const sent of [params, { ...params, token: "" }]) {
        const answer = await send(server, call, sent);
        expect(answer.status).toBe(401);
        expect(answer.body.meta).toMatchObject({ code: codeOf(op, 401), error_type: "token_missing" });
        expect(answer.body.meta.request_id).toBe(answer.headers.get("X-Request-Id"));
        expect(answer.headers.get("WWW-Authenticate")).toMatch(/^Bearer /);
        expect(answer.headers.get("Cache-Control")).toBe("no-store");
      }
      await before.expectSame();
    });

    test("unknown, malformed, revoked and expired ones get the same bytes, and nothing is changed", async () => {
      const params = await shared(id);
      await using before = await holdContent(server);
      const seen = new Set<string>();
      for (const token of Object.values(refusedTokens)) {
        const answer = await send(server, call, { ...params, token });
        expect(answer.status).toBe(401);
        expect(answer.body.meta.error_type).toBe("token_unknown");
        seen.add(withoutRequestId(answer) + String(answer.headers.get("WWW-Authenticate")));
      }
      expect(seen.size).toBe(1);
      await before.expectSame();
    });

    test("the same token in two places is accepted", async () => {
      const params = await unused(id);
      const { token } = owner;
      expect((await send(server, call, { ...params, token }, { token })).status).toBe(200);
    });

    test("two tokens, or two Authorization headers, are a 400, and nothing is changed", async () => {
      const params = await shared(id);
      const { token } = owner;
      await using before = await holdContent(server);
      const twoPlaces = await send(server, call, { ...params, token: reader.token }, { token });
      const twoHeaders = await exchange(server, `${op.path}?${new URLSearchParams(params).toString()}`, {
        method: call.method,
        headers: { Authorization: [`Bearer ${token}`, `Bearer ${token}`] },
      });
      for (const ambiguous of [twoPlaces, twoHeaders]) {
        expect(ambiguous.status).toBe(400);
        expect(ambiguous.body.meta.error_type).toBe("credentials_ambiguous");
      }
      for (const query of [`token=${token}&token=${token}`, `token[]=${token}`, `token%5B0%5D=${token}`]) {
        const repeated = await send(server, call, params, { query });
        expect([query, repeated.status]).toStrictEqual([query, 400]);
        expect(repeated.body.meta.errors).toMatchObject([{ parameter: "token" }]);
      }
      await before.expectSame();
    });

    test("the token is checked before the parameters", async () => {
      const answer = await send(server, call, {
        ...(await shared(id)),
        calendar_id: "abc",
        page: "0",
      });
      expect(answer.status).toBe(401);
    });
  });
}

for (const call of callsOfWrites) {
  const { id, method } = call;
  describe(`${call.title} writes`, () => {
    test("a token that may only read gets 403, and nothing is changed", async () => {
      const params = await shared(id);
      await using before = await holdContent(server);
      const answer = await send(server, call, params, { token: reader.token });
      expect(answer.status).toBe(403);
      expect(answer.body.meta).toMatchObject({ code: "403", error_type: "scope_insufficient" });
      await before.expectSame();
    });

    if (method === "POST") {
      test("the token may come in the form, and in a JSON object too", async () => {
        const { token } = owner;
        const form = await send(server, call, { ...(await unused(id)), token });
        expect(form.status).toBe(200);
        const json = await exchange(server, call.op.path, {
          method,
          headers: { "Content-Type": "application/json" },
          body: JSON.stringify({ ...(await unused(id)), token }),
        });
        expect(json.status).toBe(200);
      });

      test("the parameters may all come in the query", async () => {
        const query = new URLSearchParams({
          ...(await unused(id)),
          token: owner.token,
        }).toString();
        expect((await exchange(server, `${call.op.path}?${query}`, { method })).status).toBe(200);
      });

      test("the same token in the query and in the form is accepted, two different ones are a 400", async () => {
        const { token } = owner;
        const sent = { ...(await unused(id)), token };
        const differing = await send(server, call, sent, { query: `token=${reader.token}` });
        expect(differing.status).toBe(403); // the one in the query is checked first, and may only read
        const other = await send(server, call, { ...sent, token: reader.token }, { query: `token=${token}` });
        expect(other.status).toBe(400);
        expect(other.body.meta.error_type).toBe("credentials_ambiguous");
        expect((await send(server, call, sent, { query: `token=${token}` })).status).toBe(200);
      });

      test("a wrong token in the head is refused before the body is read", async () => {
        for (const [query, headers] of [
          ["?token=wrong", {}],
          ["", { Authorization: "Bearer wrong" }],
        ] as const) {
          const answer = await exchange(server, `${call.op.path}${query}`, {
            method,
            headers: { ...headers, "Content-Type": "application/x-www-form-urlencoded" },
            body: "%ff&".repeat(2_000),
          });
          expect([answer.status, answer.body.meta.error_type]).toStrictEqual([401, "token_unknown"]);
        }
      });
    }
  });
}

test("reads work with a token that may only read", async () => {
  for (const call of callsWithToken.filter(({ op }) => !isWrite(op))) {
    const params = await unused(call.id);
    const answer = await send(server, call, params, { token: reader.token });
    // What has an id is another account's: the token passed, the ownership did not.
    expect([call.id, answer.status]).toStrictEqual([call.id, idParams(call.op).length > 0 ? 404 : 200]);
  }
});

test("the time zone list is the only one with an integer meta.code", () => {
  expect([...new Set(everyCall.filter(({ op }) => hasIntegerCode(op)).map(({ id }) => id))]).toStrictEqual([
    "listTimeZones",
  ]);
});
