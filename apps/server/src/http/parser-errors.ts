import { STATUS_CODES, type IncomingMessage, type Server } from "node:http";
import type { Duplex } from "node:stream";
import type { ErrorCode } from "@kalends/spec";
import type { Logger } from "pino";
import { ApiError, errorAnswer } from "./errors.js";
import { newRequestId } from "./log.js";

/**
 * Answers what Node refuses before a request reaches the app (a bad request line, too large a head, too slow a sender,
 * CONNECT) in the envelope: Node's own answers have no body.
 */
export function answerParserErrors(server: Server, log: Logger): void {
  server.on("clientError", (error: NodeJS.ErrnoException, socket: Duplex) => {
    if (error.code === "ECONNRESET" || !socket.writable) {
      socket.destroy();
      return;
    }
    answer(socket, new ApiError(errorCode(error.code)), log);
  });
  server.on("connect", (_req: IncomingMessage, socket: Duplex) => {
    answer(socket, new ApiError("method_not_allowed", [], { Allow: "GET, HEAD, POST" }), log);
  });
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

function answer(socket: Duplex, error: ApiError, log: Logger): void {
  const requestId = newRequestId();
  const { status, headers, body } = errorAnswer(error, requestId, false);
  const bytes = Buffer.from(JSON.stringify(body));
  const head = Object.entries({
    ...headers,
    "Content-Type": "application/json",
    "Content-Length": String(bytes.length),
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    "X-Request-Id": requestId,
    Connection: "close",
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(
    Buffer.concat([
      Buffer.from(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}\r\n${head.join("")}\r\n`),
      bytes,
    ]),
  );
  log.info({ request_id: requestId, operation: "none", status, error_type: error.code }, "request");
}
