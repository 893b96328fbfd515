import { readFileSync } from "node:fs";
import {
  createServer,
  type RequestListener,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { mostFileBytes } from "@kalends/spec";
import type { Logger } from "pino";
import { mayBeFile } from "./file-body.js";
import { largestBody } from "./limits.js";
import { ListenError } from "./listen-error.js";
import { answerParserErrors } from "./parser-errors.js";

/** Connections of an HTTP server, and what is under way on them. */
export interface Connections {
  readonly server: Server;
  /** Responses that are not sent yet: one of a connection at a time. */
  readonly inFlight: ReadonlyMap<Duplex, ServerResponse>;
  /** How many connections are open. */
  open(): number;
  /** Connections above the limit, which were closed at once. */
  refused(): number;
}

interface HttpOptions {
  readonly classes: Pick<ServerOptions, "IncomingMessage" | "ServerResponse">;
  readonly maxConnections: number;
  readonly log: Logger;
}

/** Request heads of 64 KiB pass (rulings R1.6); Node counts a little more than the bytes of the head. */
const maxHeadBytes = 65 * 1024;

/** How long a connection in use may go without a byte in either direction, in ms: longer than a request may take to arrive. */
const stallMs = 40_000;

/** Requests of all connections that may wait behind an unanswered one: a connection that sends more is closed. */
const mostQueued = 2_000;

/** Creates the HTTP server with its limits on heads, times and connections. It does not listen yet. */
export function createHttpServer(
  { classes, maxConnections, log }: HttpOptions,
  listener: RequestListener,
): Connections {
  const inFlight = new Map<Duplex, ServerResponse>();
  const handle: RequestListener = (req, res) => {
    const { socket } = req;
    inFlight.set(socket, res);
    res.once("close", () => inFlight.delete(socket));
    listener(req, res);
  };
  const server = createServer(
    {
      ...classes,
      maxHeaderSize: maxHeadBytes,
      headersTimeout: 10_000,
      requestTimeout: 30_000,
      connectionsCheckingInterval: 1_000,
      keepAliveTimeout: 65_000,
      requireHostHeader: false, // checked in guards.ts, which answers with a body
    },
    inOrder(handle),
  );
  server.timeout = stallMs;
  server.maxConnections = maxConnections;
  // A client that sends nothing more and closes its side, such as `nc -N`, still gets its answers.
  Object.assign(server, { httpAllowHalfOpen: true });
  // An unknown Expect is ignored instead of a 417 without a body.
  server.on("checkExpectation", (req, res) => server.emit("request", req, res));
  server.on("checkContinue", (req, res) => {
    // A body that is too large is refused before it is asked for.
    const most = mayBeFile(req) ? mostFileBytes : largestBody.ofOperation;
    if (!(Number(req.headers["content-length"]) > most) && req.socket.writable) res.writeContinue();
    server.emit("request", req, res);
  });
  answerParserErrors(server, inFlight, log);
  return { server, inFlight, ...countConnections(server, log) };
}

/** Handles the requests of a connection one after the other: Node would start all that it finds in what it has read. */
function inOrder(handle: RequestListener): RequestListener {
  const queued = new WeakMap<Duplex, { count: number }>();
  let total = 0;
  const queueOf = (socket: Duplex): { count: number } => {
    const known = queued.get(socket) ?? { count: 0 };
    if (!queued.has(socket)) socket.once("close", () => (total -= known.count));
    queued.set(socket, known);
    return known;
  };
  return (req, res) => {
    const { socket } = req;
    // A response gets its socket when those before it are sent.
    if (res.socket !== null) handle(req, res);
    else if (total >= mostQueued) socket.destroy();
    else {
      const queue = queueOf(socket);
      queue.count++;
      total++;
      res.once("socket", () => {
        queue.count--;
        total--;
        setImmediate(() => {
          if (socket.writable) handle(req, res); // after those of other connections
        });
      });
    }
  };
}

function countConnections(server: Server, log: Logger): Pick<Connections, "open" | "refused"> {
  let [open, refused, reported] = [0, 0, 0];
  server.on("connection", (socket: Socket) => {
    open++;
    socket.once("close", () => open--);
    // Node takes its own listener away before `connect` and after the first error, and an error without one ends the process.
    socket.on("error", () => undefined);
  });
  server.on("drop", () => {
    if (refused++ === reported)
      setTimeout(() => {
        log.warn(
          { refused: refused - reported, limit: server.maxConnections },
          "connections refused: see MAX_CONNECTIONS",
        );
        reported = refused;
      }, 1_000).unref();
  });
  return { open: () => open, refused: () => refused };
}

/** Resolves when the server listens. @throws ListenError when it cannot, such as EADDRINUSE */
export function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = (cause: NodeJS.ErrnoException): void => reject(new ListenError(cause));
    server.once("error", fail);
    server.listen(port, host, () => {
      server.off("error", fail);
      resolve();
    });
  });
}

/** Returns the URL of a server that listens on a host. */
export function urlOf(server: Server, host: string): string {
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
}

/** Kept free for the database's files and connections, in file descriptors. */
const reserved = 128;

/** Without a limit of descriptors that can be read, and at most by itself. */
const unknownLimit = 1_000;
const mostByItself = 16_384;

/**
 * How many connections this process may keep open, below its limit of open files: past that one, SQLite could not open its own.
 * @param setting MAX_CONNECTIONS
 */
export function connectionLimit(setting: number | "auto", log: Logger): number {
  const files = openFileLimit();
  const most = files === undefined ? undefined : Math.max(files - reserved, Math.floor(files / 2));
  if (setting === "auto") return Math.min(most ?? unknownLimit, mostByItself);
  if (most === undefined || setting <= most) return setting;
  log.warn({ limit: most, open_files: files }, "MAX_CONNECTIONS is lowered: it leaves too few open files");
  return most;
}

/** The soft limit of this process, where the system reports it (Linux); Infinity when there is none. */
function openFileLimit(): number | undefined {
  try {
    const [, soft] =
      /^Max open files\s+(\d+|unlimited)/m.exec(readFileSync("/proc/self/limits", "utf8")) ?? [];
    if (soft === undefined) return undefined;
    return soft === "unlimited" ? Infinity : Number(soft);
  } catch {
    return undefined;
  }
}
