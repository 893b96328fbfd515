import { setTimeout as delay } from "node:timers/promises";
import { type Cluster, isReady, isWhole, primary, until } from "./cluster.js";
import { changesPrimary, faults, type Kind } from "./faults.js";
import { judge, longestGap } from "./judge.js";
import { type Load, type Receiver, startLoad } from "./load.js";

/** What is printed of a round. */
export interface Result {
  readonly kind: Kind;
  readonly round: number;
  readonly acknowledged: number;
  readonly lost: number;
  readonly doubled: number;
  readonly untold: number;
  /** Longest times without one, of the server that had the longer one, in seconds. */
  readonly withoutWrites: number;
  readonly withoutLists: number;
  readonly withoutFeeds: number;
  /** Servers that ended, or were not ready soon after the cluster was whole. */
  readonly hands: number;
  /** Responses that neither were a success nor said when to try again. */
  readonly others: number;
  readonly load: Load;
}

/** How long there is load before a fault, and at least after it, in ms. */
const [beforeMs, afterMs] = [4_000, 12_000];

export async function runRound(
  cluster: Cluster,
  kind: Kind,
  round: number,
  receiver: Receiver,
): Promise<Result> {
  const { databases, servers } = cluster;
  await until("the cluster is whole before the round", 120, () => isWhole(databases));
  const load = await startLoad(servers, `${kind}${round}`, receiver);
  try {
    await delay(beforeMs);
    const { name: before } = await primary(databases);
    const from = performance.now();
    const end = await faults[kind](cluster, round);
    await delay(afterMs);
    try {
      await until("both servers take writes again", 60, () => Promise.resolve(takeWrites(load)));
    } finally {
      await end();
    }
    await until("the cluster is whole after the round", 120, () => isWhole(databases));
    const { name: after } = await primary(databases);
    if (changesPrimary(kind, round) && after === before)
      throw new Error(`${before} is still the primary, so nothing has failed.`);
    await delay(3_000);
    const to = performance.now();
    await Promise.race([load.finish(), late(60, "writes are answered")]);
    const hands = await help(cluster);
    return {
      kind,
      round,
      hands,
      ...(await examine(cluster, load)),
      ...gaps(load, from, to),
      others: countOf(load),
      load,
    };
  } finally {
    load.stop();
    for (const [text, count] of load.others) process.stdout.write(`${count} times ${text}\n`);
  }
}

async function late(seconds: number, what: string): Promise<never> {
  await delay(seconds * 1_000, undefined, { ref: false });
  throw new Error(`Not within ${seconds} s: ${what}`);
}

/** Reports whether each server has acknowledged writes within the last second. */
function takeWrites({ successes }: Load): boolean {
  return [...successes.writes.values()].every((moments) => (moments.at(-1) ?? 0) > performance.now() - 1_000);
}

/** Returns how many servers needed a hand, which they get. */
async function help({ servers }: Cluster): Promise<number> {
  let hands = 0;
  for (const { name, url, kalends } of servers) {
    const isWell = await until(`${name} is ready`, 15, () => isReady(url)).then(
      () => true,
      () => false,
    );
    if (isWell) continue;
    hands++;
    if (!kalends.isRunning()) kalends.start();
  }
  return hands;
}

/** Returns the titles that were acknowledged and that the database does not have. */
export async function lostOf({ query }: Cluster, load: Load): Promise<readonly string[]> {
  return judge({ acknowledged: load.acknowledged, stored: await storedOf(query, load), told: [] }).lost;
}

async function storedOf(query: Cluster["query"], { calendarId }: Load): Promise<readonly string[]> {
  const rows = await query(
    `select coalesce(json_agg(title), '[]') from events where calendar_id = ${calendarId}`,
  );
  return JSON.parse(rows);
}

/** Compares what was acknowledged with the database, and, once all of it was told or no more time is left, with the messages. */
async function examine({ query }: Cluster, load: Load) {
  const judged = async () => {
    const stored = await storedOf(query, load);
    return judge({ acknowledged: load.acknowledged, stored, told: load.told });
  };
  await until("every message has arrived", 120, async () => (await judged()).untold.length === 0).catch(
    () => undefined,
  );
  const { lost, doubled, untold } = await judged();
  for (const [what, titles] of Object.entries({ lost, doubled, untold }))
    if (titles.length > 0) process.stdout.write(`${what}: ${titles.slice(0, 5).join(", ")}\n`);
  const acknowledged = load.acknowledged.length;
  return { acknowledged, lost: lost.length, doubled: doubled.length, untold: untold.length };
}

function gaps({ successes }: Load, from: number, to: number) {
  const longest = (kind: keyof typeof successes): number =>
    Math.max(...[...successes[kind].values()].map((moments) => longestGap(moments, from, to)));
  return { withoutWrites: longest("writes"), withoutLists: longest("lists"), withoutFeeds: longest("feeds") };
}

const countOf = ({ others }: Load): number => [...others.values()].reduce((sum, count) => sum + count, 0);
