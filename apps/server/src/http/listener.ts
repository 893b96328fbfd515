import { createServer, type RequestListener, type Server } from "node:http";
import type { Logger } from "pino";
import { maxBodyBytes } from "./body-bytes.js";
import { maxFileBytes, mayBeFile } from "./file-body.js";
import { type Connections, stallMs, watchConnections } from "./connections.js";
import { ListenError } from "./listen-error.js";
import { answerParserErrors } from "./parser-errors.js";
import { takeTurns } from "./pipelining.js";
import type { requestClasses } from "./request-classes.js";

export interface HttpOptions {
  readonly classes: ReturnType<typeof requestClasses>;
  /** Empty, to be filled. */
  readonly connections: Connections;
  readonly maxConnections: number;
  readonly log: Logger;
}

/** Request heads of 64 KiB pass (rulings R1.6); Node counts a little more than the bytes of the head. */
const maxHeadBytes = 65 * 1024;

/** Creates the HTTP server with its limits on heads, times and connections. It does not listen yet. */
export function createHttpServer(
  { classes, connections, maxConnections, log }: HttpOptions,
  listener: RequestListener,
): Server {
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
    takeTurns(connections, listener),
  );
  server.timeout = stallMs;
  // A client that sends nothing more and closes its side, such as `nc -N`, still gets its answers.
  Object.assign(server, { httpAllowHalfOpen: true });
  // An unknown Expect is ignored instead of a 417 without a body.
  server.on("checkExpectation", (req, res) => server.emit("request", req, res));
  server.on("checkContinue", (req, res) => {
    // A body that is too large is refused before it is asked for.
    const most = mayBeFile(req) ? maxFileBytes : maxBodyBytes;
    if (!(Number(req.headers["content-length"]) > most) && req.socket.writable) res.writeContinue();
    server.emit("request", req, res);
  });
  watchConnections(server, connections, { limit: maxConnections, log });
  answerParserErrors(server, connections, log);
  return server;
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
