import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import {
  answer,
  type Answered,
  createFake,
  errorMeta,
  type ErrorType,
  type FakeServer,
  maxBodyBytes,
  type Received,
  statusOf,
} from "@kalends/client/testing/model";
import type { FaultId } from "./faults.js";
import { ask, type Planted, tell } from "./planted.js";

export interface ModelOptions {
  /** What the server does wrong. */
  readonly faults?: readonly FaultId[];
  /** Items a page, 100 by default (rulings R3.1). */
  readonly pageSize?: number;
  /** A fault around the model. */
  readonly planted?: Planted | undefined;
}

export interface Model {
  readonly url: string;
  readonly token: string;
  readonly otherToken: string;
  /** Id of a calendar with active, inactive and blocked subscribers. */
  readonly subscribersCalendar: string;
  readonly fake: FakeServer;
  readonly stop: () => Promise<void>;
}

const maxHeadBytes = 65_536;
const monthSeconds = 30 * 86_400;

/** Starts the fake of the service behind HTTP, on a free port of the loopback address. */
export async function startModel({
  faults = [],
  pageSize = 100,
  planted,
}: ModelOptions = {}): Promise<Model> {
  let ago = 6 * monthSeconds;
  const clock = () => new Date(Date.now() - ago * 1000);
  const { fake, service } = createFake({ pageSize, clock }, (id) => faults.some((fault) => fault === id));
  await addFollowedCalendar(fake, 3 * pageSize + 8);
  ago = 0;
  const server = createServer({ maxHeaderSize: maxHeadBytes }, (request, response) => {
    if (request.url === planted?.silentAt) return;
    void readRequest(request)
      .then(async (received) => {
        if (planted === undefined) return answer(service, received);
        const [changed, asked] = ask(received, planted);
        return tell(await answer(service, changed), asked, planted);
      })
      .then((answered) => send(response, answered));
  });
  server.on("clientError", refuseMalformed);
  const port = await listen(server);
  return {
    url: `http://127.0.0.1:${port}`,
    token: fake.token,
    otherToken: fake.otherToken,
    subscribersCalendar: "1",
    fake,
    stop: () => stop(server),
  };
}

/** More than a page of subscribers, of inactive and of blocked ones. Times are not in the order of the ids. */
async function addFollowedCalendar({ fetch, baseUrl, token, addSubscriber }: FakeServer, count: number) {
  const body = new URLSearchParams({ title: "Followed", timezone: "Pacific/Auckland", token });
  await fetch(`${baseUrl}/api/v1/calendars/create/?${body.toString()}`);
  const start = Math.floor(Date.now() / 1000) - 5 * monthSeconds;
  const step = Math.floor((4 * monthSeconds) / count);
  for (let index = 0; index < count; index += 1)
    addSubscriber({
      calendar_id: "1",
      ...(index % 3 === 0
        ? {}
        : { name: `Follower ${index + 1}`, email: `follower-${index + 1}@example.com` }),
      ...(index % 2 === 0 ? {} : { postal: "1010", city: "Auckland", country: "NZ" }),
      since: new Date((start + ((index * 37) % count) * step) * 1000),
      calendar_type: ["apple", "google", "outlook", "ical"][index % 4],
      active: index % 2 !== 1,
      blocked: index % 5 < 2,
    });
}

/** Of a body that is too large only as much as shows it. */
async function readRequest(request: IncomingMessage): Promise<Received> {
  const headers = new Headers();
  for (let index = 0; index < request.rawHeaders.length; index += 2)
    headers.append(request.rawHeaders[index] ?? "", request.rawHeaders[index + 1] ?? "");
  const chunks: Buffer[] = [];
  let size = 0;
  if (Number(headers.get("content-length") ?? 0) <= maxBodyBytes)
    for await (const chunk of request) {
      if (!Buffer.isBuffer(chunk)) continue;
      chunks.push(chunk);
      size += chunk.length;
      if (size > maxBodyBytes) break;
    }
  return {
    method: request.method ?? "",
    target: request.url ?? "/",
    headers,
    body: Buffer.concat(chunks),
    base: `http://${request.headers.host ?? ""}`,
  };
}

function send(response: ServerResponse, { status, headers, body }: Answered): void {
  const length = status === 204 || status === 304 ? {} : { "Content-Length": Buffer.byteLength(body) };
  response.writeHead(status, { ...headers, ...length }).end(body);
}

/** What Node's parser refuses is answered in the envelope too (rulings R2.4). */
function refuseMalformed(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const type = typeOf(error.code);
  const status = statusOf(type);
  const body = JSON.stringify({ meta: { code: String(status), ...errorMeta(type, [], "0".repeat(32)) } });
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
