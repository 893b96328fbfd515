import { createServer } from "node:http";
import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { type KalendsMachine, token } from "./cluster.js";

// Clients of both servers: each sends a write with an Idempotency-Key until it is answered, as the documentation says.

/** Moments of successes, in ms of performance.now(). */
type Moments = number[];

export interface Load {
  readonly acknowledged: readonly string[];
  readonly told: readonly string[];
  /** Successes by server, of each kind of request. */
  readonly successes: Readonly<Record<"writes" | "lists" | "feeds", ReadonlyMap<string, Moments>>>;
  /** Responses that neither were a success nor said when to try again, with how often each came. */
  readonly others: ReadonlyMap<string, number>;
  readonly calendarId: string;
  /** Sends no new writes; resolves when all that were begun are answered. */
  finish(): Promise<void>;
  stop(): void;
}

/** Receives the messages of all rounds. */
export interface Receiver {
  readonly url: string;
  readonly titles: readonly string[];
}

export async function startReceiver(): Promise<Receiver> {
  const titles: string[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.once("end", () => {
      const { data }: { data: { event: { title: string } } } = JSON.parse(Buffer.concat(chunks).toString());
      titles.push(data.event.title);
      response.writeHead(204).end();
    });
  });
  server.listen(9_000, "10.0.0.1");
  await once(server, "listening");
  return { url: "http://10.0.0.1:9000/hook", titles };
}

interface Request {
  readonly path: string;
  readonly key?: string;
  readonly params?: Readonly<Record<string, string>>;
  /** A calendar file. */
  readonly file?: string;
}

interface Answer {
  readonly status: number;
  readonly text: string;
  readonly retryAfter: string | null;
}

async function send({ url }: KalendsMachine, { path, key, params, file }: Request): Promise<Answer> {
  const headers = {
    Authorization: `Bearer ${token}`,
    ...(key === undefined ? {} : { "Idempotency-Key": key }),
    ...(file === undefined ? {} : { "Content-Type": "text/calendar" }),
  };
  const body = file ?? (params === undefined ? undefined : new URLSearchParams(params));
  const method = body === undefined ? "GET" : "POST";
  const init = {
    method,
    headers,
    signal: AbortSignal.timeout(15_000),
    ...(body === undefined ? {} : { body }),
  };
  const answer = await fetch(`${url}${path}`, init);
  return { status: answer.status, text: await answer.text(), retryAfter: answer.headers.get("Retry-After") };
}

/** Creates a calendar and a webhook for its events, and starts the clients. */
export async function startLoad(
  servers: readonly KalendsMachine[],
  name: string,
  receiver: Receiver,
): Promise<Load> {
  const [first] = servers;
  if (first === undefined) throw new Error("There is no server.");
  const made = await send(first, {
    path: "/api/v1/calendars/create/",
    params: { title: name, timezone: "UTC" },
  });
  const { calendar }: { calendar: { id: string; uniquekey: string } } = JSON.parse(made.text);
  const hook = { url: receiver.url, types: "event.created", calendar_id: calendar.id };
  const hooked = await send(first, { path: "/api/kalends/v1/webhooks/create/", params: hook });
  if (hooked.status !== 200) throw new Error(`No webhook: ${hooked.text}`);

  const state = { isWriting: true, isReading: true };
  const acknowledged: string[] = [];
  const others = new Map<string, number>();
  const noteOther = (text: string): void => void others.set(text, (others.get(text) ?? 0) + 1);
  const perServer = (): Map<string, Moments> => new Map(servers.map((server) => [server.name, []]));
  const successes = { writes: perServer(), lists: perServer(), feeds: perServer() };

  /** Sends a request once. Returns whether it succeeded. */
  async function tryOnce(
    server: KalendsMachine,
    kind: keyof typeof successes,
    request: Request,
  ): Promise<boolean> {
    const answer = await send(server, request).catch((error: unknown) => String(error));
    if (typeof answer === "string") noteOther(`${kind}: ${answer}`);
    else if (answer.status === 200) successes[kind].get(server.name)?.push(performance.now());
    else if (
      ![409, 503, 507].includes(answer.status) ||
      (answer.status !== 507 && answer.retryAfter === null)
    )
      noteOther(`${kind}: ${answer.status} ${answer.text.replace(/,"request_id.*/s, "")}`);
    return typeof answer !== "string" && answer.status === 200;
  }

  async function write(server: KalendsMachine, lane: number): Promise<void> {
    for (let n = 1; state.isWriting; n++) {
      const { titles, ...request } = nextWrite(`${name}-${server.name}-${lane}-${n}`, calendar.id, n);
      while (!(await tryOnce(server, "writes", request))) await delay(200);
      acknowledged.push(...titles);
      await delay(100);
    }
  }
  async function read(server: KalendsMachine, kind: "lists" | "feeds"): Promise<void> {
    const lists = [`/api/v1/calendars/events/list/?calendar_id=${calendar.id}`, "/api/v1/calendars/list/"];
    const paths = kind === "feeds" ? [`/c/${calendar.uniquekey}/x.ics`] : lists;
    for (let n = 0; state.isReading; n++) {
      await tryOnce(server, kind, { path: paths[n % paths.length] ?? "" });
      await delay(100);
    }
  }
  const writing = Promise.all(servers.flatMap((server) => [1, 2, 3].map((lane) => write(server, lane))));
  const reading = Promise.all(servers.flatMap((server) => [read(server, "lists"), read(server, "feeds")]));
  return {
    acknowledged,
    others,
    successes,
    calendarId: calendar.id,
    get told() {
      return receiver.titles.filter((title) => title.startsWith(`${name}-`));
    },
    finish: async () => {
      state.isWriting = false;
      await writing;
    },
    stop: () => {
      state.isWriting = false;
      state.isReading = false;
      void reading;
    },
  };
}

/** Drafts are among the first writes, and due after an outage: a write that is repeated later would be refused. */
const [mostDrafts, publishMs] = [60, 40_000];

/** Returns a write with the titles of the events that it creates: one, a draft that is published soon, or those of a file. */
function nextWrite(
  title: string,
  calendar_id: string,
  n: number,
): Request & { readonly titles: readonly string[] } {
  const event = { calendar_id, title, start_date: "07/04/2027 13:30" };
  if (n % 20 === 10) {
    const titles = ["a", "b", "c"].map((part) => `${title}${part}`);
    const path = `/api/kalends/v1/calendars/import/?calendar_id=${calendar_id}`;
    return { path, key: title, file: calendarFile(titles), titles };
  }
  const path = "/api/kalends/v1/events/create/";
  if (n % 10 !== 5 || n > mostDrafts) return { path, key: title, params: event, titles: [title] };
  const publish_at = new Date(Date.now() + publishMs).toISOString().replace(/\.\d+/, "");
  return { path, key: title, params: { ...event, published: "false", publish_at }, titles: [title] };
}

function calendarFile(titles: readonly string[]): string {
  const events = titles.flatMap((title) => [
    "BEGIN:VEVENT",
    `UID:${title}@cluster.example`,
    "DTSTART:20270704T133000Z",
    `SUMMARY:${title}`,
    "END:VEVENT",
  ]);
  return ["BEGIN:VCALENDAR", ...events, "END:VCALENDAR", ""].join("\r\n");
}
