import type { Entrant, Name } from "./contest.js";
import { ready } from "./contest.js";
import type { Size } from "./data.js";
import type { Job } from "./jobs.js";
import type { Options } from "./options.js";
import { given, ownDist, startKalends, startRuler, startTutorial, type Target } from "./servers.js";
import type { Kind, Store } from "./stores.js";

/** The servers of a run. Those that only read serve all jobs; they are started when a job first needs them. */
export interface Field {
  /** Who takes part in a job, in the order of their turns. */
  entrants(job: Job): Promise<readonly Entrant[]>;
  /** Ends the rulers of the last job. */
  endJob(): Promise<void>;
  /** The most memory that a server of ours had so far, in bytes. */
  peak(name: Name): number;
  close(): Promise<void>;
}

interface Running {
  readonly target: Target;
  readonly stop: () => Promise<void>;
}

export function openField(store: Store, options: Options): Field {
  const shared = new Map<string, Promise<Running>>();
  const peaks = new Map<Name, number>();
  let rulers: readonly Target[] = [];

  /** Our server (or another build of it) or the tutorial server, on a copy of the data. */
  async function start(name: Name, size: Size, pages: Job["pages"]): Promise<Running> {
    const kind: Kind = name === "tutorial" ? "tutorial" : "kalends";
    const dist = name === "baseline" ? (options.baseline ?? ownDist) : ownDist;
    const copy = await store.copy(kind, size);
    const target =
      kind === "tutorial"
        ? await startTutorial(copy.url)
        : await startKalends(copy.url, dist, pages === "kept" ? {} : { PAGE_CACHE_MB: "0" });
    const stop = async (): Promise<void> => {
      peaks.set(name, Math.max(peaks.get(name) ?? 0, target.memory().peak));
      await target.stop();
      await copy.remove();
    };
    return { target, stop };
  }

  function share(name: Name, { size, pages }: Job): Promise<Running> {
    const key = `${name} ${size} ${name === "tutorial" ? "" : pages}`;
    const running = shared.get(key) ?? start(name, size, pages);
    shared.set(key, running);
    return running;
  }

  function entrant(name: Name, job: Job): Entrant {
    const kind = name === "tutorial" ? "tutorial" : "kalends";
    if (!job.writes) {
      return {
        name,
        kind,
        enter: async () => ({ target: (await share(name, job)).target, leave: () => Promise.resolve() }),
      };
    }
    return {
      name,
      kind,
      enter: async () => {
        const { target, stop } = await start(name, job.size, job.pages);
        return { target, leave: stop };
      },
    };
  }

  const standing = (name: Name, target: Target): Entrant => ({
    name,
    kind: "kalends",
    enter: () => Promise.resolve({ target, leave: () => Promise.resolve() }),
  });

  return {
    entrants: async (job) => {
      const ours = entrant("ours", job);
      const { target, leave } = await ours.enter();
      const { requests, answer } = await ready(job, "kalends", target.url);
      await leave();
      const kinds = (["bare", "express"] as const).filter((name) => !options.without.includes(name));
      rulers = await Promise.all(kinds.map((kind) => startRuler(kind, routeOf(requests.paths), answer)));
      return [
        ours,
        ...rulers.map((ruler, n) => standing(kinds[n] ?? "bare", ruler)),
        ...(options.baseline === undefined ? [] : [entrant("baseline", job)]),
        ...(job.id === "J12" || options.without.includes("tutorial") ? [] : [entrant("tutorial", job)]),
        ...(options.against === undefined ? [] : [standing("against", given(options.against))]),
      ];
    },
    endJob: async () => {
      await Promise.all(rulers.map((ruler) => ruler.stop()));
      rulers = [];
    },
    peak: (name) => peaks.get(name) ?? NaN,
    close: async () => {
      for (const running of shared.values()) await (await running).stop();
      shared.clear();
    },
  };
}

/** The route of all paths: their own where it is one, else one of as many parts. */
function routeOf(paths: readonly string[]): string {
  const [first = "/", ...others] = new Set(paths.map((path) => path.replace(/\?.*$/, "")));
  if (others.length === 0) return first;
  return first.replaceAll(/[^/]+/g, (_part, at: number) => `:at${at}`);
}
