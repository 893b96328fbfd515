import type { IncomingMessage, Server } from "node:http";
import type { Duplex } from "node:stream";
import type { ErrorCode } from "@kalends/spec";
import type { Logger } from "pino";
import { type Connection, type Connections, refuseRequest } from "./connections.js";
import { ApiError, methodNotAllowed } from "./errors.js";

/**
 * Answers what Node refuses before a request reaches the app (a bad request line, too large a head, too slow a sender,
 * CONNECT) in the envelope: Node's own answers have no body.
 */
export function answerParserErrors(server: Server, connections: Connections, log: Logger): void {
  server.on("clientError", (failure: NodeJS.ErrnoException, socket: Duplex) => {
    const connection = connections.open.get(socket);
    if (connection === undefined || failure.code === "ECONNRESET" || socket.destroyed) socket.destroy();
    // Once it is closing, all that still arrives is an error to the parser.
    else if (!connection.isClosing) refuse(connection, new ApiError(errorCode(failure.code)), log);
  });
  server.on("connect", (req: IncomingMessage, stream: Duplex) => {
    stream.on("error", () => undefined); // in later versions of Node a stream around the socket
    const connection = connections.open.get(req.socket);
    if (connection === undefined || connection.isClosing || isAnswering(connection)) req.socket.destroy();
    else refuseRequest(connection, methodNotAllowed("CONNECT", ["GET", "HEAD", "POST"]), log);
  });
}

/** Answers in the order of the requests: after those that arrived complete. */
function refuse(connection: Connection, error: ApiError, log: Logger): void {
  const { latest, socket } = connection;
  if (latest === undefined || latest.closed) refuseRequest(connection, error, log);
  else if (latest.req.complete) {
    connection.isClosing = true;
    latest.once("close", () => {
      if (socket.writable) refuseRequest(connection, error, log);
    });
  } else if (latest.headersSent || latest.socket === null) socket.destroy();
  else refuseRequest(connection, error, log);
}

/** Whether a request has no complete response yet. */
function isAnswering({ latest }: Connection): boolean {
  return latest !== undefined && !latest.closed;
}

function errorCode(code: string | undefined): ErrorCode {
  switch (code) {
    case "HPE_HEADER_OVERFLOW":
      return "head_too_large";
    case "HPE_CHUNK_EXTENSIONS_OVERFLOW":
      return "body_too_large";
    case "ERR_HTTP_REQUEST_TIMEOUT":
      return "request_timeout";
    default:
      return "malformed_request";
  }
}
