import { once } from "node:events";
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import { connect } from "node:net";

export interface Violation {
  readonly request: string;
  readonly status: number;
  /** Where and what: `response.body.calendars.0.id must be string`. */
  readonly what: string;
}

/** Stands before Prism and the server: what the document declares goes through Prism, the rest straight to the server. */
export interface Splitter {
  readonly url: string;
  /** Says where to send; must be called before the first request. */
  connect(targets: { readonly prism: string; readonly server: string }): void;
  /** Answers that came through Prism, as "get /path 200", with how many there were of each. */
  readonly seen: ReadonlyMap<string, number>;
  /** What Prism found wrong with answers of the server. */
  readonly violations: readonly Violation[];
  /** How many requests went past Prism. */
  readonly bypassed: ReadonlyMap<string, number>;
  stop(): Promise<void>;
}

/** `declared`: the requests that are in the document, as "get /path". */
export async function startSplitter(declared: ReadonlySet<string>): Promise<Splitter> {
  // Prism closes a connection after five idle seconds, perhaps just as it is used again: it is closed here before.
  const agent = new Agent({ keepAlive: true, timeout: 1_000 });
  const state = { prism: "", server: "" };
  const seen = new Map<string, number>();
  const bypassed = new Map<string, number>();
  const violations: Violation[] = [];

  const server = createServer({ maxHeaderSize: 131_072, requireHostHeader: false }, (incoming, outgoing) => {
    const [path = ""] = (incoming.url ?? "").split("?");
    const name = `${(incoming.method ?? "").toLowerCase()} ${path}`;
    const reason = reasonToBypass(incoming, name, declared);
    if (reason !== undefined) {
      count(bypassed, reason);
      forward(incoming, outgoing, state.server, agent, () => undefined);
      return;
    }
    forward(incoming, outgoing, state.prism, agent, (answer) => {
      const status = answer.statusCode ?? 0;
      count(seen, `${name} ${status}`);
      violations.push(...responseViolations(answer).map((what) => ({ request: name, status, what })));
      delete answer.headers["sl-violations"];
    });
  });
  // What Node's parser refuses is given to the server as it came, which refuses it in its own words.
  server.on("clientError", (error, socket) => {
    const { rawPacket } = { rawPacket: undefined, ...error };
    count(bypassed, "not well-formed HTTP");
    const raw = connect(Number(new URL(state.server).port), "127.0.0.1");
    raw.on("error", () => socket.destroy());
    raw.write(rawPacket ?? "");
    raw.pipe(socket);
    socket.pipe(raw);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return {
    url: `http://127.0.0.1:${address.port}`,
    connect: (targets) => void Object.assign(state, targets),
    seen,
    violations,
    bypassed,
    stop: async () => {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      agent.destroy();
      await closed;
    },
  };
}

/** Why a request cannot go through Prism by Prism's nature; undefined when it can. */
function reasonToBypass({ url = "", headers }: IncomingMessage, name: string, declared: ReadonlySet<string>) {
  // Prism answers by itself what is not in the document: other paths, paths without the slash, other methods.
  if (!declared.has(name)) return "not in the document";
  // Prism decodes the query and encodes it again, so the server would get something else.
  if (!isDecodable(url)) return "not valid percent-encoded UTF-8";
  // Prism refuses by itself what is not JSON; the shortest object has two bytes.
  if (headers["content-type"] === "application/json" && Number(headers["content-length"]) < 2)
    return "not JSON";
  return undefined;
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

/** Prism names each violation in a header; those of requests are meant, when a check sends what is wrong. */
function responseViolations(answer: IncomingMessage): readonly string[] {
  const header = answer.headers["sl-violations"];
  if (header === undefined) return [];
  const found: unknown = JSON.parse(String(header));
  return (Array.isArray(found) ? found : [])
    .map((each: { location?: readonly string[]; message?: string }) => ({
      at: (each.location ?? []).join("."),
      message: each.message ?? "",
    }))
    .filter(({ at }) => !at.startsWith("request"))
    .map(({ at, message }) => `${at} ${message}`);
}

function forward(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  target: string,
  agent: Agent,
  watch: (answer: IncomingMessage) => void,
): void {
  const { hostname, port } = new URL(target);
  const sent = request(
    { hostname, port, method: incoming.method, path: incoming.url, headers: incoming.headers, agent },
    (answer) => {
      watch(answer);
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    },
  );
  sent.on("error", () => outgoing.destroy());
  incoming.pipe(sent);
}

function count(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}
