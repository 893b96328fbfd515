import { type Operation, type OperationId, operations } from "@kalends/spec";
import { findAccount, findToken } from "../accounts/queries.js";
import { findSeries } from "../events/series-queries.js";
import { findCalendarById } from "../calendars/queries.js";
import { AccountFull, WriteTooLarge } from "../db/refusals.js";
import { writesAs } from "../db/transaction.js";
import type { Database, Db } from "../db/open-database.js";
import type { CalendarRow } from "../db/rows.js";
import { findEvents } from "../events/queries.js";
import { createPrint } from "../http/answer.js";
import { ApiError } from "../http/errors.js";
import { failureOf } from "../http/failures.js";
import { FileAnswer } from "../http/file-answer.js";
import type { FileText } from "../http/file-text.js";
import { PrintedBody } from "../http/json.js";
import { routeOf } from "../http/routes.js";
import { checkCharacters, readParams } from "../http/params.js";
import { type Pair, printForm } from "../http/query-string.js";
import { createHandlers } from "../process/operations.js";
import { readConfig } from "../settings/config.js";
import { findSubscriberById } from "../followers/subscriber-queries.js";
import { findSync } from "../files/sync-queries.js";
import { findTrashedOwner } from "../events/trash-queries.js";
import { findDelivery, findEndpoint } from "../webhooks/queries.js";
import { UsageError } from "./arguments.js";

export interface OperationRequest {
  /** Values by parameter; undefined is absent, an array is a repeated parameter. */
  readonly values: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** Id of the account; absent means the owner of the items that the parameters name. */
  readonly account?: number | undefined;
  /** Encoding of the file whose text is in a parameter. */
  readonly encoding?: FileText["encoding"] | undefined;
  readonly now: number;
  /** Returns the command's name of a parameter; default: the option of that name. */
  readonly nameOf?: (parameter: string) => string;
}

/** Runs an operation with a JSON response and returns the body. */
export async function runOperation(
  db: Database,
  id: OperationId,
  request: OperationRequest,
): Promise<string> {
  const body = await callOperation(db, id, request);
  if (typeof body !== "string") throw new Error(`${id} answers a file`);
  return body;
}

/**
 * Runs an operation by the rules of the server, and returns the JSON body of its response, or a file in pieces.
 * @throws Error that names the options of refused parameters; ApiError for other refusals
 */
export async function callOperation(
  db: Database,
  id: OperationId,
  request: OperationRequest,
): Promise<string | AsyncIterable<string>> {
  const op: Operation = operations[id];
  const pairs = pairsOf(request.values);
  try {
    checkCharacters(pairs, op);
    const params = readParams(op, pairs);
    const accountId = op.auth === "token" ? await accountOf(db, op, params, request.account) : undefined;
    const config = readConfig();
    const route = routeOf(createHandlers(config), id);
    const print = createPrint(route);
    const by = { kind: "command_line", id: 0, operation: id } as const;
    const answered = await route.handler(params, {
      db: writesAs(db, { owner: accountId, by }),
      now: request.now,
      base: serverAddress(),
      accountId,
      encoding: request.encoding,
      page: pageOf(op, pairs, config.PAGE_SIZE),
      cached: (_version, make) => make(),
      wrote: () => undefined,
      requireMatch: () => undefined,
      isKept: false,
      error: (code, failures) => new ApiError(code, failures),
    });
    if (answered instanceof FileAnswer) return answered.pieces;
    const { parts } = answered instanceof PrintedBody ? answered : print(answered);
    return Buffer.concat(parts).toString();
  } catch (error) {
    const isTooMuch = error instanceof WriteTooLarge || error instanceof AccountFull;
    const nameOf = request.nameOf ?? ((parameter) => `--${parameter}`);
    throw named(isTooMuch ? failureOf(error) : error, op, nameOf);
  }
}

function pairsOf(values: OperationRequest["values"]): readonly Pair[] {
  return Object.entries(values).flatMap(([name, value]) =>
    [value ?? []].flat().map((text): Pair => [name, text]),
  );
}

function pageOf({ path }: Operation, pairs: readonly Pair[], size: number) {
  const others = pairs.filter(([name]) => name !== "page");
  const url = (number: number): string =>
    `${serverAddress()}${path}?${printForm([...others, ["page", String(number)]])}`;
  return { number: Number(pairs.find(([name]) => name === "page")?.[1] ?? 1), size, url };
}

type FindOwner = (db: Db, id: number) => Promise<{ readonly account_id: number } | undefined>;

/** Functions that find the owner of an item, by parameter. */
const owners: Readonly<Record<string, FindOwner>> = {
  calendar_id: async (db, id) => {
    const row = await findCalendarById(db, id);
    return row?.deleted_at === null ? row : undefined;
  },
  event_id: async (db, id) => (await findEvents(db, [id]))[0],
  webhook_id: (db, id) => findEndpoint(db, id),
  subscriber_id: findSubscriberById,
  sync_id: findSync,
  token_id: findToken,
  series_id: findSeries,
  delivery_id: async (db, id) => {
    const delivery = await findDelivery(db, id);
    return delivery && findEndpoint(db, delivery.endpoint_id);
  },
};

/** Owners of deleted items, for the operations that restore or purge them. */
const ownersInTrash: typeof owners = {
  calendar_id: findCalendarById,
  event_id: (db, id) => findTrashedOwner(db, { id }),
  series_id: (db, series_id) => findTrashedOwner(db, { series_id }),
};

const ownersOf = ({ tag }: Operation): typeof owners => (tag === "Trash" ? ownersInTrash : owners);

/**
 * Reports whether an operation always names an item of an account. Where `event_id` is optional, `calendar_id` is mandatory.
 */
export function namesOwner(op: Operation): boolean {
  return Object.entries(op.params.shape).some(
    ([name, schema]) => name in ownersOf(op) && (name === "event_id" || !schema.safeParse(undefined).success),
  );
}

async function accountOf(
  db: Database,
  op: Operation,
  params: Readonly<Record<string, string>>,
  account: number | undefined,
): Promise<number> {
  if (account !== undefined) {
    await requireAccount(db.read, account);
    return account;
  }
  for (const [parameter, find] of Object.entries(ownersOf(op))) {
    const id = params[parameter];
    if (id === undefined) continue;
    const found = await find(db.read, Number(id));
    if (found === undefined) throw new Error(`There is no ${parameter.replace("_id", "")} ${id}.`);
    return found.account_id;
  }
  throw new UsageError('Give the account with --account ID; run "account list" to see all.');
}

/** @throws Error when the account does not exist */
export async function requireAccount(db: Db, id: number): Promise<void> {
  if ((await findAccount(db, id)) === undefined) throw noAccount(id);
}

/** @throws Error when the account does not exist or is disabled: its tokens and links are refused */
export async function requireEnabledAccount(db: Db, id: number): Promise<void> {
  const account = await findAccount(db, id);
  if (account === undefined) throw noAccount(id);
  if (account.disabled_at !== null)
    throw new Error(`Account ${id} is disabled; run "account enable ${id}" first.`);
}

export function noAccount(id: number): Error {
  return new Error(`There is no account ${id}; run "account list" to see all.`);
}

/** @throws Error when the calendar does not exist or was deleted */
export async function existingCalendar(db: Database, id: number): Promise<CalendarRow> {
  const row = await findCalendarById(db.read, id);
  if (row === undefined || row.deleted_at !== null) throw noCalendar(id);
  return row;
}

export function noCalendar(id: number): Error {
  return new Error(`There is no calendar ${id}.`);
}

/** Returns an error that names the options of the refused parameters. */
function named(error: unknown, { params }: Operation, nameOf: (parameter: string) => string): unknown {
  if (!(error instanceof ApiError) || error.failures.length === 0) return error;
  const lines = error.failures.map(({ parameter, message }) => {
    const rule = message.replaceAll(/[a-z]+(?:_[a-z]+)+/g, (word) =>
      word in params.shape ? nameOf(word) : word,
    );
    return `${nameOf(parameter)}: ${rule}.`;
  });
  return new Error(lines.join("\n"), { cause: error });
}

export function pageAddress({ uniquekey }: Pick<CalendarRow, "uniquekey">): string {
  return `${serverAddress()}/c/${uniquekey}`;
}

/** Returns PUBLIC_URL, else the address of a server on this machine with the same settings. */
export function serverAddress(): string {
  const { PUBLIC_URL, HOST, PORT } = readConfig();
  return PUBLIC_URL ?? localUrl(HOST, PORT);
}

function localUrl(host: string, port: number): string {
  // Browsers cannot open the address that stands for all addresses.
  const reachable = host === "0.0.0.0" || host === "::" ? "127.0.0.1" : host;
  return `http://${reachable.includes(":") ? `[${reachable}]` : reachable}:${port}`;
}
