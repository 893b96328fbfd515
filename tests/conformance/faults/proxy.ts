import { Agent, createServer, type IncomingHttpHeaders, type IncomingMessage, request } from "node:http";
import { connect } from "node:net";
import type { Duplex } from "node:stream";

/** A request as it reaches the proxy, as far as faults read and change it. */
export interface Ask {
  readonly method: string;
  /** Without /api/v1/ and the final slash, such as "calendars/list"; of the extensions with x/, such as "x/events/list". */
  readonly path: string;
  /** Path and query as they were sent. */
  readonly target: string;
  /** What `params` were at first, to tell whether a fault has changed them. */
  readonly sent: string;
  /** Of a form those of the body, else those of the query. */
  readonly params: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** A response with its whole body. */
export interface Answered {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: string;
}

/** Sends a request to the server. */
export type Pass = (ask: Ask) => Promise<Answered>;

/** What a fault knows beside the request. */
export interface Around {
  readonly pass: Pass;
  readonly token: string;
  readonly otherToken: string;
  /** Id of a calendar with subscribers. */
  readonly followed: string;
  /** What the fault keeps from one request to the next. */
  readonly memory: Map<string, ReturnType<typeof JSON.parse>>;
}

/** A fault planted in front of the server: in its requests, in its responses, or in between. */
export interface Planted {
  /** The clause that it breaks, such as "docs/contract.md#4.6". */
  readonly clause: string;
  /** Other clauses that say the same, a ruling or a sentence elsewhere. */
  readonly alsoClauses?: readonly string[];
  readonly title: string;
  /** Changes the parameters and headers before the server sees them. */
  readonly ask?: (ask: Ask, around: Around) => void;
  /** Answers in place of the server, which it can ask as often as it likes. */
  readonly instead?: (ask: Ask, around: Around) => Promise<Answered>;
  /** Changes the body of a response; JSON as it was parsed. */
  readonly answer?: (body: ReturnType<typeof JSON.parse>, ask: Ask, around: Around) => void;
  /** Changes status, headers or text of a response. */
  readonly send?: ((answered: Answered, ask: Ask) => Answered) | undefined;
  /** A path at which no answer comes. */
  readonly silentAt?: string;
}

/** A fault that the suite has to find. */
export interface Fault extends Planted {
  /** A check that cites the clause and fails. While it is empty, a test says which one that is. */
  readonly foundBy: string;
}
/** Id → fault: what the files of this folder export as `faults`. */
export type Faults = Readonly<Record<string, Fault>>;

/** Starts a proxy in front of a server, with these faults in it. */
export async function startFaulty(
  server: string,
  planted: readonly Planted[],
  known: Omit<Around, "pass" | "memory">,
) {
  const { hostname, port } = new URL(server);
  const agent = new Agent({ keepAlive: true });
  const around = { ...known, memory: new Map<string, unknown>(), pass: passTo({ hostname, port, agent }) };
  const errors: unknown[] = [];
  const proxy = createServer({ maxHeaderSize: 262_144 }, (incoming, outgoing) => {
    if (planted.some(({ silentAt }) => silentAt === incoming.url)) return;
    const ends = (error: unknown): void => {
      errors.push(error);
      outgoing.destroy();
    };
    void readAsk(incoming)
      .then((ask) => respond(ask, planted, around))
      .then(({ status, headers, body }) => {
        const length = status === 204 || status === 304 ? {} : { "content-length": Buffer.byteLength(body) };
        outgoing.writeHead(status, { ...headers, ...length }).end(incoming.method === "HEAD" ? "" : body);
      })
      .catch(ends);
  });
  // What Node's parser refuses goes to the server as it came.
  proxy.on("clientError", (error: Error & { readonly rawPacket?: Buffer }, socket: Duplex) => {
    const upstream = connect(Number(port), hostname);
    upstream.on("error", () => socket.destroy());
    upstream.pipe(socket);
    upstream.end(error.rawPacket ?? "");
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  const address = proxy.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return {
    url: `http://127.0.0.1:${address.port}`,
    /** What a fault has thrown: it must change the response, not lose it. */
    errors,
    stop: async () => {
      const closed = new Promise((resolve) => proxy.close(resolve));
      proxy.closeAllConnections();
      agent.destroy();
      await closed;
    },
  };
}

async function respond(ask: Ask, planted: readonly Planted[], around: Around): Promise<Answered> {
  for (const fault of planted) fault.ask?.(ask, around);
  const pass = planted.reduce<Pass>(
    (inner, { instead }) =>
      instead === undefined ? inner : (asked) => instead(asked, { ...around, pass: inner }),
    around.pass,
  );
  const answered = await pass(ask);
  return planted.reduce((before, fault) => changed(before, fault, ask, around), answered);
}

function changed(answered: Answered, { send, answer }: Planted, ask: Ask, around: Around): Answered {
  const sent = send?.(answered, ask) ?? answered;
  if (answer === undefined || !sent.body.startsWith("{")) return sent;
  const body = JSON.parse(sent.body);
  try {
    answer(body, ask, around);
  } catch {
    return sent; // an error has none of the members that the fault changes
  }
  return { ...sent, body: JSON.stringify(body) };
}

async function readAsk(incoming: IncomingMessage): Promise<Ask> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) if (Buffer.isBuffer(chunk)) chunks.push(chunk);
  const { method = "", url = "", headers } = incoming;
  const [pathname = "", ...rest] = url.split("?");
  const body = Buffer.concat(chunks);
  const params = new URLSearchParams(isForm(headers) ? body.toString() : rest.join("?"));
  const path = shortPath(pathname);
  return { method, target: url, path, params, sent: params.toString(), headers: { ...headers }, body };
}

/** Headers of a connection, which each has for itself (RFC 9110 7.6.1). */
const ofTheHop = ["connection", "keep-alive", "transfer-encoding"];

/** Returns what sends requests to a server: as they came, unless their parameters were changed. */
function passTo(server: { readonly hostname: string; readonly port: string; readonly agent: Agent }): Pass {
  return ({ method, target, params, sent, headers, body }) => {
    const form = params.toString();
    const isChanged = form !== sent;
    const isBody = isForm(headers);
    const path = isChanged && !isBody ? `${target.split("?")[0]}?${form}` : target;
    const bytes = isChanged && isBody ? Buffer.from(form) : body;
    const length = "content-length" in headers ? { "content-length": bytes.length } : {};
    return new Promise((resolve, reject) => {
      request({ ...server, method, path, headers: { ...headers, ...length } }, (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on("data", (chunk: Buffer) => void chunks.push(chunk));
        incoming.on("error", reject);
        incoming.on("end", () => {
          const { statusCode: status = 502, headers: own } = incoming;
          const headers = Object.entries(own).filter(([name]) => !ofTheHop.includes(name));
          resolve({ status, headers: Object.fromEntries(headers), body: Buffer.concat(chunks).toString() });
        });
      })
        .on("error", reject)
        .end(bytes);
    });
  };
}

/** A read of the same caller. */
export function read(ask: Ask, path: string, params: Readonly<Record<string, string>>, token?: string): Ask {
  const target = path.startsWith("x/") ? `/api/kalends/v1/${path.slice(2)}/` : `/api/v1/${path}/`;
  const all = new URLSearchParams({ ...params, token: token ?? ask.params.get("token") ?? "" });
  const headers = { host: ask.headers.host };
  return { method: "GET", path, target, params: all, sent: "", headers, body: Buffer.alloc(0) };
}

/** Returns the path as faults name it: "calendars/list" for "/api/v1/calendars/list/". */
export function shortPath(pathname: string): string {
  return pathname.replace("/api/v1/", "").replace("/api/kalends/v1/", "x/").replace(/\/$/, "");
}

function isForm(headers: IncomingHttpHeaders): boolean {
  return headers["content-type"] === "application/x-www-form-urlencoded";
}
