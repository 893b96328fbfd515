import { calendars, tokenOfBench } from "./data.js";
import { median, type Name } from "./contest.js";
import { startKalends, startTutorial } from "./servers.js";
import type { Store } from "./stores.js";
import { ask } from "./wire.js";

/** J9 and J10: what a server takes before anybody asks for much. */
export interface Startup {
  /** From the start of the process to its first 200, in milliseconds: median. */
  readonly firstAnswerMs: number;
  /** Resident memory after that, in bytes: median. */
  readonly idleBytes: number;
}

const idleMs = 1_000;

/** Starts each server some times in turn, on data that was used before. */
export async function measureStartup(
  store: Store,
  names: readonly ("ours" | "tutorial")[],
  starts: number,
): Promise<Partial<Record<Name, Startup>>> {
  const found = new Map<Name, { ms: number; bytes: number }[]>();
  const copies = await Promise.all(
    names.map(async (name) => ({
      name,
      copy: await store.copy(name === "ours" ? "kalends" : name, "small"),
    })),
  );
  for (let n = 0; n < starts; n++) {
    for (const { name, copy } of copies) {
      const started = performance.now();
      const target = await (name === "ours" ? startKalends(copy.url) : startTutorial(copy.url));
      const { status } = await ask(
        `${target.url}/api/v1/calendars/events/list/?token=${tokenOfBench}&calendar_id=${calendars.hundred}`,
      );
      const ms = performance.now() - started;
      if (status !== 200) throw new Error(`${name} answers its first request with ${status}`);
      await new Promise((resolve) => setTimeout(resolve, idleMs));
      found.set(name, [...(found.get(name) ?? []), { ms, bytes: target.memory().now }]);
      await target.stop();
    }
  }
  await Promise.all(copies.map(({ copy }) => copy.remove()));
  return Object.fromEntries(
    [...found].map(([name, all]): [Name, Startup] => [
      name,
      { firstAnswerMs: median(all.map(({ ms }) => ms)), idleBytes: median(all.map(({ bytes }) => bytes)) },
    ]),
  );
}
