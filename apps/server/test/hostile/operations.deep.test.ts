import { operationIds, operations, type OperationId, isWrite, type Operation } from "@kalends/spec";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { flood } from "./attacks.js";
import type { Exchanged, Sent } from "./exchange.js";
import { answerBytesOf, expectBounded, expectRestart, isFull, measure } from "./measure.js";
import { startTarget, type Target } from "./target.js";
import { type Params, worstRequests } from "./worst.js";
import { makeWorld, type World } from "./world.js";

// Kinds: multiply, grow, pretend, order, speak. Every operation of the specification: one that is declared tomorrow is attacked
// the same day.

let target: Target;
let world: World;

beforeAll(async () => {
  target = await startTarget({ settings: { WEBHOOKS_PER_ACCOUNT: "1000", PAGE_SIZE: "100" } });
  world = await makeWorld(target);
});
afterAll(() => target.stop());

/** Ids of what an operation is about. */
function idsOf(id: OperationId): Params {
  const op: Operation = operations[id];
  if (!isWrite(op)) return world.read;
  if (id === "deleteCalendar") return world.lost[0];
  if (id === "removeCalendar") return world.lost[1];
  const { series_event_id: series = "", removed_event_id: removed = "", ...written } = world.written;
  if (id === "removeEvent") return { ...written, event_id: removed };
  if (id === "createSeries") return { ...written, event_id: "" };
  const { purged_event_id: purged = "", ...trashed } = world.trashed;
  if (id === "purgeTrash") return { event_id: purged, calendar_id: "" };
  if (op.tag === "Trash") return trashed;
  return id === "updateSeries" || id === "deleteSeries" ? { ...written, event_id: series } : written;
}

const authorization = (): Readonly<Record<string, string>> => ({
  Authorization: `Bearer ${target.attackerToken}`,
});
const formType = { "Content-Type": "application/x-www-form-urlencoded" };
const jsonType = { "Content-Type": "application/json" };

function encoded(params: Params): string {
  return Object.entries(params)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join("&");
}

/** A request as the operation takes it. */
function sentTo(op: Operation, params: Params): Sent {
  if (!isWrite(op))
    return { path: `${op.path}?${encoded(params)}`.slice(0, 60_000), headers: authorization() };
  return {
    method: "POST",
    path: op.path,
    headers: { ...authorization(), ...jsonType },
    body: JSON.stringify(params),
  };
}

const nested = (depth: number): string => `${"[".repeat(depth)}${"]".repeat(depth)}`;

/** Requests that no operation takes, as large, as many and as nested as they may be. */
function malformed(op: Operation): readonly Sent[] {
  const query = [
    "page=1&".repeat(5_000),
    "&".repeat(60_000),
    `calendar_id[]=1&calendar_id[a][b]=1&__proto__[x]=1`,
    `${"%f0%9d%84%9e".repeat(4_000)}=1`,
  ].map((text): Sent => ({ path: `${op.path}?${text}`, headers: authorization() }));
  if (!isWrite(op)) return query;
  const bodies: readonly (readonly [Readonly<Record<string, string>>, string])[] = [
    [formType, "&".repeat(1_000_000)],
    [formType, "title=1&".repeat(130_000)],
    [formType, `title=${"%F0%9D%84%9E".repeat(80_000)}`],
    [jsonType, `{"title":${nested(500_000)}}`],
    [jsonType, `{${Array.from({ length: 60_000 }, (_, n) => `"${n}":"x"`).join(",")}}`],
    [jsonType, `{"title":"${"\\u0001".repeat(170_000)}"}`],
    [{ "Content-Type": "multipart/form-data; boundary=x" }, "--x\r\n\r\n".repeat(120_000)],
    [jsonType, `"${"x".repeat(1_048_570)}`],
  ];
  return bodies.map(([type, body]): Sent => ({
    method: "POST",
    path: op.path,
    headers: { ...authorization(), ...type },
    body,
  }));
}

/** A body of one byte more than may be. */
function tooLarge(op: Operation): Sent {
  const most = op.file === undefined ? 1_048_576 : 10_000_000;
  return {
    method: "POST",
    path: op.path,
    headers: { ...authorization(), ...jsonType },
    body: `"${"x".repeat(most - 1)}"`,
  };
}

/** The request that was accepted with the most bytes, sent and answered. */
function worstOf(answers: readonly (readonly [Sent, Exchanged])[]): Sent {
  const bytes = ([{ body = "" }, answer]: readonly [Sent, Exchanged]): number =>
    answer.status === 200 ? body.length + answer.bytes : 0;
  const [[worst] = [{ path: "/" }]] = answers.toSorted((one, other) => bytes(other) - bytes(one));
  return worst;
}

/** Deletions come last, since they take away what others are about. */
const deletes = (id: OperationId): number => Number(/^(?:delete|remove)/.test(id));
const ids = operationIds.toSorted((one, other) => deletes(one) - deletes(other));

const [many, connections] = isFull ? [100, 16] : [12, 6];

for (const id of ids) {
  describe(id, () => {
    test("its worst requests stay within its budget, alone and many at once", async (context) => {
      const op: Operation = operations[id];
      const requests = worstRequests(id, idsOf(id)).map((params) => sentTo(op, params));
      const row = await measure(context, target, id, async () => {
        const answers: (readonly [Sent, Exchanged])[] = [];
        for (const sent of [...requests, ...malformed(op)]) answers.push([sent, await target.send(sent)]);
        const worst = worstOf(answers);
        const flooded = await flood(many, connections, () => target.send(worst));
        return [...answers.map(([, answer]) => answer), ...flooded];
      });
      expectBounded(row, answerBytesOf(id));
      expect.soft(row.statuses["200"] ?? 0, "requests that succeeded").toBeGreaterThan(0);
      if (isWrite(op)) expect.soft((await target.send(tooLarge(op))).status, "of a body too large").toBe(413);
    });
  });
}

test("after all of them the server starts again", async (context) => {
  const row = await measure(context, target, "a restart after all operations", () => Promise.resolve([]));
  await expectRestart(context, target, row);
  expect(target.isAlive()).toBe(true);
});
