import { causeOf, concerning, exchangeOf, expect, failure, isFailure, notTestable, show } from "./assert.js";
import type { OperationName } from "./operations.js";
import type { Item } from "./item.js";
import { idOf, member } from "./json.js";
import { allPages, calendarsNamed, type Listing } from "./lists.js";
import type { ContractName } from "./operations.js";
import { keepJournal, type Made, type Session } from "./session.js";
import { type Answer, type CallOptions, metaCode, type Params, type Recorder } from "./target.js";

export interface Kit {
  readonly session: Session;
  readonly recorder: Recorder;
  /** Calendars this check made. */
  readonly made: readonly Made[];
  /** Sends one call; any answer is fine. */
  call(operation: ContractName, params?: Params, options?: CallOptions): Promise<Answer>;
  /** Sends to a path as written. */
  raw(path: string, options?: CallOptions): Promise<Answer>;
  /** Sends one call that must succeed. */
  ok(operation: ContractName, params?: Params, options?: CallOptions): Promise<Answer>;
  /** Sends one call that must be refused as contract 7 says. */
  refused(operation: ContractName, params?: Params, options?: CallOptions): Promise<Answer>;
  /** Makes a calendar; it is deleted when the check ends. */
  calendar(params?: Params, options?: CallOptions): Promise<Item>;
  /** Makes an event. */
  event(calendar: string | Item, params?: Params): Promise<Item>;
  /** The items of a list over all pages. */
  all(listing: Listing, params?: Params): Promise<readonly Item[]>;
  /** The events of a calendar over all pages. */
  events(calendar: string | Item, params?: Params): Promise<readonly Item[]>;
  /** The calendars of this run that carry this name, most recently saved first. */
  calendars(name?: string, options?: CallOptions): Promise<readonly Item[]>;
  /** A text that no other check uses, with the mark of the run in it. */
  name(words?: string): string;
  /** The calendar of `--subscribers-calendar`. */
  readonly followed: string;
  /** Waits until the server's clock shows a later second. */
  tick(): Promise<void>;
  /** Reports an observation. */
  observe(text: string): void;
  readonly observations: readonly string[];
  /** Exchanges of the shared preparations that the check uses. */
  readonly prepared: Set<Recorder>;
}

/** A start that every server must accept, when the check is not about dates. */
export const someStart = "07/04/2026 13:30";

export function openKit(session: Session, recorder: Recorder): Kit {
  const made: Made[] = [];
  const observations: string[] = [];

  async function call(operation: ContractName, params: Params = {}, options: CallOptions = {}) {
    const answer = await session.target.call(recorder, operation, params, options);
    const calendar = keepJournal(session, operation, answer, options.as ?? "first");
    if (calendar !== undefined) made.push(calendar);
    return answer;
  }

  async function ok(operation: ContractName, params: Params = {}, options: CallOptions = {}) {
    session.needed.add(operation);
    const answer = await call(operation, params, options);
    succeeded(answer, operation);
    return answer;
  }

  const kit: Kit = {
    session,
    recorder,
    made,
    observations,
    prepared: new Set(),
    call,
    ok,
    raw: (path, options) => session.target.raw(recorder, path, options),
    refused: async (operation, params, options) => {
      const answer = await call(operation, params, options);
      wasRefused(answer, operation);
      return answer;
    },
    calendar: async (params = {}, options = {}) => {
      const all = { title: kit.name(), timezone: "America/New_York", ...params };
      return member((await ok("createCalendar", all, options)).body, "calendar");
    },
    event: async (calendar, params = {}) => {
      const all = { calendar_id: asId(calendar), title: kit.name(), start_date: someStart, ...params };
      return member((await ok("createEvent", all)).body, "event");
    },
    events: (calendar, params = {}) =>
      kit.all({ operation: "listEvents", key: "events" }, { calendar_id: asId(calendar), ...params }),
    all: (listing, params) => allPages(ok, listing, params),
    calendars: (name = session.mark, options = {}) =>
      calendarsNamed((page) => ok("listCalendars", page, options), name, session.startedAt),
    name: (words = "") => `${session.mark} n${session.serial()}n${words === "" ? "" : ` ${words}`}`,
    followed: session.options.subscribersCalendar ?? "",
    tick: async () => {
      // Times are whole seconds: after 1.1 s any clock shows a later one.
      await new Promise((resolve) => setTimeout(resolve, 1_100));
      if (session.signal?.aborted === true) throw notTestable("interrupted");
    },
    observe: (text) => void observations.push(text),
  };
  return kit;
}

function asId(calendar: string | Item): string {
  return typeof calendar === "string" ? calendar : idOf(calendar);
}

/** contract 7.2: HTTP success, JSON body, `meta.code` 200. */
function succeeded(answer: Answer, operation: OperationName): void {
  const { status } = answer;
  concerning(answer.exchange, () => {
    if (status < 200 || status > 299)
      throw failure(
        `${operation}: expected success, got HTTP ${status}: ${show(answer.text)}`,
        `HTTP ${status}`,
      );
    const code = metaCode(answer);
    expect(code === 200, `${operation}: expected meta.code 200, got ${show(code)}.`);
  });
}

/** contract 7.1: an HTTP status that says error, a JSON body, and a `meta.code` that is not that of success. */
export function wasRefused(answer: Answer, operation: OperationName): void {
  const { status } = answer;
  concerning(answer.exchange, () => {
    if (status < 400 || status > 499)
      throw failure(
        `${operation}: expected to be refused (HTTP 4xx), got HTTP ${status}: ${show(answer.text)}`,
        status >= 500 ? `HTTP ${status}` : undefined,
      );
    const code = metaCode(answer);
    expect(code !== 200, `${operation}: HTTP ${status}, but meta.code 200, which is success.`);
  });
}

/** A preparation that several checks share, once per run. Its exchanges are shown with each check that fails. */
export function fixture<T>(prepare: (kit: Kit) => Promise<T>): (kit: Kit) => Promise<T> {
  const prepared = new WeakMap<Session, { readonly recorder: Recorder; readonly result: Promise<T> }>();
  const begin = (session: Session) => {
    const recorder: Recorder = { exchanges: [] };
    const result = prepare(openKit(session, recorder)).catch((error: unknown): never => {
      if (!isFailure(error)) throw error;
      // Every check that needs the preparation fails with its cause and its failed exchange.
      const common = failure(error.message, causeOf(error) ?? error.message);
      const failed = exchangeOf(error) ?? recorder.exchanges.at(-1);
      if (failed === undefined) throw common;
      return concerning(failed, () => {
        throw common;
      });
    });
    return { recorder, result };
  };
  return async (kit) => {
    const one = prepared.get(kit.session) ?? begin(kit.session);
    prepared.set(kit.session, one);
    kit.prepared.add(one.recorder);
    return one.result;
  };
}
