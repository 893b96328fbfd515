import { once } from "node:events";
import { createServer } from "node:http";
import { run } from "@kalends/conformance";
import { type Operation, type ContractId, contractIds, operations } from "@kalends/spec";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Answer, request } from "../../apps/server/test/harness.js";
import { startJudgedServer } from "../../tests/conformance/our-server.js";
import { type Prism, startPrism } from "./prism.js";
import { published } from "./project.js";
import { type Splitter, startSplitter } from "./splitter.js";

/** Every request of the document. */
const declared = contractIds.flatMap((id) => {
  const op: Operation = operations[id];
  return op.methods.map((method) => ({ name: `${method} ${op.path}`, id, method, op }));
});

let splitter: Splitter;
let judged: Awaited<ReturnType<typeof startJudgedServer>>;
let prism: Prism;

beforeAll(async () => {
  splitter = await startSplitter(new Set(declared.map(({ name }) => name)));
  judged = await startJudgedServer({ PUBLIC_URL: splitter.url });
  prism = await startPrism(["proxy", published("openapi.json"), judged.server.url, "--cors=false"]);
  splitter.connect({ prism: prism.url, server: judged.server.url });
});

afterAll(async () => {
  await prism.stop();
  await judged.stop();
  await splitter.stop();
});

/*
 * A violation is what Prism writes into the header sl-violations of an answer, at a place in the response: a status that
 * the document lacks, a body or a header that breaks its schema. Violations of requests are no fault of the server; the
 * suite sends wrong ones on purpose. What Prism cannot pass on by its nature goes past it: see reasonToBypass.
 */
/** Checks that send hundreds of requests whose responses have one form. */
const manyOfAKind = ["paging.*", "time.*", "text.*", "isolation.*"];

describe("prism proxy in front of the server", () => {
  test("sees no violation while the conformance suite runs, and the suite is green through it", async () => {
    const report = await run({ ...judged.options, baseUrl: splitter.url, skip: manyOfAKind });
    const failed = report.results.filter(({ status }) => status === "failed" || status === "broken");
    expect(failed.map(({ id, message = "" }) => `${id}: ${message}`)).toEqual([]);
    expect(report.verdict).toBe("conforms");
    expect(splitter.violations).toEqual([]);
  });

  test.each(["get", "post"] as const)(
    "sees none on the way from a calendar to its end, by %s",
    async (by) => {
      const calendar = await send("createCalendar", by, operations.createCalendar.example.request);
      const calendar_id = String(calendar.body.calendar.id);
      await send("saveCalendar", by, { ...operations.saveCalendar.example.request, calendar_id });
      const event = await send("createEvent", by, { ...operations.createEvent.example.request, calendar_id });
      const event_id = String(event.body.event.id);
      await send("saveEvent", by, { ...operations.saveEvent.example.request, event_id });
      await send("listTimeZones", "get", {});
      await send("listCalendars", "get", {});
      const lists = ["listEvents", "listInactiveSubscribers", "listBlockedSubscribers"] as const;
      for (const id of lists) await send(id, "get", { calendar_id });
      const followed = { calendar_id: judged.options.subscribersCalendar ?? "" };
      const { body } = await send("listSubscribers", "get", followed);
      await send("getSubscriber", "get", { ...followed, subscriber_id: body.subscribers[0].id });
      await send("deleteEvent", by, { event_id });
      await send("deleteCalendar", by, { calendar_id });
      expect(splitter.violations).toEqual([]);
    },
  );

  test.each(declared)("sees none in the errors of $name", async ({ id, method, op }) => {
    const refused = op.auth === "none" ? 200 : 401;
    expect((await exchange(id, method, op.example.request, "")).status).toBe(refused);
    expect((await exchange(id, method, op.example.request, "kal_wrong")).status).toBe(refused);
    // A control character is refused in any parameter, an unknown one too (rulings R1.4).
    expect((await exchange(id, method, { ...op.example.request, note: "\u0000" })).status).toBe(400);
    expect(splitter.violations).toEqual([]);
  });

  test("saw each request of the document answered, well and badly", () => {
    const through = [...splitter.seen.keys()];
    for (const { name, op } of declared) {
      expect(through).toContain(`${name} 200`);
      expect(through).toContain(`${name} 400`);
      if (op.auth === "token") expect(through).toContain(`${name} 401`);
    }
    const total = [...splitter.seen.values()].reduce((sum, each) => sum + each, 0);
    const past = [...splitter.bypassed.values()].reduce((sum, each) => sum + each, 0);
    expect(total).toBeGreaterThan(1_000);
    expect(past / total).toBeLessThan(0.2);
  });
});

describe("a server that breaks the document behind prism proxy", () => {
  const zone = { label: "Europe/Paris", offset: "01:00" };
  const served = { status: 200, body: {} };
  const broken = createServer((_request, response) => {
    response
      .writeHead(served.status, { "Content-Type": "application/json" })
      .end(JSON.stringify(served.body));
  });
  let proxy: Prism;
  let own: Splitter;

  beforeAll(async () => {
    broken.listen(0, "127.0.0.1");
    await once(broken, "listening");
    const address = broken.address();
    const server = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
    proxy = await startPrism(["proxy", published("openapi.json"), server]);
    own = await startSplitter(new Set(["get /api/v1/timezones"]));
    own.connect({ prism: proxy.url, server });
  });

  afterAll(async () => {
    await own.stop();
    await proxy.stop();
    broken.close();
  });

  test.each([
    {
      title: "a code as string",
      status: 200,
      body: { meta: { code: "200" }, data: [zone] },
      at: "meta.code",
    },
    { title: "a field missing", status: 200, body: { meta: { code: 200 }, data: [{}] }, at: "data.0" },
    { title: "a status that is not declared", status: 402, body: { meta: { code: 402 } }, at: "status" },
  ])("is seen: $title", async ({ status, body, at }) => {
    Object.assign(served, { status, body });
    expect((await request(`${own.url}/api/v1/timezones`)).status).toBe(status);
    expect(own.violations).toContainEqual(
      expect.objectContaining({ status, what: expect.stringContaining(at) }),
    );
  });
});

/** Sends a request that is right; anything but 200 fails the test. */
async function send(id: ContractId, method: "get" | "post", params: Readonly<Record<string, string>>) {
  const answer = await exchange(id, method, params);
  expect(answer.status, answer.text).toBe(200);
  return answer;
}

function exchange(
  id: ContractId,
  method: "get" | "post",
  params: Readonly<Record<string, string>>,
  token = judged.first.token,
): Promise<Answer> {
  const { path, auth }: Operation = operations[id];
  const values = new URLSearchParams(params);
  if (auth === "token" && token !== "") values.set("token", token);
  if (method === "get") return request(`${splitter.url}${path}?${values.toString()}`);
  return request(`${splitter.url}${path}`, { method: "POST", body: values });
}
