import type { Server } from "node:http";
import type { Socket } from "node:net";
import type { Logger } from "pino";
import { answerAndClose, type Connection, type Connections } from "./connection.js";
import { ApiError } from "./errors.js";

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
