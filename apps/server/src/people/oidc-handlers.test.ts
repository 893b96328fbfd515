import { createHmac, generateKeyPairSync, sign } from "node:crypto";
import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestServer, type TestServer } from "../../test/harness.js";
import { callConsole, cookieOf, newPerson } from "../../test/people.js";

// Extensions X9.2: what an identity provider may send, and what is done when it fails. A real one is in deep/server/oidc.deep.test.ts.

type Claims = Readonly<Record<string, unknown>>;
type Answer = (res: ServerResponse, claims: Claims) => void;

const secret = "secret-of-the-client";
const keys = [1, 2].map(() => generateKeyPairSync("rsa", { modulusLength: 2048 }));
const seconds = () => Math.floor(Date.now() / 1000);
const base64 = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");
const json = (res: ServerResponse, body: object, status = 200): void => {
  res.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(body));
};

let server: TestServer;
let issuer = "";
/** What the provider does now, and what it was asked for. */
let answer: Answer = (res, claims) => tokens(res, claims);
let [published, isAway, nonce] = [0, false, ""];
const requests: string[] = [];

/** A token answer. @param key index of the key that signs, or how the token is signed instead */
function tokens(res: ServerResponse, claims: Claims, key: number | "none" | "HS256" = 0, kid = key): void {
  const header = { alg: typeof key === "number" ? "RS256" : key, kid: String(kid) };
  const signed = `${base64(header)}.${base64(claims)}`;
  const signature =
    typeof key === "number"
      ? sign("RSA-SHA256", Buffer.from(signed), keys[key]?.privateKey ?? "").toString("base64url")
      : key === "none"
        ? ""
        : createHmac("sha256", secret).update(signed).digest("base64url");
  json(res, { access_token: "x", token_type: "Bearer", id_token: `${signed}.${signature}` });
}

const provider = createServer((req, res) => {
  const path = req.url ?? "";
  requests.push(path);
  req.resume().on("end", () => {
    if (path === "/token") {
      const now = seconds();
      const claims = { iss: issuer, sub: "ada", aud: "kalends", iat: now, exp: now + 60, nonce };
      answer(res, claims);
    } else if (path === "/jwks") {
      const jwk = keys[published]?.publicKey.export({ format: "jwk" });
      json(res, { keys: [{ ...jwk, kid: String(published), alg: "RS256", use: "sig" }] });
    } else if (isAway) json(res, {}, 500);
    else
      json(res, {
        issuer,
        authorization_endpoint: `${issuer}/auth`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/jwks`,
        response_types_supported: ["code"],
        subject_types_supported: ["public"],
        id_token_signing_alg_values_supported: ["RS256"],
        authorization_response_iss_parameter_supported: true,
      });
  });
});

beforeAll(async () => {
  provider.listen(0, "127.0.0.1");
  await once(provider, "listening");
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a TCP server has such an address
  issuer = `http://localhost:${(provider.address() as AddressInfo).port}`;
  const settings = { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: "kalends", OIDC_CLIENT_SECRET: secret };
  server = await startTestServer({ ...settings, OIDC_NAME: "Town", TRUST_PROXY: "1" });
  expect(await signIn({}, (await newPerson(server, (await server.account()).id)).link)).toEqual(opened);
});
afterAll(async () => {
  await server?.stop();
  provider.closeAllConnections();
  provider.close();
});

let clients = 0;
/** Of a client of its own, so that none has used up the attempts of another. */
const newClient = () => ({ "X-Forwarded-For": `2001:db8:0:${(++clients).toString(16)}::1` });

async function start(link?: string, client = newClient()) {
  const begun = await callConsole(server, "oidcStart", link === undefined ? {} : { link }, client);
  const cookie = cookieOf(begun);
  const [state = "", ofFlow = ""] = cookie.split("=")[1]?.split(".") ?? [];
  nonce = ofFlow;
  const query = `code=the-code&state=${state}&iss=${encodeURIComponent(issuer)}`;
  const finish = async (sent = query, headers: Readonly<Record<string, string>> = client) => {
    const { status, body } = await callConsole(
      server,
      "oidcReturn",
      { query: sent },
      { Cookie: cookie, ...headers },
    );
    return [status, body.meta.error_type] as const;
  };
  return { begun, state, query, finish };
}

/** Signs in, with other claims. */
async function signIn(changed: Claims, link?: string) {
  answer = (res, claims) => tokens(res, { ...claims, ...changed });
  return (await start(link)).finish();
}

const opened = [200, undefined];
const refused = [401, "identity_refused"];
const unavailable = [409, "oidc_unavailable"];

/** Why the last sign-in was refused, of the log. Each line has this alone beside what each line has. */
function lastReason(): unknown {
  const line = server.logLines.findLast(({ msg }) => msg === "sign-in refused");
  if (line !== undefined) expect(Object.keys(line)).toEqual(["level", "time", "request_id", "reason", "msg"]);
  return line?.reason;
}

/** The errors of one sign-in in the log, each with its code. */
async function logged(work: () => Promise<unknown>): Promise<readonly unknown[]> {
  const before = server.logLines.length;
  await work();
  const lines = server.logLines.slice(before).filter(({ level }) => Number(level) >= 50);
  return lines.map(({ msg, err }) => [msg, Object(err).code]);
}

describe("an ID token", () => {
  test.each<readonly [string, () => Claims, readonly unknown[], string]>([
    ["for another client", () => ({ aud: "other" }), refused, "ID token: aud"],
    ["for two, without who may use it", () => ({ aud: ["kalends", "other"] }), refused, "ID token: aud"],
    [
      "for two, used by the other",
      () => ({ aud: ["kalends", "other"], azp: "other" }),
      refused,
      "ID token: azp",
    ],
    ["for us, used by another", () => ({ azp: "other" }), refused, "ID token: azp"],
    ["for two, used by us", () => ({ aud: ["kalends", "other"], azp: "kalends" }), opened, ""],
    ["that has expired", () => ({ exp: seconds() - 100 }), refused, "ID token: exp"],
    ["of another issuer", () => ({ iss: "https://other.example" }), refused, "ID token: iss"],
    ["of another sign-in", () => ({ nonce: "x".repeat(43) }), refused, "ID token: nonce"],
    ["of who was not invited", () => ({ sub: "eve" }), [401, "identity_unknown"], "not invited"],
    ["of another case", () => ({ sub: "Ada" }), [401, "identity_unknown"], "not invited"],
    ["with the longest subject", () => ({ sub: "x".repeat(255) }), [401, "identity_unknown"], "not invited"],
    ["with a longer subject", () => ({ sub: "x".repeat(256) }), unavailable, ""],
    ["with a subject that is not ASCII", () => ({ sub: "ad\u0000a" }), unavailable, ""],
    ["with no subject", () => ({ sub: "" }), unavailable, ""],
  ])("%s", async (_title, changed, expected, reason) => {
    expect(await signIn(changed())).toEqual(expected);
    if (reason !== "") expect(lastReason()).toBe(reason);
  });

  test("of another person, by a link, is refused, and the link is not used up", async () => {
    const { link } = await newPerson(server, (await server.account()).id);
    expect(await signIn({}, link)).toEqual([401, "identity_unknown"]);
    expect(lastReason()).toBe("of another person");
    expect((await callConsole(server, "sessionOpen", { link })).status).toBe(200);
  });
});

describe("a provider that fails", () => {
  const failing: readonly (readonly [string, Answer, string])[] = [
    ["signs nothing", (res, claims) => tokens(res, claims, "none"), "OAUTH_INVALID_RESPONSE"],
    ["signs by another key", (res, claims) => tokens(res, claims, 1, 0), "OAUTH_INVALID_RESPONSE"],
    ["signs by the secret", (res, claims) => tokens(res, claims, "HS256"), "OAUTH_INVALID_RESPONSE"],
    [
      "sends no ID token",
      (res) => json(res, { access_token: "x", token_type: "Bearer" }),
      "OAUTH_INVALID_RESPONSE",
    ],
    ["closes the connection", (res) => res.destroy(), "undefined"],
    ["has an error", (res) => json(res, {}, 500), "OAUTH_RESPONSE_IS_NOT_CONFORM"],
    ["does not know the secret", (res) => json(res, { error: "invalid_client" }, 400), "invalid_client"],
    [
      "leads elsewhere",
      (res) => void res.writeHead(307, { Location: `${issuer}/private` }).end(),
      "OAUTH_RESPONSE_IS_NOT_CONFORM",
    ],
  ];
  test.each(failing)("and %s is logged once, without what was sent", async (_title, fails, code) => {
    const { finish } = await start();
    answer = fails;
    const lines = await logged(async () => expect(await finish()).toEqual(unavailable));
    expect(lines).toEqual([["oidc_unavailable", code === "undefined" ? undefined : code]]);
    for (const hidden of ["the-code", secret, "private"]) expect(server.logText()).not.toContain(hidden);
    expect(requests).not.toContain("/private");
  });

  test("and sends 64 MiB is not read to the end", async () => {
    let sent = 0;
    const { finish } = await start();
    answer = (res) => {
      const part = Buffer.alloc(1 << 20, "x");
      const write = (): void => {
        while (sent < 64 && !res.destroyed) {
          sent++;
          if (!res.write(part)) return void res.once("drain", write);
        }
        res.end();
      };
      res.writeHead(200, { "Content-Type": "application/json" });
      write();
    };
    expect(await finish()).toEqual(unavailable);
    expect(sent).toBeLessThan(64);
  });

  test("and is away is logged, and asked again by the next sign-in; so are its keys when it has other ones", async () => {
    const { finish } = await start();
    answer = (res, claims) => tokens(res, claims, 1);
    expect(await finish(), "a key that it did not have").toEqual(unavailable);
    isAway = true;
    const lines = await logged(async () => {
      const { begun } = await start();
      expect([begun.status, begun.body.meta.error_type]).toEqual(unavailable);
    });
    expect(lines).toEqual([["oidc_unavailable", "OAUTH_RESPONSE_IS_NOT_CONFORM"]]);
    isAway = false;
    published = 1;
    expect(await (await start()).finish()).toEqual(opened);
    expect(await signIn({}), "the key of before").toEqual(unavailable);
    published = 0;
  });
});

describe("what a browser brings back", () => {
  const changes: readonly (readonly [string, (query: string) => string, string])[] = [
    [
      "with another state",
      (query) => query.replace(/state=[^&]+/, `state=${"x".repeat(43)}`),
      "state or issuer",
    ],
    ["without a state", (query) => query.replace(/&state=[^&]+/, ""), "state or issuer"],
    ["of another issuer", (query) => query.replace(/iss=.+/, "iss=https://other.example"), "state or issuer"],
    ["without an issuer", (query) => query.replace(/&iss=.+/, ""), "state or issuer"],
    ["of two issuers", (query) => `${query}&iss=x`, "query"],
    ["without a code", (query) => query.replace("code=the-code", "x=y"), "query"],
    ["with an error", (query) => `${query}&error=server_error`, "error: server_error"],
    ["with what is no error", (query) => `${query}&error=<b>Ada</b>`, "query"],
    ["with a token", (query) => `${query}&id_token=x`, "query"],
  ];
  test.each(changes)(
    "%s is refused before the provider is asked, and is not its failure",
    async (_title, change, reason) => {
      const { finish, query } = await start();
      requests.length = 0;
      const lines = await logged(async () => expect(await finish(change(query))).toEqual(refused));
      expect([lines, requests, lastReason()]).toEqual([[], [], reason]);
    },
  );

  test("is refused when the code counts no more, or to another browser", async () => {
    const [one, other] = [await start(), await start()];
    answer = (res) => json(res, { error: "invalid_grant" }, 400);
    expect(await logged(async () => expect(await other.finish()).toEqual(refused))).toEqual([]);
    expect(lastReason()).toBe("invalid_grant");
    expect(await other.finish(one.query)).toEqual(refused);
    expect(await one.finish(one.query, { Cookie: "kalends=x" })).toEqual(refused);
    expect(lastReason()).toBe("no cookie");
  });

  test("is taken 30 times a minute of one network, and so are sign-ins begun: then no one asks the provider", async () => {
    const address = (n: number) => ({ "X-Forwarded-For": `2001:db8:ffff:1::${n.toString(16)}` });
    const { finish, query } = await start();
    answer = (res) => json(res, {}, 500);
    requests.length = 0;
    const outcomes: unknown[] = [];
    for (let n = 1; n <= 35; n++) {
      outcomes.push((await finish(query, address(n)))[1]);
      outcomes.push((await start(undefined, address(n))).begun.body.meta.error_type);
    }
    expect(outcomes.filter((type) => type === "rate_limited")).toHaveLength(10);
    expect(requests.filter((path) => path === "/token")).toHaveLength(30);
    const { link } = await newPerson(server, (await server.account()).id);
    expect((await callConsole(server, "sessionOpen", { link }, address(1))).status).toBe(200);
  });
});

test("the provider is shown by the name that it was given", async () => {
  expect((await callConsole(server, "sessionWays")).body.oidc).toBe("Town");
});
