import type { Participant, Name } from "./rounds.js";
import { ready } from "./rounds.js";
import type { Size } from "./data.js";
import type { Job } from "./jobs.js";
import type { Options } from "./options.js";
import { remote, ownDist, startKalends, startBaseline, startTutorial, type Target } from "./servers.js";
import type { Kind, Store } from "./stores.js";

/** The servers of a run. Servers for read jobs are started on first use and shared by all of them. */
export interface Participants {
  /** Returns the servers of a job, in the order of their rounds. */
  ofJob(job: Job): Promise<readonly Participant[]>;
  /** Stops the baselines of the last job. */
  endJob(): Promise<void>;
  /** Returns the peak resident memory of a server so far, in bytes. */
  peak(name: Name): number;
  close(): Promise<void>;
}

interface Running {
  readonly target: Target;
  readonly stop: () => Promise<void>;
}

/** Prepares the servers of a run on copies of the data in `store`. */
export function openParticipants(store: Store, options: Options): Participants {
  const shared = new Map<string, Promise<Running>>();
  const peaks = new Map<Name, number>();
  let baselines: readonly Target[] = [];

  /** Starts Kalends, another build of it, or the tutorial server on a copy of the data. */
  async function start(name: Name, size: Size, pages: Job["pages"]): Promise<Running> {
    const kind: Kind = name === "tutorial" ? "tutorial" : "kalends";
    const dist = name === "previous" ? (options.previous ?? ownDist) : ownDist;
    const copy = await store.copy(kind, size, dist);
    const target =
      kind === "tutorial"
        ? await startTutorial(copy.url)
        : await startKalends(copy.url, dist, pages === "cached" ? {} : { PAGE_CACHE_MB: "0" });
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

  function participant(name: Name, job: Job): Participant {
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

  const permanent = (name: Name, target: Target): Participant => ({
    name,
    kind: "kalends",
    enter: () => Promise.resolve({ target, leave: () => Promise.resolve() }),
  });

  return {
    ofJob: async (job) => {
      const ours = participant("ours", job);
      const { target, leave } = await ours.enter();
      const { requests, response } = await ready(job, "kalends", target.url);
      await leave();
      const kinds = (["bare", "express"] as const).filter((name) => !options.without.includes(name));
      baselines = await Promise.all(
        kinds.map((kind) => startBaseline(kind, routeOf(requests.paths), response)),
      );
      return [
        ours,
        ...baselines.map((baseline, n) => permanent(kinds[n] ?? "bare", baseline)),
        ...(options.previous === undefined ? [] : [participant("previous", job)]),
        ...(job.id === "J12" || options.without.includes("tutorial") ? [] : [participant("tutorial", job)]),
        ...(options.against === undefined ? [] : [permanent("against", remote(options.against))]),
      ];
    },
    endJob: async () => {
      await Promise.all(baselines.map((baseline) => baseline.stop()));
      baselines = [];
    },
    peak: (name) => peaks.get(name) ?? NaN,
    close: async () => {
      for (const running of shared.values()) await (await running).stop();
      shared.clear();
    },
  };
}

/** Returns an Express route for all paths: the path itself when there is one, otherwise parameters for each segment. */
function routeOf(paths: readonly string[]): string {
  const [first = "/", ...others] = new Set(paths.map((path) => path.replace(/\?.*$/, "")));
  if (others.length === 0) return first;
  return first.replaceAll(/[^/]+/g, (_part, at: number) => `:at${at}`);
}
