import { STATUS_CODES, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { Logger } from "pino";
import { type ApiError, errorAnswer } from "./errors.js";
import { newRequestId } from "./access-log.js";

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
export function answerAndClose(connection: Connection, error: ApiError): string {
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
  const { status, headers, body } = errorAnswer(error, requestId, false);
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
