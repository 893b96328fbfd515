import type { Accounts, Service } from "./exchange.js";
import { createFaultQueue, type FakeFault, type FaultQueue } from "./fake-faults.js";
import { type FakeCalendar, type FakeEvent, calendarsOf, eventsOf } from "./fake-data.js";
import { addSubscriber, type NewSubscriber } from "./fake-subscribers.js";
import { failedFetch, faultAnswer, pause, readRequest, responseOf } from "./fake-wire.js";
import type { Faulty } from "./faults.js";
import { operationAt, type OperationName } from "./operations.js";
import type { Received } from "./received.js";
import { type Pair, readBody, readQuery } from "./request.js";
import { answer, split } from "./service.js";
import { emptyState } from "./state.js";

export interface FakeServerOptions {
  /** The clock of the service; that of the platform when not given. */
  readonly clock?: (() => Date) | undefined;
  /** Faults of the next requests, as `fail` adds them. */
  readonly faults?: readonly FakeFault[] | undefined;
  /** Items on a page of a list; 100 when not given. */
  readonly pageSize?: number | undefined;
  /** Base address that clients use; `https://kalends.test` when not given. A path may follow the host. */
  readonly baseUrl?: string | undefined;
}

/** A request that the fake received. The token is not in it. */
export interface FakeRequest {
  readonly method: string;
  /** The path with its slash, as it was sent. */
  readonly path: string;
  /** Undefined when there is no operation at the path. */
  readonly operation: OperationName | undefined;
  /** The parameters of query and body, except the token. */
  readonly params: Readonly<Record<string, string>>;
  /** The fault that was applied to it. */
  readonly fault: FakeFault["kind"] | undefined;
  /** Status of the response, also of one that was lost; undefined while there is none. */
  readonly status: number | undefined;
}

/** A service in memory, without network. */
export interface FakeServer {
  readonly baseUrl: string;
  /** A token with the scope `write`. */
  readonly token: string;
  /** A token of the same account with the scope `read`. */
  readonly readToken: string;
  /** A token of another account. */
  readonly otherToken: string;
  /** Answers a request, in place of the platform's fetch. It needs no `this`. */
  readonly fetch: (input: Request | URL | string, init?: RequestInit) => Promise<Response>;
  /** The requests so far, the first one first. */
  readonly requests: readonly FakeRequest[];
  /** The calendars of all accounts that are not deleted, the oldest first. */
  readonly calendars: readonly FakeCalendar[];
  /** Their events that are not deleted, the oldest first. */
  readonly events: readonly FakeEvent[];
  /** Adds faults. Each applies to the first request that matches it. */
  readonly fail: (...faults: readonly FakeFault[]) => void;
  /** Adds a subscriber to a calendar, which no operation of the API does. Returns its id. */
  readonly addSubscriber: (subscriber: NewSubscriber) => string;
  /** Removes data, requests and faults, those of the options too. */
  readonly reset: () => void;
}

const accounts = {
  "fake-token": { account: "owner", scope: "write" },
  "fake-read-token": { account: "owner", scope: "read" },
  "fake-other-token": { account: "other", scope: "write" },
} as const satisfies Accounts;

/** Creates a service in memory that implements the contract, for tests of its clients. */
export function createFakeServer(options: FakeServerOptions = {}): FakeServer {
  return createFake(options, () => false).fake;
}

/** Creates a fake that can break the contract, for tests of the conformance suite. */
export function createFake(
  {
    clock = () => new Date(),
    faults = [],
    pageSize = 100,
    baseUrl = "https://kalends.test",
  }: FakeServerOptions,
  faulty: Faulty,
): { readonly fake: FakeServer; readonly service: Service } {
  const state = emptyState();
  const service = { state, accounts, faulty, pageSize, now: () => Math.floor(clock().getTime() / 1000) };
  const queue = createFaultQueue();
  const requests: Seen[] = [];
  const prefix = new URL(baseUrl).pathname.replace(/\/$/, "");
  queue.add(faults);
  const fake: FakeServer = {
    baseUrl,
    token: "fake-token",
    readToken: "fake-read-token",
    otherToken: "fake-other-token",
    fetch: createFetch({ service, queue, requests, prefix }),
    requests,
    get calendars() {
      return calendarsOf(state);
    },
    get events() {
      return eventsOf(state);
    },
    fail: (...more) => queue.add(more),
    addSubscriber: (subscriber) => addSubscriber(service, subscriber),
    reset: () => {
      Object.assign(state, emptyState());
      requests.length = 0;
      queue.clear();
    },
  };
  return { fake, service };
}

type Seen = FakeRequest & { status: number | undefined };

interface Parts {
  readonly service: Service;
  readonly queue: FaultQueue;
  readonly requests: Seen[];
  readonly prefix: string;
}

function createFetch({ service, queue, requests, prefix }: Parts): FakeServer["fetch"] {
  return async (input, init) => {
    const request = new Request(input, init);
    request.signal.throwIfAborted();
    const received = await readRequest(request, prefix);
    const { path } = split(received.target);
    const operation = operationAt(path)?.id;
    const fault = queue.take(operation);
    const params = await paramsOf(received);
    const { method } = request;
    const seen: Seen = { method, path, operation, params, fault: fault?.kind, status: undefined };
    requests.push(seen);
    if (fault?.kind === "refused") throw failedFetch("ECONNREFUSED");
    const answered = faultAnswer(service, received, fault) ?? (await answer(service, received));
    seen.status = answered.status;
    if (fault?.kind === "lost") throw failedFetch("ECONNRESET");
    if (fault?.kind === "slow") await pause(fault.ms, request.signal);
    return responseOf(method, answered, fault?.kind === "cut");
  };
}

/** What was sent, as far as it can be read; of a repeated parameter the last. */
async function paramsOf(received: Received): Promise<Readonly<Record<string, string>>> {
  const pairs: Pair[] = [];
  const none: Faulty = () => false;
  try {
    pairs.push(...readQuery(split(received.target).query, none));
    if (received.method === "POST") pairs.push(...(await readBody(received, none)));
  } catch {
    // The service refuses it, and says why.
  }
  return Object.fromEntries(pairs.filter(([name]) => name !== "token"));
}
