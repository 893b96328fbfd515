import { afterAll, expect, test } from "vitest";
import { listChecks } from "@kalends/conformance";
import { checks, extensionChecks } from "../../packages/conformance/src/checks/index.js";
import { contractNames, operations } from "../../packages/conformance/src/engine/operations.js";
import { faults, judge, stopServers } from "./faults/gate.js";
import type { Planted } from "./faults/proxy.js";

// Runs on servers with faults: what a failure shows, and what the profile `extensions` judges, when it is requested, and when it says that
// there is nothing to judge.

afterAll(stopServers);

const profiles = ["extensions"];
const document = "/openapi-kalends.json";

/** A server that answers the request for the document of the extensions so. */
const answering = (status: number, body: string): Planted => ({
  clause: "docs/extensions.md#x1.1",
  title: "the document is answered in another way",
  send: (answered, { path }) => (path === document ? { ...answered, status, body } : answered),
});

test("a run that does not ask for the extensions has the checks of the contract alone", async () => {
  const ofContract = listChecks().filter(({ profile }) => profile !== "extensions");
  const asked: string[] = [];
  const planted = {
    ...answering(500, "{}"),
    ask: ({ path }: { readonly path: string }) => void asked.push(path),
  };
  for (const options of [{ readOnly: true, skip: ["*.*.*"] }, { only: ["*.no-extension"] }]) {
    const { checks, results } = await judge([planted], options);
    expect(checks).toBe(ofContract.length);
    expect(results.filter(({ profile }) => profile === "extensions")).toEqual([]);
  }
  expect(asked).toContain("calendars/list");
  expect(asked).not.toContain(document);
});

test("where the document is not served every check is skipped and says why, and nothing is sent but that", async () => {
  const asked: string[] = [];
  const planted = {
    ...answering(404, "{}"),
    ask: ({ path }: { readonly path: string }) => void asked.push(path),
  };
  const alone = await judge([planted], { profiles });
  const reason = "the server has no extensions: /openapi-kalends.json is not served (HTTP 404)";
  expect(new Set(alone.results.map((result) => `${result.status}: ${result.reason ?? ""}`))).toEqual(
    new Set([`skipped: ${reason}`]),
  );
  expect(alone).toMatchObject({ verdict: "nothing-judged", exitCode: 3 });
  expect(asked.filter((path) => !path.startsWith("calendars/"))).toEqual([document]);
  const beside = await judge([planted], { only: ["extensions.*", "timezones.version"] });
  expect(beside.verdict).toBe("conforms");
  expect(beside.summary).toContain(`${alone.results.length} not tested`);
  const complete = { only: ["extensions.*"], requireComplete: true };
  expect((await judge([planted], complete)).verdict).toBe("nothing-judged");
});

test.each([
  ["an error of the server", 500, '{"meta":{"code":"500"}}'],
  ["no right to see it", 403, '{"meta":{"code":"403"}}'],
  ["a page instead of JSON", 200, "<h1>Welcome</h1>"],
  ["a redirect", 302, ""],
])("%s in place of the document fails every check, with one cause", async (_title, status, body) => {
  const { verdict, results } = await judge([answering(status, body)], { profiles });
  expect(verdict).toBe("fails");
  expect(new Set(results.map((result) => `${result.status}: ${result.cause ?? ""}`))).toEqual(
    new Set([`failed: ${document}: HTTP ${status}`]),
  );
});

test("a server that does not answer the request for the document fails the checks, too", async () => {
  const only = ["extensions.document", "extensions.eventsDetails"];
  const planted = { ...answering(200, ""), silentAt: document };
  // What is answered must be so within the limit on a busy machine, too.
  const { verdict, results } = await judge([planted], { only, timeoutMs: 4_000 });
  expect(verdict).toBe("fails");
  for (const { status, cause } of results) {
    expect(status).toBe("failed");
    expect(cause).toBe("no answer: no complete answer within 4000 ms");
  }
});

test("a read-only run sends no write of the extensions", async () => {
  const methods: string[] = [];
  const planted = {
    ...answering(200, "{}"),
    send: undefined,
    ask: ({ method }: { readonly method: string }) => void methods.push(method),
  };
  const { results } = await judge([planted], { profiles, readOnly: true });
  const reading = extensionChecks.filter(({ needs }) => needs.writes === false).map(({ id }) => id);
  expect(results.filter(({ status }) => status === "passed").map(({ id }) => id)).toEqual(reading);
  expect(new Set(methods)).toEqual(new Set(["GET"]));
});

test("every check that fails shows the exchange that failed, to try by hand", async () => {
  const { results } = await judge(
    ["M24", "M30", "M31", "M57", "K17", "K23"].flatMap((id) => faults[id] ?? []),
  );
  const failed = results.filter(({ status }) => status === "failed");
  expect(failed.length).toBeGreaterThan(20);
  expect(failed.map(({ profile }) => profile)).toContain("schemas");
  for (const { id, message, exchanges } of failed) {
    expect(message, id).toMatch(/\ncurl -sS .*'http:/s);
    expect(exchanges.length, id).toBeGreaterThan(0);
    const own = pathsOf(id);
    if (own.length > 0)
      expect(
        own.some((path) => shownPaths(message).includes(path)),
        `${id}: ${message}`,
      ).toBe(true);
  }
  // What a shared preparation created, a form of it that is wrong in the list, and one of many answers that are held against a sentence.
  const byId = new Map(failed.map(({ id, message }) => [id, shownPaths(message)]));
  expect(byId.get("events.create.fields")).toEqual([operations.createEvent.path]);
  expect(byId.get("events.list.fields")).toEqual([operations.listEvents.path]);
  expect(byId.get("calendars.create.timezone")).toEqual([operations.createCalendar.path]);
  expect(byId.get("calendars.save.empty-timezone")).toEqual([
    operations.saveCalendar.path,
    operations.listCalendars.path,
  ]);
});

/** The paths of the operations whose sections a check holds. */
function pathsOf(id: string): readonly string[] {
  const held = checks.find((check) => check.id === id)?.covers.map((clause) => clause.split(" ")[0]) ?? [];
  return contractNames
    .filter((name) => held.includes(operations[name].section))
    .map((name) => operations[name].path);
}

/** The paths of the curl lines in a message. */
function shownPaths(message = ""): readonly string[] {
  return [...message.matchAll(/'http:\/\/[^/']+(\/[^?']*)/g)].map(([, path = ""]) => path);
}
