import { describe, expect, test } from "vitest";
import { CalendarApiError, createCalendarClient, type CalendarClientOptions } from "../src/index.js";
import { createExtensionsClient } from "../src/extensions/index.js";
import { calendars, cut, html, json, silent, startScriptedServer } from "./scripted-server.js";

const params = { title: "Concerts", timezone: "Europe/Paris" };
const event = { event_id: 7, title: "Opening night", start_date: "07/04/2026 19:30" };
const answer = json(200, { meta: { code: "200" }, calendar: { id: "1" }, event: { id: 7 }, events: [] });

function client(baseUrl: string, options: Partial<CalendarClientOptions> = {}) {
  return createCalendarClient({ baseUrl, token: "token", ...options });
}

async function errorOf(call: Promise<unknown>): Promise<CalendarApiError> {
  const thrown = await call.catch((reason: unknown) => reason);
  if (thrown instanceof CalendarApiError) return thrown;
  throw new Error("not rejected with a CalendarApiError", { cause: thrown });
}

describe("an Idempotency-Key that the server would refuse", () => {
  const refusal = new TypeError("idempotencyKey: needs 1 to 255 visible ASCII characters");

  test.each([
    ["empty", ""],
    ["a blank", " "],
    ["with a blank", "order 17"],
    ["with a line feed", "order\n17"],
    ["beyond ASCII", "Bestellung-ü"],
    ["of 256 characters", "k".repeat(256)],
  ])("is an error before anything is sent: %s", async (_title, idempotencyKey) => {
    await using server = await startScriptedServer(answer);
    const { calendars, raw } = client(server.url);
    for (const method of ["POST", "GET"] as const)
      await expect(
        client(server.url, { mutationMethod: method }).calendars.create(params, { idempotencyKey }),
      ).rejects.toEqual(refusal);
    await expect(
      client(server.url, { retryWrites: false }).calendars.create(params, { idempotencyKey }),
    ).rejects.toEqual(refusal);
    await expect(calendars.list({}, { idempotencyKey }).toArray()).rejects.toEqual(refusal);
    const headers = { "Idempotency-Key": idempotencyKey };
    await expect(raw.POST("/api/v1/calendars/create/", { body: params, headers })).rejects.toThrow(TypeError);
    expect(server.seen).toEqual([]);
  });

  test("and one of 255 characters is sent", async () => {
    await using server = await startScriptedServer(answer);
    const idempotencyKey = `!~${"k".repeat(253)}`;
    await client(server.url).calendars.create(params, { idempotencyKey });
    expect(server.seen.map(({ headers }) => headers["idempotency-key"])).toEqual([idempotencyKey]);
  });
});

describe("ifMatch", () => {
  test("is sent with a save and a delete of the contract, as the number or the text that was read", async () => {
    await using server = await startScriptedServer(answer);
    const { events } = client(server.url);
    await events.save(event, { ifMatch: "0" });
    await events.save(event, { ifMatch: 3, idempotencyKey: "mine" });
    await events.delete(7, { ifMatch: "12" });
    await events.save(event);
    expect(server.seen.map(({ headers }) => headers["if-match"])).toEqual(['"0"', '"3"', '"12"', undefined]);
  });

  test("rejects with the status 412 and event_changed when another client has saved the event", async () => {
    const meta = { code: "412", error_type: "event_changed", error_message: "The event was changed." };
    await using server = await startScriptedServer(json(412, { meta }));
    const error = await errorOf(client(server.url).events.delete(7, { ifMatch: "1" }));
    expect(error).toMatchObject({ kind: "http", status: 412, errorType: "event_changed" });
  });

  test.each(["", "*", '"3"', "3,4", "-1", "1.5", Number.NaN, null])(
    "is an error before anything is sent when it is no updated_times: %j",
    async (wrong) => {
      await using server = await startScriptedServer(answer);
      const options: object = { ifMatch: wrong };
      const refusal = new TypeError("ifMatch: expected updated_times");
      await expect(client(server.url).events.save(event, options)).rejects.toEqual(refusal);
      expect(server.seen).toEqual([]);
    },
  );
});

describe("an option that does not exist is refused, with its name", () => {
  test.each(["timeout", "baseURL", "Token", "retry", "headers", "__proto__x"])(
    "by the client: %s",
    (name) => {
      const options = { baseUrl: "https://example.com", token: "t", [name]: undefined };
      const refusal = new TypeError(`${name}: unknown option`);
      expect(() => createCalendarClient(options)).toThrow(refusal);
      expect(() => createExtensionsClient(options)).toThrow(refusal);
    },
  );

  test.each(["timeout", "idempotency_key", "ifmatch", "headers", "limit"])(
    "by a call, before anything is sent: %s",
    async (name) => {
      await using server = await startScriptedServer(calendars(["1"]));
      const core = client(server.url);
      const extensions = createExtensionsClient({ baseUrl: server.url, token: "t" });
      const options: object = { [name]: "1" };
      const calls = [
        core.calendars.create(params, options),
        core.calendars.list({}, options).toArray(),
        core.calendars.find("1", options),
        core.events.save(event, options),
        core.events.delete(7, options),
        core.timezones.list(options),
        extensions.calendars.import("1", "", options),
        extensions.events.update(7, {}, options),
        extensions.events.series.delete(7, "all", options),
        extensions.events.follow("1", undefined, options)[Symbol.asyncIterator]().next(),
      ];
      for (const call of calls) await expect(call).rejects.toEqual(new TypeError(`${name}: unknown option`));
      expect(server.seen).toEqual([]);
    },
  );

  test("by toArray: a misspelled limit would read the whole list", async () => {
    await using server = await startScriptedServer(calendars(["1"]));
    const options: object = { max: 1 };
    await expect(client(server.url).calendars.list().toArray(options)).rejects.toEqual(
      new TypeError("max: unknown option"),
    );
    expect(server.seen).toEqual([]);
  });

  test("and each option that exists is accepted, also without a value", async () => {
    await using server = await startScriptedServer(answer);
    const none = {
      tokenIn: undefined,
      mutationMethod: undefined,
      timeoutMs: undefined,
      retries: undefined,
      retryWrites: undefined,
      allowInsecure: undefined,
      onRequest: undefined,
      onResponse: undefined,
      fetch: undefined,
    } satisfies { [Name in Exclude<keyof CalendarClientOptions, "baseUrl" | "token">]: undefined };
    const call = {
      signal: undefined,
      timeoutMs: undefined,
      retries: undefined,
      idempotencyKey: undefined,
      ifMatch: undefined,
    };
    await client(server.url, none).events.save(event, call);
    await createExtensionsClient({ baseUrl: server.url, token: "t", ...none }).events.update(7, {}, call);
    expect(server.seen.map(({ headers }) => headers["if-match"])).toEqual([undefined, undefined]);
  });
});

describe("an error of a write carries the key to repeat it with", () => {
  test.each([
    ["timeout", silent, { timeoutMs: 80 }],
    ["network", cut, { retries: 0 }],
    ["parse", html(200), {}],
  ] as const)("of kind %s", async (kind, step, options) => {
    await using server = await startScriptedServer(step);
    const { calendars } = client(server.url, options);
    const error = await errorOf(calendars.create(params));
    const [sent] = server.seen.map(({ headers }) => headers["idempotency-key"]);
    expect(error).toMatchObject({ kind, idempotencyKey: sent });
    expect(JSON.parse(JSON.stringify(error))).toMatchObject({ kind, idempotencyKey: sent });
    expect(sent).toMatch(/^[!-~]{30,}$/);
    const own = await errorOf(calendars.create(params, { idempotencyKey: "order-17" }));
    expect(own).toMatchObject({ kind, idempotencyKey: "order-17" });
  });

  test("of kind abort, and of kind http", async () => {
    await using server = await startScriptedServer(silent);
    const signal = AbortSignal.abort();
    const aborted = await errorOf(
      client(server.url).calendars.create(params, { signal, idempotencyKey: "a" }),
    );
    expect(aborted).toMatchObject({ kind: "abort", idempotencyKey: "a" });
    await using busy = await startScriptedServer(json(503, { meta: { code: "503" } }));
    const refused = await errorOf(
      client(busy.url, { retries: 0 }).calendars.create(params, { idempotencyKey: "b" }),
    );
    expect(refused).toMatchObject({ kind: "http", status: 503, idempotencyKey: "b" });
  });

  test("and that of a read, or of a write without one, has none", async () => {
    await using server = await startScriptedServer(silent);
    const { calendars } = client(server.url, { timeoutMs: 80, retryWrites: false });
    for (const call of [calendars.list().toArray(), calendars.create(params)])
      expect((await errorOf(call)).idempotencyKey).toBeUndefined();
  });
});

describe("the reason of an abort is the cause of the error", () => {
  test("whether it came before, during, or while it waits for the next attempt", async () => {
    const reason = new Error("the person has left the page");
    await using server = await startScriptedServer(silent);
    const before = client(server.url).calendars.list({}, { signal: AbortSignal.abort(reason) });
    expect((await errorOf(before.toArray())).cause).toBe(reason);
    const during = new AbortController();
    const calls = [
      errorOf(client(server.url).calendars.create(params, { signal: during.signal })),
      errorOf(client(server.url).raw.GET("/api/v1/calendars/list/", { signal: during.signal })),
    ];
    await expect.poll(() => server.seen.length).toBe(2);
    during.abort(reason);
    for (const error of await Promise.all(calls))
      expect([error.kind, error.cause]).toEqual(["abort", reason]);
    await using busy = await startScriptedServer(json(503, {}, { "Retry-After": "60" }));
    const waiting = new AbortController();
    const onResponse = (): void => void setImmediate(() => waiting.abort("enough"));
    const call = client(busy.url, { onResponse }).calendars.create(params, { signal: waiting.signal });
    expect((await errorOf(call)).cause).toBe("enough");
  });

  test("so the time limit of a caller differs from its stop; other errors have no cause", async () => {
    await using server = await startScriptedServer(silent);
    const signal = AbortSignal.timeout(50);
    const late = await errorOf(client(server.url).calendars.list({}, { signal }).toArray());
    expect([late.kind, Object(late.cause).name]).toEqual(["abort", "TimeoutError"]);
    const own = await errorOf(client(server.url, { timeoutMs: 50 }).calendars.list().toArray());
    expect([own.kind, "cause" in own]).toEqual(["timeout", false]);
  });
});
