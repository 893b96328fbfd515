import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import type { ErrorCode } from "@kalends/spec";
import type { Logger } from "pino";
import { newRequestId } from "./access-log.js";
import { ApiError, errorAnswer, methodNotAllowed } from "./errors.js";

/** How long a client may take to read its last response before the socket is destroyed, in ms. */
const lingerMs = 1_000;

/**
 * Answers what Node refuses before a request reaches the app (a bad request line, too large a head, too slow a sender,
 * CONNECT) in the envelope: Node's own answers have no body.
 */
export function answerParserErrors(
  server: Server,
  inFlight: ReadonlyMap<Duplex, ServerResponse>,
  log: Logger,
): void {
  const refuse = (socket: Duplex, error: ApiError): void => {
    // Once it is closing, all that still arrives is an error to the parser.
    if (!socket.writable) return;
    const latest = inFlight.get(socket);
    if (latest === undefined) answerAndClose(socket, error, log);
    else if (latest.req.complete) latest.once("close", () => setImmediate(refuse, socket, error));
    else if (latest.headersSent) socket.destroy();
    else answerAndClose(socket, error, log);
  };
  server.on("clientError", (failure: NodeJS.ErrnoException, socket: Duplex) => {
    if (failure.code === "ECONNRESET" || !socket.writable) socket.destroy();
    else refuse(socket, new ApiError(errorCode(failure.code), [], {}, sentences[failure.code ?? ""]));
  });
  server.on("connect", (_req: IncomingMessage, socket: Duplex) => {
    socket.on("error", () => undefined); // in later versions of Node a stream around the socket
    refuse(socket, methodNotAllowed("CONNECT", ["GET", "HEAD", "POST"]));
  });
}

/** What the client still sends is read and dropped for a moment: closing with bytes unread would take the answer from it (RFC 9112 9.6). */
function answerAndClose(socket: Duplex, error: ApiError, log: Logger): void {
  const requestId = newRequestId();
  socket.end(rawAnswer(error, requestId), () => {
    const timer = setTimeout(() => socket.destroy(), lingerMs);
    socket.once("close", () => clearTimeout(timer));
  });
  socket.resume();
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

/** Where the sentence of the error is about another limit. */
const sentences: Readonly<Record<string, string>> = {
  HPE_CHUNK_EXTENSIONS_OVERFLOW: "The extensions of the body's chunks are too long; send none.",
};

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
