import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { operations } from "@kalends/spec";
import { afterAll, beforeAll, expect, test } from "vitest";
import { attempt, flood, newCalendar } from "./attacks.js";
import type { Exchanged } from "./exchange.js";
import { answerBytesOf, expectBounded, expectRestart, isFull, measure, passing } from "./measure.js";
import { startTarget, type Target } from "./target.js";
import { makeWorld, type World } from "./world.js";

// Kind: hold. Clients that never end what they send, or never read what they are sent.

let target: Target;
let world: World;
const sockets: Socket[] = [];

beforeAll(async () => {
  target = await startTarget();
  world = await makeWorld(target, 50);
});
afterAll(() => target.stop());

/** Opens connections that send a text and no more, and read nothing unless told to. */
async function hold(count: number, text: string): Promise<void> {
  const { hostname, port } = new URL(target.url);
  for (let n = 0; n < count; n++) {
    const socket = connect(Number(port), hostname).on("error", () => undefined);
    socket.pause();
    sockets.push(socket);
    await Promise.race([once(socket, "connect"), once(socket, "close")]);
    socket.write(text);
  }
}

function letGo(): void {
  for (const socket of sockets.splice(0)) socket.destroy();
}

const headOf = (method: string, path: string, ...lines: readonly string[]): string =>
  [
    `${method} ${path} HTTP/1.1`,
    "Host: kalends.example",
    `Authorization: Bearer ${target.attackerToken}`,
    ...lines,
  ]
    .concat("", "")
    .join("\r\n");

const none: readonly Exchanged[] = [];

const many = isFull ? 200 : 40;

const held: readonly (readonly [what: string, text: () => string])[] = [
  ["heads that never end", () => "GET / HTTP/1.1\r\nHost: x\r\nX-A: "],
  [
    "uploads that never end",
    () =>
      headOf(
        "POST",
        `${operations.importCalendar.path}?calendar_id=${world.written.calendar_id}`,
        "Content-Type: text/calendar",
        "Content-Length: 900000",
      ) + "BEGIN:VCALENDAR\r\n".repeat(30_000),
  ],
  [
    "forms that never end, in tiny pieces",
    () =>
      headOf(
        "POST",
        operations.addEvent.path,
        "Content-Type: application/x-www-form-urlencoded",
        "Transfer-Encoding: chunked",
      ) + "1\r\nx\r\n".repeat(50_000),
  ],
  [
    "lists of the longest texts that no one reads",
    () => headOf("GET", `${operations.findEvents.path}?calendar_id=${world.read.calendar_id}`),
  ],
  ["pages that no one reads", () => headOf("GET", `/c/${world.address.uniquekey}`).repeat(20)],
];

for (const [what, text] of held) {
  test(`${what} hold nothing that others wait for`, async (context) => {
    const row = await measure(context, target, `${many} ${what}`, async () => {
      await hold(many, text());
      await passing(700);
      return none;
    });
    letGo();
    expectBounded(row, answerBytesOf("findEvents"));
  });
}

test("lists of the longest texts, read by 16 connections at once, are bounded", async (context) => {
  const { calendar_id = "" } = world.read;
  const row = await measure(context, target, "lists of the longest texts, 16 at once", () =>
    flood(isFull ? 160 : 32, 16, (index) =>
      attempt(target, operations.findEvents.path, { calendar_id, page: String(1 + (index % 2)) }),
    ),
  );
  expectBounded(row, answerBytesOf("findEvents"));
});

test("requests that are broken off leave nothing behind", async (context) => {
  const { id } = await newCalendar(target);
  const row = await measure(context, target, "requests that are broken off", async () => {
    await flood(many, 8, async () => {
      await hold(1, headOf("GET", `/c/${world.address.uniquekey}?month=2030-07`));
      letGo();
    });
    return [await attempt(target, operations.findEvents.path, { calendar_id: id })];
  });
  expectBounded(row, answerBytesOf("findEvents"));
  expect.soft(row.statuses).toEqual({ "200": 1 });
  await expectRestart(context, target, row);
});
