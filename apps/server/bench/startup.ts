import { calendars, benchToken } from "./data.js";
import { median, type Name } from "./rounds.js";
import { startKalends, startTutorial } from "./servers.js";
import type { Store } from "./stores.js";
import { send } from "./wire.js";

/** Results of J9 (idle memory) and J10 (startup). */
export interface Startup {
  /** Median time from process start to the first 200, in milliseconds. */
  readonly firstResponseMs: number;
  /** Median resident memory one second later, in bytes. */
  readonly idleBytes: number;
}

const idleMs = 1_000;

/** Starts the servers alternately, `starts` times each, on existing data. */
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
      const { status } = await send(
        `${target.url}/api/v1/calendars/events/list/?token=${benchToken}&calendar_id=${calendars.hundred}`,
      );
      const ms = performance.now() - started;
      if (status !== 200) throw new Error(`${name} returned status ${status} to its first request`);
      await new Promise((resolve) => setTimeout(resolve, idleMs));
      found.set(name, [...(found.get(name) ?? []), { ms, bytes: target.memory().now }]);
      await target.stop();
    }
  }
  await Promise.all(copies.map(({ copy }) => copy.remove()));
  return Object.fromEntries(
    [...found].map(([name, all]): [Name, Startup] => [
      name,
      { firstResponseMs: median(all.map(({ ms }) => ms)), idleBytes: median(all.map(({ bytes }) => bytes)) },
    ]),
  );
}
