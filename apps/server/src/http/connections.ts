import { readFileSync } from "node:fs";
import { type Server, type ServerResponse, STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { Logger } from "pino";
import { newRequestId } from "./access-log.js";
import { ApiError, errorAnswer } from "./errors.js";

/** A TCP connection of the HTTP server. */
export interface Connection {
  readonly socket: Socket;
  /** The response to the latest request; undefined when every request is answered. */
  latest: ServerResponse | undefined;
  /** Requests that arrived behind an unanswered one and wait for their turn. */
  waiting: number;
  /** Whether a request ever waited on it. */
  isPipelined: boolean;
  /** Whether its last response is decided: it accepts no further request. */
  isClosing: boolean;
  /** Bytes received when it was last checked, and when that number last changed, in ms of performance.now(). */
  bytesRead: number;
  readAt: number;
}

export interface Connections {
  readonly open: Map<Duplex, Connection>;
  /** Connections above the limit, which were refused. */
  refused: number;
  /** Waiting requests of all connections together. */
  waiting: number;
}

/** How long a client may take to read its last response before the socket is destroyed, in ms. */
const lingerMs = 1_000;

/**
 * Answers outside of Node's responses, in the envelope, and closes the connection. What the client still sends is read and
 * dropped for a moment: closing with bytes unread would take the answer from it (RFC 9112 9.6).
 * @returns the request id of the answer
 */
function answerAndClose(connection: Connection, error: ApiError): string {
  const { socket } = connection;
  const requestId = newRequestId();
  connection.isClosing = true;
  socket.end(rawAnswer(error, requestId), () => {
    const timer = setTimeout(() => socket.destroy(), lingerMs);
    socket.once("close", () => clearTimeout(timer));
  });
  socket.resume();
  return requestId;
}

/** Answers a request that never reached the app, and logs it. */
export function refuseRequest(connection: Connection, error: ApiError, log: Logger): void {
  const requestId = answerAndClose(connection, error);
  const { status, code: error_type } = error;
  log.info({ request_id: requestId, operation: "none", status, error_type }, "request");
}

function rawAnswer(error: ApiError, requestId: string): Buffer {
  const { status, headers, body } = errorAnswer(error, requestId);
  const bytes = Buffer.from(JSON.stringify(body));
  const lines = Object.entries({
    ...headers,
    "Content-Type": "application/json",
    "Content-Length": String(bytes.length),
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    "X-Request-Id": requestId,
    Connection: "close",
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  const head = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}\r\n${lines.join("")}\r\n`;
  return Buffer.concat([Buffer.from(head), bytes]);
}

/** How often open connections are checked, and how long a body may pause, in ms. */
const checkMs = 1_000;
const bodyPauseMs = 10_000;

/** How long a connection in use may go without a byte in either direction, in ms. Node applies it as `server.timeout`. */
export const stallMs = 15_000;

/** Connections above the limit that are answered at the same time. More are closed without an answer. */
const mostRefusals = 16;

/** Keeps the table of open connections, refuses those above the limit, and ends those that make no progress. */
export function watchConnections(
  server: Server,
  connections: Connections,
  { limit, log }: { readonly limit: number; readonly log: Logger },
): void {
  const { open } = connections;
  let refused = 0;

  server.on("connection", (socket: Socket) => {
    // Node takes its own listener away before `connect` and after the first error, and an error without one ends the process.
    socket.on("error", () => undefined);
    const connection = newConnection(socket);
    open.set(socket, connection);
    socket.once("close", () => {
      open.delete(socket);
      connections.waiting -= connection.waiting;
    });
    if (open.size <= limit) return;
    refused++;
    connections.refused++;
    if (open.size > limit + mostRefusals) socket.destroy();
    else answerAndClose(connection, new ApiError("overloaded"));
  });
  server.on("timeout", (socket: Socket) => {
    const latest = open.get(socket)?.latest;
    // The app has not answered yet: it has time limits of its own.
    if (latest?.closed === false && socket.writableLength === 0) socket.setTimeout(stallMs);
    else socket.destroy();
  });

  const check = (): void => {
    if (refused > 0) log.warn({ refused, limit }, "connections refused: see MAX_CONNECTIONS");
    refused = 0;
    const now = performance.now();
    for (const connection of open.values()) if (isStalled(connection, now)) endStalled(server, connection);
  };
  const timer = setInterval(check, checkMs).unref();
  server.once("close", () => clearInterval(timer));
}

function newConnection(socket: Socket): Connection {
  return {
    socket,
    latest: undefined,
    waiting: 0,
    isPipelined: false,
    isClosing: false,
    bytesRead: 0,
    readAt: 0,
  };
}

/** Whether the body of the latest request stopped arriving. Node limits only its whole time. */
function isStalled(connection: Connection, now: number): boolean {
  const { latest, socket, waiting } = connection;
  if (latest === undefined) return false;
  if (latest.req.complete) {
    if (latest.closed) connection.latest = undefined; // else an idle connection would keep it in memory
    return false;
  }
  // Nothing is read from a connection with waiting requests.
  if (waiting > 0 || connection.bytesRead !== socket.bytesRead) {
    connection.bytesRead = socket.bytesRead;
    connection.readAt = now;
  }
  return now - connection.readAt >= bodyPauseMs;
}

function endStalled(server: Server, { latest, socket }: Connection): void {
  const failure: NodeJS.ErrnoException = new Error("The body stopped arriving.");
  failure.code = "ERR_HTTP_REQUEST_TIMEOUT";
  if (latest?.headersSent === true) socket.destroy();
  else server.emit("clientError", failure, socket);
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
