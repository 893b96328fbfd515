import { createFakeServer } from "@kalends/client/testing";
import { allOperations } from "@kalends/spec";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestServer, type TestServer } from "../../apps/server/test/harness.js";
import { type EdgeRequest, edgeRequests } from "./edges.js";

// The fake and the server receive the same requests at the edges of the schemas; status, error and failing parameters must be equal.

/** The same in each run; KALENDS_SEED sets another one. */
const seed = Number(process.env["KALENDS_SEED"] ?? 27);
const total = Number(process.env["KALENDS_EDGES"] ?? 500);

interface Side {
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
  readonly base: string;
  readonly token: string;
}

type Made = Readonly<Record<string, string>>;

let server: TestServer;
let sides: readonly [server: Side, fake: Side];

beforeAll(async () => {
  server = await startTestServer();
  const fake = createFakeServer({ clock: () => new Date(server.now * 1000) });
  const { token } = await server.account();
  sides = [
    { fetch, base: server.url, token },
    { fetch: fake.fetch, base: fake.baseUrl, token: fake.token },
  ];
});
afterAll(() => server.stop());

test(
  `${total} requests at the edges of the schemas have the same outcome`,
  { timeout: 600_000 },
  async () => {
    const outcomes = new Map<string, number>();
    const differences: unknown[] = [];
    for (const request of edgeRequests(total, seed)) {
      const [expected, found] = [await outcome(sides[0], request), await outcome(sides[1], request)];
      const kind = said({ ...expected, parameters: [] });
      outcomes.set(kind, (outcomes.get(kind) ?? 0) + 1);
      if (JSON.stringify(expected) !== JSON.stringify(found))
        differences.push({ request: shown(request), server: said(expected), fake: said(found) });
    }
    process.stdout.write(`${JSON.stringify(Object.fromEntries(outcomes))}\n`);
    expect(differences).toEqual([]);
    // Outcomes may be equal for want of a right request, or of a wrong one.
    for (const kind of ["200", "400 parameter_invalid", "400 parameter_missing", "400 if_match_invalid"])
      expect(outcomes.get(kind), kind).toBeGreaterThan(total / 100);
  },
);

function shown({ id, method, body, pairs, headers, token }: EdgeRequest): string {
  const values = pairs.map(([name, value]) => `${name}=${JSON.stringify(value.slice(0, 80))}`);
  return `${method} ${id} ${body} ${token} ${JSON.stringify(headers)} ${values.join(" ")}`;
}

interface Outcome {
  readonly status: number;
  readonly error: string;
  readonly parameters: readonly string[];
}

const said = ({ status, error, parameters }: Outcome): string =>
  `${status} ${error} ${parameters.join()}`.trim();

/** Makes what the request is about, sends it, and removes what was made. */
async function outcome(side: Side, request: EdgeRequest): Promise<Outcome> {
  const made = await prepared(side, request);
  const { path } = allOperations[request.id];
  const pairs = request.pairs.map(([name, value]): [string, string] => [name, made[value] ?? value]);
  const token = { valid: side.token, wrong: "wrong", none: "" }[request.token];
  const headers: Record<string, string> = {
    ...request.headers,
    ...(token === "" ? {} : { Authorization: `Bearer ${token}` }),
  };
  const { status, meta } = await answer(side, path, { ...request, pairs, headers });
  await post(side, "/api/v1/calendars/delete/", { calendar_id: made["CALENDAR"] ?? "" });
  const parameters = (meta.errors ?? []).map(({ parameter }) => parameter).toSorted();
  return { status, error: meta.error_type ?? "", parameters };
}

interface Meta {
  readonly error_type?: string;
  readonly errors?: readonly { readonly parameter: string }[];
}

async function answer(
  { fetch, base }: Side,
  path: string,
  { method, body, pairs, headers }: Pick<EdgeRequest, "method" | "body" | "pairs" | "headers">,
): Promise<{ readonly status: number; readonly meta: Meta }> {
  const form = new URLSearchParams(pairs.map(([name, value]): [string, string] => [name, value])).toString();
  const isRepeated = new Set(pairs.map(([name]) => name)).size < pairs.length;
  const inQuery = method === "GET" || body === "query";
  const url = `${base}${path}${inQuery && form !== "" ? `?${form}` : ""}`;
  const isJson = body === "json" && !isRepeated;
  const type = isJson ? "application/json" : "application/x-www-form-urlencoded";
  const init = inQuery
    ? { method, headers }
    : {
        method,
        headers: { ...headers, "Content-Type": type },
        body: isJson ? JSON.stringify(Object.fromEntries(pairs)) : form,
      };
  const response = await fetch(url, init);
  const { meta }: { meta: Meta } = JSON.parse(await response.text());
  return { status: response.status, meta };
}

// oxlint-disable-next-line typescript/no-explicit-any -- looks into bodies whose shape the parity tests compare
async function post({ fetch, base, token }: Side, path: string, params: Made): Promise<any> {
  const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/json" };
  const response = await fetch(`${base}${path}`, { method: "POST", headers, body: JSON.stringify(params) });
  return JSON.parse(await response.text());
}

/** A calendar with eight colours, and in it what the operation needs. */
async function prepared(side: Side, { id }: EdgeRequest): Promise<Made> {
  const extensions = "/api/kalends/v1/";
  const fields = { title: "Town", timezone: "America/New_York", palette_id: "2" };
  const { calendar } = await post(side, "/api/v1/calendars/create/", fields);
  const calendar_id = String(calendar.id);
  const event = { calendar_id, title: "Council", start_date: "2026-07-04T13:30" };
  const needs = allOperations[id].params.shape;
  const made: Record<string, string> = { CALENDAR: calendar_id };
  if ("event_id" in needs) {
    const rrule = "FREQ=WEEKLY;COUNT=3";
    const { event_ids } = await post(side, `${extensions}events/series/create/`, { ...event, rrule });
    made["EVENT"] = String(event_ids[1]);
  }
  const headers = { Authorization: `Bearer ${side.token}` };
  const listed = await side.fetch(`${side.base}${extensions}webhooks/list/`, { headers });
  const { webhooks }: { webhooks: { id: string }[] } = JSON.parse(await listed.text());
  for (const webhook of webhooks)
    await post(side, `${extensions}webhooks/delete/`, { webhook_id: webhook.id });
  if ("webhook_id" in needs || "delivery_id" in needs) {
    const { webhook } = await post(side, `${extensions}webhooks/create/`, {
      url: "https://hooks.example.com/",
    });
    made["WEBHOOK"] = webhook.id;
    const { delivery } = await post(side, `${extensions}webhooks/test/`, { webhook_id: webhook.id });
    made["DELIVERY"] = delivery.id;
  }
  return made;
}
