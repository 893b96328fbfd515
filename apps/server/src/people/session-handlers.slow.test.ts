import { describe, expect, test } from "vitest";
import { exchange, type RequestHeaders } from "../../test/calls.js";
import { startTestServer, testServer } from "../../test/harness.js";
import { issueLink } from "./links.js";
import { forgetEnded } from "./session-purge-job.js";
import { callConsole, cookieOf, newPerson, ownPage, signIn } from "../../test/people.js";

// Extensions X9.2 and X9.3: sign in by a link, and what a session may be used for.

const server = await testServer();

const errorOf = ({ body }: { readonly body: unknown }): unknown => Object(body).meta?.error_type;

describe("a link", () => {
  test("signs in once, by a POST, and returns who and what may be done", async () => {
    const { id: accountId } = await server.account();
    const { id, link } = await newPerson(server, accountId);
    const opened = await callConsole(server, "sessionOpen", { link });
    expect(opened.status).toBe(200);
    expect(opened.body).toEqual({
      meta: { code: "200" },
      person: { id: String(id), name: "Ada", language: "de" },
      account: { id: String(accountId), name: "Test" },
      role: "owner",
      grants: [{ calendar_id: "", role: "owner", sees_followers: true }],
      can: { mail: false, passkeys: false, oidc: false },
      version: expect.any(String),
    });
    const read = await callConsole(server, "session", {}, { Cookie: cookieOf(opened) });
    expect(read.body).toEqual(opened.body);
    const again = await callConsole(server, "sessionOpen", { link });
    expect([again.status, errorOf(again)]).toEqual([401, "link_unknown"]);
    expect(again.headers.get("Set-Cookie")).toBeNull();
  });

  test("is not used up by a GET, nor by a POST of another page", async () => {
    const { link } = await newPerson(server, (await server.account()).id);
    for (const method of ["GET", "HEAD", "POST"]) {
      const headers = method === "POST" ? { ...ownPage, "Sec-Fetch-Site": "cross-site" } : ownPage;
      const body = method === "POST" ? { body: JSON.stringify({ link }) } : {};
      const path = `/console/api/session/open/?link=${link}`;
      expect((await exchange(server, path, { method, headers, ...body })).status).not.toBe(200);
    }
    const inQuery = { method: "POST", headers: ownPage, body: "{}" };
    const answer = await exchange(server, `/console/api/session/open/?link=${link}`, inQuery);
    expect(errorOf(answer), "an address is logged").toBe("link_unknown");
    expect((await callConsole(server, "sessionOpen", { link })).status).toBe(200);
  });

  test("ends with its time, with a newer one, and with the person", async () => {
    const { id: accountId } = await server.account();
    const { link } = await newPerson(server, accountId);
    const before = server.now;
    server.now += 7 * 86_400;
    expect((await callConsole(server, "sessionOpen", { link })).status).toBe(401);
    server.now = before;
    const { id, link: other } = await newPerson(server, accountId);
    await server.db.transaction((trx) => trx("people").where({ id }).update({ disabled_at: server.now }));
    expect((await callConsole(server, "sessionOpen", { link: other })).status).toBe(401);
  });

  test("is for one of many that try it at once", async () => {
    const { link } = await newPerson(server, (await server.account()).id);
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => callConsole(server, "sessionOpen", { link })),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });
});

describe("a token", () => {
  test("opens a session of an hour when it may write, and ends it when it is revoked", async () => {
    const { token, id } = await server.account();
    const opened = await callConsole(server, "sessionOpen", { token });
    expect(opened.body).toMatchObject({ person: { id: "", name: "test" }, role: "owner" });
    const headers = { Cookie: cookieOf(opened) };
    expect((await callConsole(server, "session", {}, headers)).status).toBe(200);
    await server.db.transaction((trx) =>
      trx("tokens").where({ account_id: id }).update({ revoked_at: server.now }),
    );
    expect((await callConsole(server, "session", {}, headers)).status).toBe(401);
    const reader = await server.account({ scope: "read" });
    expect(errorOf(await callConsole(server, "sessionOpen", { token: reader.token }))).toBe("link_unknown");
    const { link } = await newPerson(server, id);
    const both = await callConsole(server, "sessionOpen", { link, token });
    expect(both.body.meta).toMatchObject({
      error_type: "parameter_invalid",
      errors: [{ parameter: "link", code: "not_allowed" }, { parameter: "token" }],
    });
    expect((await callConsole(server, "sessionOpen", { link })).status, "it is not used up").toBe(200);
  });
});

describe("a session", () => {
  test("counts below /console/api/ alone, and a token does not count there", async () => {
    const account = await server.account();
    const { cookie, call } = await signIn(server, account.id);
    expect((await call("calendarsList")).status).toBe(200);
    for (const path of ["/api/kalends/v1/calendars/list/", "/api/v1/calendars/list/"])
      expect((await exchange(server, path, { headers: { ...ownPage, Cookie: cookie } })).status).toBe(401);
    const bearer = { Authorization: `Bearer ${account.token}` };
    expect(errorOf(await callConsole(server, "calendarsList", {}, bearer))).toBe("session_missing");
    const contract = { method: "POST", headers: { ...ownPage, Cookie: cookie }, body: "{}" };
    expect((await exchange(server, "/console/api/calendars/save/", contract)).status).toBe(404);
  });

  test("writes as the account, and pages lead below /console/api/", async () => {
    const account = await server.account();
    const { call } = await signIn(server, account.id);
    const made = await call("calendarsCreate", { title: "Concerts", timezone: "Europe/Berlin" });
    expect(made.status).toBe(200);
    expect((await account.call("calendarsList")).body.calendars).toHaveLength(1);
    const page = await call("calendarsList", { page: "2" });
    expect(page.body.paging.previous).toBe(`${server.url}/console/api/calendars/list/?page=1`);
  });

  test("ends when its person signs out, is disabled, or the time is over", async () => {
    const { id: accountId } = await server.account();
    const one = await signIn(server, accountId);
    const out = await one.call("sessionEnd");
    expect(out.headers.get("Set-Cookie")).toMatch(/^kalends=; Path=\/console; Max-Age=0; /);
    expect(out.headers.get("Clear-Site-Data")).toBe('"storage"');
    expect((await one.call("session")).status).toBe(401);
    const other = await signIn(server, accountId);
    await server.db.transaction((trx) =>
      trx("people").where({ id: other.id }).update({ disabled_at: server.now }),
    );
    expect((await other.call("session")).status).toBe(401);
    const third = await signIn(server, accountId);
    const before = server.now;
    server.now += 14 * 86_400;
    expect((await third.call("session")).status).toBe(401);
    server.now = before;
  });

  test("writes nothing when its person loses a role, or is disabled, while the body arrives; a token that expires neither", async () => {
    const { id, token } = await server.account({ expiresAt: server.now + 1 });
    const boss = await signIn(server, id);
    const [changed, disabled] = [await signIn(server, id), await signIn(server, id)];
    const bearer = { Authorization: `Bearer ${token}`, "Content-Type": "application/json" };
    const late = async (path: string, sent: object, headers: RequestHeaders, meanwhile: () => unknown) => {
      const answer = await exchange(server, path, {
        method: "POST",
        headers: { ...headers, Expect: "100-continue" },
        body: JSON.stringify(sent),
        beforeBody: async () => {
          await meanwhile();
          server.now++;
        },
      });
      return [answer.status, errorOf(answer)];
    };
    const before = server.now;
    const calendar = { title: "Late", timezone: "Europe/Berlin" };
    const demote = () => boss.call("peopleUpdate", { person_id: String(changed.id), role: "viewer" });
    const invited = { name: "Accomplice", role: "owner" };
    const session = ({ cookie }: typeof boss) => ({ ...ownPage, Cookie: cookie });
    expect(await late("/console/api/people/invite/", invited, session(changed), demote)).toEqual([
      403,
      "role_insufficient",
    ]);
    const disable = () =>
      server.db.transaction((trx) =>
        trx("people").where({ id: disabled.id }).update({ disabled_at: server.now }),
      );
    expect(await late("/console/api/calendars/create/", calendar, session(disabled), disable)).toEqual([
      401,
      "session_missing",
    ]);
    server.now = before;
    const expire = () => Promise.resolve();
    expect(await late("/api/kalends/v1/calendars/create/", calendar, bearer, expire)).toEqual([
      401,
      "token_unknown",
    ]);
    server.now = before;
  });

  test("is listed, and ended from another one; those of others are not found", async () => {
    const { id: accountId } = await server.account();
    const [one, other] = [await signIn(server, accountId), await signIn(server, accountId)];
    const { sessions } = (await one.call("sessionsList")).body;
    expect(sessions).toMatchObject([{ current: true }]);
    const [{ id }] = (await other.call("sessionsList")).body.sessions;
    const refused = await one.call("sessionsEnd", { session_id: id });
    expect([refused.status, errorOf(refused)]).toEqual([404, "session_not_found"]);
    expect((await one.call("sessionsEnd", { session_id: sessions[0].id })).status).toBe(200);
    expect((await one.call("session")).status).toBe(401);
    expect((await other.call("session")).status).toBe(200);
  });

  test("changes the own name and language; that of a token has neither", async () => {
    const account = await server.account();
    const one = await signIn(server, account.id);
    const changed = await one.call("sessionUpdate", { name: "Ada L.", language: "fr" });
    expect(changed.body.person).toEqual({ id: String(one.id), name: "Ada L.", language: "fr" });
    expect((await one.call("sessionUpdate", { language: "es" })).body.person).toMatchObject({
      name: "Ada L.",
    });
    expect((await one.call("session")).body.person).toMatchObject({ name: "Ada L.", language: "es" });
    const opened = await callConsole(server, "sessionOpen", { token: account.token });
    const ofToken = await callConsole(server, "sessionUpdate", { name: "x" }, { Cookie: cookieOf(opened) });
    expect(errorOf(ofToken)).toBe("person_not_found");
  });

  test("has keys of requests of its own: that of another person with the same grants is not replayed", async () => {
    const { id } = await server.account();
    const [one, other] = [await signIn(server, id), await signIn(server, id)];
    const key = { "Idempotency-Key": "the-same" };
    const named = async ({ call }: typeof one) => (await call("sessionUpdate", { name: "Ada L." }, key)).body;
    expect((await named(one)).person.id).toBe(String(one.id));
    expect((await named(other)).person.id).toBe(String(other.id));
    const again = await one.call("sessionUpdate", { name: "Ada L." }, key);
    expect(again.headers.get("Idempotency-Replayed")).toBe("true");
    // A second session of the same person too.
    const { secret: link } = await server.db.transaction((trx) =>
      issueLink(trx, one.id, "signIn", server.now),
    );
    const Cookie = cookieOf(await callConsole(server, "sessionOpen", { link }));
    const second = await callConsole(server, "sessionUpdate", { name: "Ada L." }, { Cookie, ...key });
    expect(second.headers.get("Idempotency-Replayed")).toBe("true");
    const out = { "Idempotency-Key": "out" };
    for (const cookie of [one.cookie, other.cookie, Cookie]) {
      const ended = await callConsole(server, "sessionEnd", {}, { Cookie: cookie, ...out });
      expect(ended.headers.get("Set-Cookie")).toMatch(/^kalends=;/);
      expect((await callConsole(server, "session", {}, { Cookie: cookie })).status).toBe(401);
    }
  });

  test("that someone else has set is ended by a sign-in, which gives another cookie", async () => {
    const { id: accountId } = await server.account();
    const planted = await signIn(server, accountId);
    const { link } = await newPerson(server, accountId);
    const opened = await callConsole(server, "sessionOpen", { link }, { Cookie: planted.cookie });
    expect(cookieOf(opened)).not.toBe(planted.cookie);
    expect((await planted.call("session")).status).toBe(401);
  });
});

describe("a request with a cookie", () => {
  const foreign: readonly (readonly [string, Readonly<Record<string, string | readonly string[]>>])[] = [
    ["of another site", { "Sec-Fetch-Site": "cross-site" }],
    ["of a sibling host or another port", { "Sec-Fetch-Site": "same-site" }],
    ["of no page", { "Sec-Fetch-Site": "none" }],
    ["of two origins at once", { "Sec-Fetch-Site": ["same-origin", "cross-site"] }],
    ["without the header of the console", { "Kalends-Console": [] }],
    ["as a form", { "Content-Type": "application/x-www-form-urlencoded" }],
    ["as a form with a file", { "Content-Type": "multipart/form-data; boundary=x" }],
    ["as plain text", { "Content-Type": "text/plain" }],
    ["without a type", { "Content-Type": [] }],
    ["over http, from another origin", { "Sec-Fetch-Site": [], Origin: "http://127.0.0.1:1" }],
    ["over http, from an opaque origin", { "Sec-Fetch-Site": [], Origin: "null" }],
    ["over http, without an origin", { "Sec-Fetch-Site": [] }],
  ];
  test.each(foreign)("%s writes nothing", async (_title, headers) => {
    const { call } = await signIn(server, (await server.account()).id);
    const answer = await call("calendarsCreate", { title: "Planted" }, headers);
    expect([answer.status, errorOf(answer)]).toEqual([403, "request_foreign"]);
    expect(answer.headers.get("Access-Control-Allow-Origin")).toBeNull();
    expect((await call("calendarsList")).body.calendars).toEqual([]);
  });

  test("over http, of the own origin, writes", async () => {
    const { call } = await signIn(server, (await server.account()).id);
    const headers = { "Sec-Fetch-Site": [], Origin: server.url };
    expect((await call("calendarsCreate", { title: "Own" }, headers)).status).toBe(200);
  });

  test("gets no CORS headers, is not kept, and no preflight is answered", async () => {
    const { call, cookie } = await signIn(server, (await server.account()).id);
    const { headers } = await call("calendarsList", {}, { Origin: "https://other.example" });
    expect(headers.get("Access-Control-Allow-Origin")).toBeNull();
    expect(headers.get("Cache-Control")).toBe("no-store");
    const asked = { Origin: "https://other.example", "Access-Control-Request-Method": "POST" };
    const path = "/console/api/calendars/create/";
    const answer = await exchange(server, path, { method: "OPTIONS", headers: { ...asked, Cookie: cookie } });
    expect([answer.status, answer.headers.get("Access-Control-Allow-Origin")]).toEqual([405, null]);
  });
});

describe("the cookie", () => {
  const setCookie = async (environment: Readonly<Record<string, string>>, host: string) => {
    const own = await startTestServer(environment);
    try {
      const { link } = await newPerson(own, (await own.account()).id);
      const answer = await callConsole(own, "sessionOpen", { link }, { Host: host });
      return answer.headers.get("Set-Cookie")?.replace(/=[\w-]{43};/, "=…;") ?? errorOf(answer);
    } finally {
      await own.stop();
    }
  };
  const ninetyDays = "Max-Age=7776000; HttpOnly; SameSite=Strict";

  test("is for one host over https alone, also under a path", async () => {
    for (const PUBLIC_URL of ["https://calendars.example", "https://example.com/calendars"])
      expect(await setCookie({ PUBLIC_URL }, "calendars.example")).toBe(
        `__Host-kalends=…; Path=/; Secure; ${ninetyDays}`,
      );
  });

  test("over http is for the console's path, of this machine or where it is allowed", async () => {
    const plain = `kalends=…; Path=/console; ${ninetyDays}`;
    expect(await setCookie({}, "localhost:8080")).toBe(plain);
    expect(await setCookie({}, "kalends.lan")).toBe("session_insecure");
    expect(await setCookie({ CONSOLE_INSECURE: "on" }, "kalends.lan")).toBe(plain);
    const PUBLIC_URL = "http://kalends.lan/calendars";
    expect(await setCookie({ CONSOLE_INSECURE: "on", PUBLIC_URL }, "kalends.lan")).toBe(
      `kalends=…; Path=/calendars/console; ${ninetyDays}`,
    );
  });

  test("that is there twice is none", async () => {
    const { cookie } = await signIn(server, (await server.account()).id);
    const answer = await callConsole(server, "session", {}, { Cookie: `${cookie}; ${cookie}` });
    expect(errorOf(answer)).toBe("session_missing");
  });
});

test("what has ended is removed by a job; a person who has never signed in is still invited", async () => {
  const { id: accountId } = await server.account();
  const owner = await signIn(server, accountId);
  const { person } = (await owner.call("peopleInvite", { name: "Grace", role: "viewer" })).body;
  await owner.call("peopleLink", { person_id: String(owner.id) });
  const used = { hash: "x", ends_at: server.now + 300 };
  await server.db.transaction((trx) => trx("used_challenges").insert(used));
  const count = async (table: string, where: object): Promise<number> =>
    (await server.db.read(table).where(where)).length;
  const rows = async () => [
    await count("sessions", { account_id: accountId }),
    await count("sign_in_links", { person_id: owner.id }),
    await count("sign_in_links", { person_id: person.id }),
    await count("used_challenges", { hash: "x" }),
  ];
  await forgetEnded(server.db, server.now);
  expect(await rows()).toEqual([1, 1, 1, 1]);
  await forgetEnded(server.db, server.now + 14 * 86_400);
  expect(await rows()).toEqual([0, 0, 0, 0]);
  const { people } = (await (await signIn(server, accountId)).call("peopleList")).body;
  expect(people.find(({ id }: { id: string }) => id === person.id).status).toBe("invited");
});

test("no secret of a link, a session or a token is in the log or in the database", async () => {
  const account = await server.account();
  const { link } = await newPerson(server, account.id);
  const opened = await callConsole(server, "sessionOpen", { link });
  const secret = cookieOf(opened).split("=")[1] ?? "none";
  await callConsole(server, "sessionOpen", { token: account.token });
  const rows = [await server.db.read("sessions"), await server.db.read("sign_in_links")];
  for (const hidden of [link, secret, account.token]) {
    expect(server.logText()).not.toContain(hidden);
    expect(JSON.stringify(rows)).not.toContain(hidden);
  }
  expect(server.logLines).toContainEqual(expect.objectContaining({ operation: "sessionOpen", status: 200 }));
});
