import { inspect } from "node:util";
import { afterEach, describe, expect, test, vi } from "vitest";
import { createExtensionsClient } from "../src/extensions/index.js";
import { createCalendarClient, type CalendarClient } from "../src/index.js";
import { cut, html, json, silent, startScriptedServer, type Step } from "./scripted-server.js";

const token = "canary/7f3a+token=~x!";
const forms = [token, encodeURIComponent(token), "canary%2F7f3a", "canary\\/7f3a", "canary", "7f3a"];
const params = { title: "Concerts", timezone: "Europe/Paris" };

/** Sends back what it was sent, wherever it can. */
const echo =
  (status: number): Step =>
  (response, { url = "", headers, body }) => {
    const said = `${url} ${decodeURIComponent(url)} ${String(headers.authorization)} ${body}`;
    const meta = { code: String(status), error_type: said, error_message: said, request_id: said };
    response.writeHead(status, { "X-Request-Id": encodeURI(said), "Content-Type": "application/json" });
    const errors = [{ parameter: said, message: said }];
    response.end(JSON.stringify({ meta: { ...meta, errors } }).replaceAll("/", "\\/"));
  };

const echoHeader: Step = (response, { headers, url = "" }) => {
  response.writeHead(502, { "X-Request-Id": `${String(headers.authorization)} ${url}` }).end("<html>");
};

const steps: readonly (readonly [string, Step])[] = [
  ["an echo as 400", echo(400)],
  ["an echo as 503", echo(503)],
  ["an echo as a success", echo(200)],
  ["an echo in a header", echoHeader],
  ["an echo that is not JSON", (response, { url }) => void response.end(`${url} ${token}`)],
  ["HTML", html(502)],
  ["a cut connection", cut],
  ["silence", silent],
  [
    "a redirect into nothing",
    (response) => void response.writeHead(302, { Location: `http://127.0.0.1:1/?t=${token}` }).end(),
  ],
  ["a payload in another form", json(200, { meta: { code: "200" }, calendars: token })],
];

describe.each(["header", "query"] as const)(
  "the token in the %s is in no part of the error, nor in the console, after",
  (tokenIn) => {
    afterEach(() => vi.restoreAllMocks());

    test.each(steps)("%s", async (_title, step) => {
      const printed = [vi.spyOn(console, "log"), vi.spyOn(console, "error"), vi.spyOn(console, "warn")];
      await using server = await startScriptedServer(step);
      const client = createCalendarClient({
        baseUrl: server.url,
        token,
        tokenIn,
        retries: 1,
        timeoutMs: 150,
      });
      const calls = [
        () => client.calendars.create(params),
        () => client.calendars.list().pages()[Symbol.asyncIterator]().next(),
        () => client.raw.GET("/api/v1/calendars/list/"),
        () => client.raw.POST("/api/v1/calendars/delete/", { body: { calendar_id: "1" } }),
      ];
      for (const call of calls) {
        const outcome = await call().catch((thrown: unknown) => thrown);
        if (outcome instanceof Error) expectHidden(outcome);
        else expectHidden(Reflect.get(Object(outcome), "error"));
      }
      for (const spy of printed) expect(spy).not.toHaveBeenCalled();
    });
  },
);

test("the token is not in a client that is printed", () => {
  const client: CalendarClient = createCalendarClient({ baseUrl: "https://example.com", token });
  expectHidden(client);
});

test("an error of the caller's own fetch, which holds the request, shows no token", async () => {
  for (const tokenIn of ["header", "query"] as const) {
    const client = createCalendarClient({
      baseUrl: "https://example.com",
      token,
      tokenIn,
      fetch: async (request) => {
        const cause = Object.assign(new Error(`${request.url} ${token}`), { request });
        throw Object.assign(new Error(token, { cause }), { request });
      },
    });
    const error = await client.calendars.create(params).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ kind: "network" });
    expectHidden(error);
  }
});

describe("a token that no header can carry is refused unseen, with what is wrong with it", () => {
  const blank = "has a blank or a line break";
  const odd = 'has a character that is not visible ASCII, or " or \\';
  const bad = [
    ["", "is empty"],
    ["canary\n", blank],
    ["canary two", blank],
    ['canary"', odd],
    ["canary\\", odd],
    ["canaryü", odd],
  ] as const;

  test.each(bad)("%j of the options", (token, wrong) => {
    expect(() => createCalendarClient({ baseUrl: "https://example.com", token })).toThrow(
      new TypeError(`token: ${wrong}`),
    );
  });

  test.each(bad)("%j of a function", async (token, wrong) => {
    const client = createCalendarClient({ baseUrl: "https://example.com", token: async () => token });
    await expect(client.calendars.delete("1")).rejects.toThrow(new TypeError(`token(): ${wrong}`));
  });

  test("none", async () => {
    const client = createCalendarClient({ baseUrl: "https://example.com" });
    await expect(client.calendars.delete("1")).rejects.toThrow(new TypeError("token: is missing"));
  });
});

test.each(["/api/v1", "/api/v1/", "/kalends/api/v1", "/api/kalends/v1", "/api/v1/calendars/list/"])(
  "a base address with %s is refused, with what to leave out",
  (path) => {
    for (const create of [createCalendarClient, createExtensionsClient])
      expect(() => create({ baseUrl: `https://example.com${path}`, token })).toThrow(
        new TypeError(`baseUrl: leave out ${path.includes("kalends/v1") ? "/api/kalends/v1" : "/api/v1"}`),
      );
  },
);

test("a base address with a secret in it is refused unseen", () => {
  const addresses = [
    "https://canary:7f3a@example.com",
    "https://example.com?token=canary",
    "https://example com/canary",
    "https://example.com:99999/canary",
    "canary",
  ];
  for (const baseUrl of addresses) {
    const thrown = refusal(() => createCalendarClient({ baseUrl }));
    expect(thrown).toEqual(new TypeError("baseUrl: expected https://host/path"));
    expectHidden({ ...Object(thrown), message: String(thrown) });
  }
});

function refusal(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    return error;
  }
}

function expectHidden(value: unknown): void {
  const shown = [
    inspect(value, { depth: 10, showHidden: true }),
    JSON.stringify(value) ?? "",
    String(value),
    value instanceof Error ? `${value.stack} ${inspect(value.cause)} ${JSON.stringify({ ...value })}` : "",
  ].join("\n");
  for (const form of forms) expect(shown).not.toContain(form);
}
