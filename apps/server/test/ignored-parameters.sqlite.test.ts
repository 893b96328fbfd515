import { describe, expect, test } from "vitest";
import { everyCall, exchange, freshParams, send } from "./calls.js";
import { testServer, withMail } from "./harness.js";

// Parameters that an operation does not know are ignored and named (rulings R1.4, R1.11).

const server = await testServer({ ...withMail, LOG_LEVEL: "debug", WEBHOOKS_PER_ACCOUNT: "1000" });
const owner = await server.account();
const header = "Kalends-Ignored-Parameters";

async function ignored(query: string): Promise<string | null> {
  const answer = await exchange(server, `/api/v1/calendars/list/?token=${owner.token}&${query}`);
  expect([query, answer.status]).toStrictEqual([query, 200]);
  return answer.headers.get(header);
}

describe.each(everyCall)("$title", (call) => {
  test("names each parameter that it ignores, once, and none that it knows", async () => {
    const params = await freshParams(server, owner, call.id);
    const plain = await send(server, call, params, { token: owner.token });
    expect([plain.status, plain.headers.get(header)]).toStrictEqual([200, null]);
    const fresh = await freshParams(server, owner, call.id);
    const more = { ...fresh, calender_id: "1", "utm.source": "x" };
    const answer = await send(server, call, more, { token: owner.token, query: "calender_id=2" });
    expect(answer.status).toBe(200);
    expect(answer.headers.get(header)?.split(", ").toSorted()).toStrictEqual(["calender_id", "utm.source"]);
  });
});

test("a refusal names them too: a misspelling may be its cause", async () => {
  const answer = await exchange(server, `/api/v1/calendars/create/?token=${owner.token}&titel=x`);
  expect([answer.status, answer.headers.get(header)]).toStrictEqual([400, "titel"]);
});

test.each([
  ["a%20b=1", "*"],
  ["%C3%BC=1&b=2", "*, b"],
  ["%3Cscript%3E=1", "*"],
  ["a%2Cb=1", "*"],
  ["=1", "*"],
  [`${"n".repeat(40)}=1`, "n".repeat(40)],
  [`${"n".repeat(41)}=1`, "*"],
  [
    Array.from({ length: 500 }, (_, n) => `p${n}=`).join("&"),
    `${Array.from({ length: 20 }, (_, n) => `p${n}`).join(", ")}, *`,
  ],
  ["__proto__=1&constructor=2", "__proto__, constructor"],
])("the names of %s are shown as %s", async (query, shown) => {
  expect(await ignored(query)).toBe(shown);
});

test("a token in the place of a name is shown nowhere", async () => {
  expect(await ignored(`${owner.token}=1`)).toBe("*");
  expect(server.logText()).not.toContain(owner.token);
});

test("the log has the names at level debug, with the id of the request", async () => {
  const { headers } = await exchange(server, `/api/v1/timezones?utm_source=mail`);
  const id = headers.get("X-Request-Id");
  const lines = () =>
    server.logLines.filter(({ request_id, ignored }) => request_id === id && ignored !== undefined);
  await expect.poll(lines).toMatchObject([{ level: 20, ignored: "utm_source", msg: "parameters ignored" }]);
});

test("a page of another origin may read the header", async () => {
  const { headers } = await exchange(server, `/api/v1/timezones?x=1`, {
    headers: { Origin: "https://example.com" },
  });
  expect(headers.get("Access-Control-Expose-Headers")?.split(",")).toContain(header);
  expect(headers.get(header)).toBe("x");
});
