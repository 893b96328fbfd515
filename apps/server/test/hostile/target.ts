import { execFile, fork, spawn, type ChildProcess, type ChildProcessByStdio } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Readable, Writable } from "node:stream";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { createTestDatabase } from "../databases.js";
import { freePort } from "../free-port.js";
import { exchange, type Exchanged, type Sent } from "./exchange.js";

/** The built server: of these sources, or another one to compare with. */
const main =
  process.env.KALENDS_HOSTILE_SERVER ?? fileURLToPath(new URL("../../dist/main.js", import.meta.url));
const cli = join(dirname(main), "cli.js");
const preload = new URL("preload.mjs", import.meta.url).href;

const attackerToken = "a-token-of-the-attacker";
const metricsToken = "metrics-token-of-the-ring";

/** How long a server is waited for until /readyz, in ms. */
const readyMs = 30_000;

/** Of times in ms. */
export interface Times {
  readonly count: number;
  readonly median: number;
  readonly worst: number;
}

/** What the neighbour measured. `refused` counts answers other than 200, by what was asked and the status. */
export interface Noticed {
  readonly health: Times;
  readonly write: Times;
  readonly list: Times;
  readonly feed: Times;
  readonly page: Times;
  readonly webhook: Times;
  readonly refused: Readonly<Record<string, number>>;
}

/** A built server in a process of its own, with two accounts. */
export interface Target {
  readonly url: string;
  readonly pid: number;
  readonly attackerToken: string;
  readonly databaseUrl: string;
  /** The end of what the server has written to its log. */
  logText(): string;
  /** Bytes that the server has written to its log. */
  logBytes(): number;
  /** Names of the operations in the access log. */
  readonly logged: ReadonlySet<string>;
  send(sent: Sent): Promise<Exchanged>;
  /** Asks for its metrics. */
  metrics(): Promise<Exchanged>;
  /** Calls an operation of the attacker by its path, which must succeed. */
  call(path: string, params: Readonly<Record<string, string>>): Promise<Answered>;
  /** Starts and ends the neighbour's measurements. */
  watch(): Promise<() => Promise<Noticed>>;
  /** Whether the process has not ended since it was started. */
  isAlive(): boolean;
  /** Ends the process and starts it on the same database. Returns after how many ms it was ready; undefined when it never was. */
  restart(): Promise<number | undefined>;
  command(...args: readonly string[]): Promise<unknown>;
  stop(): Promise<void>;
}

// oxlint-disable-next-line typescript/no-explicit-any -- tests look into bodies whose shape they assert
type Answered = any;

type Process = ChildProcessByStdio<Writable, Readable, Readable>;

/** A running process of the server. */
interface Started {
  readonly child: Process;
  readonly url: string;
}

export interface TargetOptions {
  readonly settings?: Readonly<Record<string, string>>;
  /** Where all names are looked up. */
  readonly nameServer?: string;
  /** Whether the neighbour has a webhook, which needs WEBHOOK_ALLOW_PRIVATE. */
  readonly hasWebhook?: boolean;
}

/** Starts a server on an empty database, and the neighbour beside it. */
export async function startTarget(options: TargetOptions = {}): Promise<Target> {
  const database = await createTestDatabase("empty", "strict");
  const folder = mkdtempSync(join(tmpdir(), "kalends-hostile-"));
  const environment = {
    PATH: process.env.PATH,
    HOME: folder,
    PORT: String(await freePort()), // the same after a restart
    DATABASE_URL: database.url,
    CALENDAR_TOKEN: attackerToken,
    METRICS_TOKEN: metricsToken,
    ...(options.hasWebhook === true ? { WEBHOOK_ALLOW_PRIVATE: "on" } : {}),
    ...(options.nameServer === undefined ? {} : { HOSTILE_NAME_SERVER: options.nameServer }),
    ...options.settings,
  };
  const log = { text: "", bytes: 0, operations: new Set<string>() };
  let running = await start(environment, folder, log);
  let neighbour: Neighbour | undefined;

  const command = async (...args: readonly string[]): Promise<unknown> => {
    const { stdout } = await promisify(execFile)(process.execPath, [cli, ...args, "--json"], {
      cwd: folder,
      env: { ...environment, CALENDAR_TOKEN: undefined },
    });
    return JSON.parse(stdout);
  };
  const isAlive = (): boolean => running.child.exitCode === null && running.child.signalCode === null;
  const send = (sent: Sent): Promise<Exchanged> => exchange(running.url, sent);
  const call = async (path: string, params: Readonly<Record<string, string>>): Promise<Answered> => {
    const { status, text } = await send(callOf(path, params, attackerToken));
    if (status !== 200) throw new Error(`${path}: ${status} ${text.slice(0, 500)}`);
    return JSON.parse(text);
  };
  try {
    neighbour = await moveIn(running.url, options.hasWebhook === true, command);
  } catch (error) {
    await end(running.child, "SIGKILL");
    throw error;
  }
  const stop = async (): Promise<void> => {
    neighbour?.process.disconnect();
    await end(running.child, "SIGKILL");
    await database.remove();
    rmSync(folder, { recursive: true, force: true });
  };
  return {
    get url() {
      return running.url;
    },
    get pid() {
      return running.child.pid ?? 0;
    },
    attackerToken,
    databaseUrl: database.url,
    logText: () => log.text,
    logBytes: () => log.bytes,
    logged: log.operations,
    send,
    metrics: () => send({ path: "/metrics", headers: { Authorization: `Bearer ${metricsToken}` } }),
    call,
    watch: () => watch(neighbour),
    isAlive,
    restart: async () => {
      await end(running.child, "SIGTERM");
      const began = performance.now();
      const next = await start(environment, folder, log).catch(() => undefined);
      if (next === undefined) return undefined;
      running = next;
      return Math.round(performance.now() - began);
    },
    command,
    stop,
  };
}

/** A call by POST where it writes; a path of a list is read by GET. */
export function callOf(
  path: string,
  params: Readonly<Record<string, string>>,
  token: string,
  method: "GET" | "POST" = /\/(?:list|details|changes|deliveries)\/$/.test(path) ? "GET" : "POST",
): Sent {
  const form = new URLSearchParams(params).toString();
  const headers = { Authorization: `Bearer ${token}` };
  if (method === "GET") return { path: `${path}?${form}`, headers };
  return {
    method,
    path,
    headers: { ...headers, "Content-Type": "application/x-www-form-urlencoded" },
    body: form,
  };
}

interface Log {
  text: string;
  bytes: number;
  readonly operations: Set<string>;
}

/** Starts the process; resolves once it is ready. */
async function start(
  environment: Readonly<Record<string, string | undefined>>,
  folder: string,
  log: Log,
): Promise<Started> {
  const child = spawn(process.execPath, ["--import", preload, "--", main], {
    cwd: folder,
    env: environment,
    stdio: ["pipe", "pipe", "pipe"],
  });
  let read = "";
  const note = (chunk: Buffer): void => {
    const text = chunk.toString();
    log.bytes += chunk.length;
    log.text = `${log.text}${text}`.slice(-20_000);
    for (const [, operation = ""] of text.matchAll(/"operation":"([^"]+)"/g)) log.operations.add(operation);
    if (read.length < 20_000) read += text;
  };
  child.stdout.on("data", note);
  child.stderr.on("data", note);
  const deadline = performance.now() + readyMs;
  while (performance.now() < deadline && child.exitCode === null && child.signalCode === null) {
    const [, url] = /^Listening on (\S+)$/m.exec(read) ?? [];
    const { status } = url === undefined ? { status: 0 } : await exchange(url, { path: "/readyz" });
    if (url !== undefined && status === 200) return { child, url };
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  await end(child, "SIGKILL");
  throw new Error(`The server is not ready:\n${log.text.slice(-2_000)}`);
}

async function end(child: Process, signal: "SIGTERM" | "SIGKILL"): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, "exit");
  child.kill(signal);
  const impatient = setTimeout(() => child.kill("SIGKILL"), 12_000);
  await exited;
  clearTimeout(impatient);
}

interface Neighbour {
  readonly process: ChildProcess;
}

/** Events in the calendar that the neighbour reads. */
const ownEvents = 20;

/** Creates the neighbour's account, its calendars and its webhook, and starts its process. */
async function moveIn(
  url: string,
  hasWebhook: boolean,
  command: (...args: readonly string[]) => Promise<unknown>,
): Promise<Neighbour> {
  const { token }: Answered = await command("account", "create", "--name", "Neighbour");
  const call = async (path: string, params: Readonly<Record<string, string>>): Promise<Answered> => {
    const { status, text } = await exchange(url, callOf(path, params, String(token)));
    if (status !== 200) throw new Error(`neighbour, ${path}: ${status} ${text.slice(0, 300)}`);
    return JSON.parse(text);
  };
  const created = await Promise.all(
    ["Read", "Written"].map((title) => call("/api/v1/calendars/create/", { title, timezone: "UTC" })),
  );
  const [read, written] = created.map(({ calendar }) => calendar);
  for (let day = 1; day <= ownEvents; day++)
    await call("/api/kalends/v1/events/create/", {
      calendar_id: read.id,
      title: `Concert ${day}`,
      start_date: `2030-07-${String(day).padStart(2, "0")}T20:00`,
    });
  const child = fork(new URL("neighbour.mjs", import.meta.url), [
    ...[url, String(token), written.id],
    ...[`/c/${read.uniquekey}/read.ics`, `/c/${read.uniquekey}?month=2030-07`, read.id, String(hasWebhook)],
  ]);
  const [{ port }]: Answered = await once(child, "message");
  if (hasWebhook)
    await call("/api/kalends/v1/webhooks/create/", {
      url: `http://127.0.0.1:${String(port)}/`,
      types: "event.created",
      calendar_id: written.id,
    });
  return { process: child };
}

async function watch({ process: child }: Neighbour): Promise<() => Promise<Noticed>> {
  child.send("start");
  return async () => {
    const answered = once(child, "message");
    child.send("stop");
    const [noticed]: Answered = await answered;
    return noticed;
  };
}

/** Memory of a process in MB: now, and the most since it was last asked to forget. Undefined where the system does not tell. */
export function memoryOf(pid: number): { readonly now: number; readonly peak: number } | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/status`, "utf8");
    const [now, peak] = ["VmRSS", "VmHWM"].map(
      (name) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, "m").exec(text)?.[1]) / 1024,
    );
    return now === undefined || peak === undefined ? undefined : { now, peak };
  } catch {
    return undefined;
  }
}

/** For how long the main thread of a process has run, and waited for a processor, in ns; 0 where the system does not tell. */
export function scheduleOf(pid: number): { readonly ran: number; readonly waited: number } {
  try {
    const [ran = 0, waited = 0] = readFileSync(`/proc/${pid}/schedstat`, "utf8").split(" ").map(Number);
    return { ran, waited };
  } catch {
    return { ran: 0, waited: 0 };
  }
}

/** Lets the system count the peak of a process from now on. */
export function forgetPeak(pid: number): void {
  try {
    writeFileSync(`/proc/${pid}/clear_refs`, "5");
  } catch {
    // not Linux, or the process has ended
  }
}
