import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { operations } from "@kalends/spec";
import { describe, expect, test } from "vitest";
import { startNameServer } from "../name-server.js";
import { attempt, flood, newCalendar, onTarget, type Task } from "./attacks.js";
import { expectBounded, expectRestart, measure } from "./measure.js";
import type { Target } from "./target.js";

// Kinds: pretend, fail inside. What a name server says is not for the server to trust, in whatever form it is printed.

/** Addresses that stand for others, or for none. c-ares prints those of ::/96 with an IPv4 address at their end. */
const strange = [
  ...["::7f00:1", "::1", "::", "::ffff:7f00:1", "::ffff:0:7f00:1", "64:ff9b::7f00:1", "2002:7f00:1::"],
  ...["fe80::1", "fec0::1", "fc00::1", "ff02::1", "100::1", "2001::7f00:1", "2001:db8::1", "3fff::1"],
  ...["::5efe:7f00:1", "fe80::5efe:7f00:1", "2001:470::5efe:7f00:1", "::fffe:1", "::ffff:ffff"],
  ...["0.0.0.0", "127.0.0.1", "255.255.255.255", "169.254.169.254", "100.64.0.1", "240.0.0.1"],
];

/** Names in many forms; the server queries the name server for some of them only. */
const hosts = [
  "xn--e1afmkfd.example",
  "пример.example",
  "EXAMPLE。example",
  "ａｂｃ.example",
  "under_score.example",
  `${"a".repeat(63)}.example`,
  `${"a.".repeat(120)}example`,
  "trailing.example.",
  "a%2eb.example",
  "ß.example",
  "xn--0.example",
  "1.2.3.4.5.example",
];

const names = startNameServer((name) => {
  const index = Number(/^a(\d+)\./.exec(name)?.[1]);
  return [strange[index] ?? "::7f00:1"];
});

const settings = { WEBHOOKS_PER_ACCOUNT: "1000" };

async function withWebhooks(target: Target, urls: readonly string[]) {
  return flood(urls.length, 8, (index) =>
    attempt(target, operations.createWebhook.path, { url: urls[index] ?? "" }),
  );
}

/** Waits until a server that lives has asked for a name, or until it lives no more. */
function untilAsked(target: Target, questions: readonly string[], name: string): Promise<void> {
  return expect
    .poll(() => !target.isAlive() || questions.some((each) => each.endsWith(name)), {
      interval: 10,
    })
    .toBe(true);
}

test("webhooks whose names have strange addresses end nothing, nor does a restart while they wait", async (context) => {
  const { address, questions } = await names;
  await onTarget({ nameServer: address, settings }, async (target) => {
    const { id } = await newCalendar(target);
    const row = await measure(context, target, "webhooks with strange addresses", async () => {
      const urls = [
        ...strange.map((_, index) => `https://a${index}.hostile.example/`),
        ...hosts.map((host) => `https://${host}/`),
      ];
      const created = await withWebhooks(target, urls);
      const announced = await attempt(target, operations.createEvent.path, {
        calendar_id: id,
        title: "Announced",
        start_date: "07/04/2030 10:00",
      });
      for (const index of strange.keys()) await untilAsked(target, questions, `a${index}.hostile.example`);
      return [...created, announced];
    });
    expectBounded(row);
    await expectRestart(context, target, row, 1_000);
  });
});

/** Attacks by a sync of a file, and by restarts while it waits. */
async function attackBySync(context: Task, attack: string, url: string, host: string): Promise<void> {
  const { address, questions } = await names;
  await onTarget({ nameServer: address }, async (target) => {
    const { id } = await newCalendar(target);
    const row = await measure(context, target, attack, async () => {
      await target.command("call", "createSync", "--calendar_id", id, "--url", url);
      await untilAsked(target, questions, host);
      await livesFor(target, 500);
      return [];
    });
    expectBounded(row);
    await expectRestart(context, target, row, 2_000); // a job later
  });
}

describe("a synced file", () => {
  test("whose host has a strange address ends nothing", async (context) => {
    const host = "synced.hostile.example";
    await attackBySync(context, "a synced host with the address ::7f00:1", `https://${host}/a.ics`, host);
  });

  test("whose redirect leads to a host with a strange address ends nothing", async (context) => {
    const host = "redirected.hostile.example";
    const redirecting = createServer((_req, res) => {
      res.writeHead(302, { Location: `https://${host}/a.ics` }).end();
    }).listen(0, "127.0.0.1");
    await once(redirecting, "listening");
    const { port }: Partial<AddressInfo> = Object(redirecting.address());
    const url = `https://public.hostile.example:${port}/a.ics`; // see preload.mjs
    await attackBySync(context, "a synced host's redirect to the address ::7f00:1", url, host);
    redirecting.closeAllConnections();
    redirecting.close();
  });
});

/** Whether the process lives all the time. */
async function livesFor(target: Target, ms: number): Promise<boolean> {
  const until = performance.now() + ms;
  while (performance.now() < until && target.isAlive())
    await new Promise((resolve) => setTimeout(resolve, 20));
  return target.isAlive();
}
