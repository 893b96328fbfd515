import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { accountOf, tokenOfOther, tokenOfOwner } from "./access.js";
import { type ErrorType, errorMeta, Refusal, statusOf } from "./errors.js";
import type { FaultId, Faulty } from "./faults.js";
import { methodsOf, type Operation, operationAt } from "./operations.js";
import { readParams } from "./params.js";
import { checkCharacters, type Pair, readBody, readPairs } from "./request.js";
import { sendError, sendPayload } from "./respond.js";
import { seededState, type State } from "./state.js";

export interface ModelOptions {
  /** What the server does wrong. */
  readonly faults?: readonly FaultId[];
  /** Items a page, 100 by default (rulings R3.1). */
  readonly pageSize?: number;
}

export interface Model {
  readonly url: string;
  readonly token: string;
  readonly otherToken: string;
  /** Id of a calendar with active, inactive and blocked subscribers. */
  readonly subscribersCalendar: string;
  readonly stop: () => Promise<void>;
}

interface Room {
  readonly state: State;
  readonly faulty: Faulty;
  readonly pageSize: number;
}

const maxHeadBytes = 65_536;

/** Starts a server of the whole contract with its data in memory, on a free port of the loopback address. */
export async function startModel({ faults = [], pageSize = 100 }: ModelOptions = {}): Promise<Model> {
  const state = seededState(unixNow(), pageSize);
  const room: Room = { state, pageSize, faulty: (id) => faults.includes(id) };
  const server = createServer({ maxHeaderSize: maxHeadBytes }, (request, response) => {
    void answer(room, request, response);
  });
  server.on("clientError", refuseMalformed);
  const port = await listen(server);
  return {
    url: `http://127.0.0.1:${port}`,
    token: tokenOfOwner,
    otherToken: tokenOfOther,
    subscribersCalendar: "1",
    stop: () => stop(server),
  };
}

function unixNow(): number {
  return Math.floor(Date.now() / 1000);
}

/** Order of the checks: path, method, encoding, token, parameters, ownership (rulings R2.3). */
async function answer(room: Room, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { faulty } = room;
  const target = (request.url ?? "/").replace(/^https?:\/\/[^/?]*/i, "");
  const [path = "/", ...rest] = target.split("?");
  const operation = operationAt(path);
  const exchange = { request, response, operation, faulty };
  response.setHeader("Access-Control-Allow-Origin", "*");
  try {
    if (operation === undefined) throw new Refusal("path_unknown");
    if (faulty("K47") && !path.endsWith("/") && operation.path.endsWith("/")) {
      response.writeHead(301, { Location: target.replace(path, operation.path) }).end();
      return;
    }
    if (isPreflight(request)) return sendPreflight(response, methodsOf(operation, faulty));
    checkMethod(operation, exchange);
    const inQuery = readPairs(rest.join("?"), faulty);
    const inBody = request.method === "POST" ? await readBody(request, faulty) : [];
    const pairs = [...inQuery, ...inBody];
    checkCharacters(pairs);
    const needsToken = operation.kind !== "public" || faulty("K24");
    const account = needsToken ? accountOf(request, pairs, faulty) : "";
    const params = readParams(operation, pairs, faulty);
    const base = `http://${request.headers.host ?? ""}${path}`;
    const pageUrl = (page: number) =>
      urlOfPage(faulty("M12") ? path : base, { pairs: inQuery, page, faulty });
    sendPayload(exchange, operation.answer({ ...room, account, params, now: unixNow(), pageUrl }));
  } catch (error) {
    sendError(exchange, error);
  }
}

/** The request's own query with another `page`, encoded (service.md 2.2, rulings R3.2). */
function urlOfPage(
  base: string,
  {
    pairs,
    page,
    faulty,
  }: { readonly pairs: readonly Pair[]; readonly page: number; readonly faulty: Faulty },
): string {
  const lost = faulty("M9") ? ["page", "calendar_id", "order_by"] : ["page"];
  const kept = pairs.filter(([name]) => !lost.includes(name));
  if (faulty("M10")) kept.push(["page", String(page - 1)]);
  const encode = faulty("K25") ? (text: string) => text : encodeURIComponent;
  const query = [...kept, ["page", String(page)] as const].map(
    ([name, value]) => `${encode(name)}=${encode(value)}`,
  );
  return `${base}?${query.join("&")}`;
}

function checkMethod(
  operation: Operation,
  { request, response, faulty }: { request: IncomingMessage; response: ServerResponse; faulty: Faulty },
): void {
  const methods = methodsOf(operation, faulty);
  if (!methods.includes(request.method ?? "")) {
    response.setHeader("Allow", methods.join(", "));
    throw new Refusal("method_not_allowed");
  }
  const purposes = [request.headers["sec-purpose"], request.headers["purpose"]].flat();
  const isPrefetch = purposes.some((purpose) => purpose?.includes("prefetch"));
  if (operation.kind === "write" && isPrefetch) throw new Refusal("prefetch_refused");
}

/** Any origin may call, without credentials (rulings R1.9). */
function isPreflight({ method, headers }: IncomingMessage): boolean {
  const asks = headers["access-control-request-method"] !== undefined;
  return method === "OPTIONS" && headers.origin !== undefined && asks;
}

function sendPreflight(response: ServerResponse, methods: readonly string[]): void {
  response.writeHead(204, {
    "Access-Control-Allow-Methods": methods.join(", "),
    "Access-Control-Allow-Headers": "Authorization, Content-Type",
  });
  response.end();
}

/** What Node's parser refuses is answered in the envelope too (rulings R2.4). */
function refuseMalformed(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const type = typeOf(error.code);
  const status = statusOf(type);
  const meta = { code: String(status), ...errorMeta(type, [], randomUUID().replaceAll("-", "")) };
  const body = JSON.stringify({ meta });
  const head = [
    `HTTP/1.1 ${status} Refused`,
    `Date: ${new Date().toUTCString()}`,
    "Content-Type: application/json",
    `Content-Length: ${Buffer.byteLength(body)}`,
    "Connection: close",
  ];
  socket.end(`${head.join("\r\n")}\r\n\r\n${body}`);
}

function typeOf(code: string | undefined): ErrorType {
  if (code === "HPE_HEADER_OVERFLOW") return "head_too_large";
  return code === "ERR_HTTP_REQUEST_TIMEOUT" ? "request_timeout" : "malformed_request";
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  return address.port;
}

async function stop(server: Server): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  server.closeAllConnections();
  await closed;
}
