import { isWrite } from "@kalends/spec";
import { beforeAll, describe, expect, test } from "vitest";
import { type Call, callsOfWrites, codeOf, everyCall, exchange, freshParams, send } from "./calls.js";
import { holdContent } from "./database-content.js";
import { testServer } from "./harness.js";

// Which methods an operation answers (rulings R1.1, R1.2, R1.8), for every operation of the spec.

const server = await testServer();
const owner = await server.account();
const { token } = owner;

/** A complete and valid query, token and all: had the method been right, the request would do its work. */
async function target({ id, op }: Call): Promise<string> {
  return `${op.path}?${new URLSearchParams({ ...(await freshParams(server, owner, id)), token }).toString()}`;
}

for (const call of everyCall.filter(({ method }) => method === "GET")) {
  const { id, op } = call;
  const allowed = isWrite(op) ? ["GET", "POST"] : ["GET", "HEAD"];
  const refused = ["HEAD", "POST", "PUT", "PATCH", "DELETE", "TRACE", "OPTIONS", "PROPFIND", "SEARCH"].filter(
    (name) => !allowed.includes(name),
  );
  describe(id, () => {
    let path = ""; // none of the requests below changes what it names
    beforeAll(async () => {
      path = await target(call);
    });

    for (const method of refused) {
      test(`${method} gets 405 with Allow, and nothing is changed`, async () => {
        await using before = await holdContent(server);
        for (const variant of [path, path.replace(/\/\?/, "?")]) {
          const answer = await exchange(server, variant, { method });
          expect(answer.status).toBe(405);
          expect(answer.headers.get("Allow")).toBe(allowed.join(", "));
          if (method === "HEAD") expect(answer.text).toBe("");
          else
            expect(answer.body.meta).toMatchObject({
              code: codeOf(op, 405),
              error_type: "method_not_allowed",
              error_message: `${method} is not allowed here; use ${allowed.join(" or ")}.`,
            });
        }
        await before.expectSame();
      });
    }

    test("a method is refused before the token and the parameters are looked at", async () => {
      expect((await exchange(server, `${op.path}?a=%zz`, { method: "DELETE" })).status).toBe(405);
    });

    test("method overrides are not heard", async () => {
      const headers = { "X-HTTP-Method-Override": "GET", "X-Method-Override": "GET" };
      expect((await exchange(server, `${path}&_method=GET`, { method: "PUT", headers })).status).toBe(405);
    });

    test("a CORS preflight is answered with 204, and nothing is changed", async () => {
      await using before = await holdContent(server);
      const headers = { Origin: "https://app.example", "Access-Control-Request-Method": "POST" };
      const answer = await exchange(server, path, { method: "OPTIONS", headers });
      expect(answer.status).toBe(204);
      expect(answer.headers.get("Access-Control-Allow-Origin")).toBe("*");
      expect(answer.headers.get("Access-Control-Allow-Credentials")).toBeNull();
      await before.expectSame();
    });

    if (isWrite(op)) return;
    test("HEAD answers as GET without its body", async () => {
      const get = await exchange(server, path);
      const head = await exchange(server, path, { method: "HEAD" });
      expect([head.status, head.text]).toStrictEqual([200, ""]);
      for (const name of ["Content-Type", "Content-Length", "Cache-Control", "ETag"]) {
        expect([name, head.headers.get(name)]).toStrictEqual([name, get.headers.get(name)]);
      }
    });
  });
}

for (const call of callsOfWrites) {
  const announcements = [
    { "Sec-Purpose": "prefetch" },
    { "Sec-Purpose": "prefetch;prerender" },
    { "Sec-Purpose": "prefetch;anonymous-client-ip" },
    { Purpose: "prefetch" },
    { Purpose: "Prefetch" },
  ];
  test(`${call.title} from a prefetch gets 403, and nothing is changed`, async () => {
    const params = await freshParams(server, owner, call.id);
    await using before = await holdContent(server);
    for (const headers of announcements) {
      const answer = await send(server, call, params, { token, headers });
      expect(answer.status).toBe(403);
      expect(answer.body.meta).toMatchObject({ code: "403", error_type: "prefetch_refused" });
    }
    await before.expectSame();
  });
}

test("reads may be prefetched", async () => {
  for (const call of everyCall.filter(({ op }) => !isWrite(op))) {
    const answer = await exchange(server, await target(call), { headers: { "Sec-Purpose": "prefetch" } });
    expect([call.id, answer.status]).toStrictEqual([call.id, 200]);
  }
});
