import type { Operation } from "@kalends/spec";
import type * as z from "zod";
import { findAccount } from "../accounts/queries.js";
import type { Database, Db } from "../db/connect.js";
import type { Page } from "../db/paging.js";
import { ApiError } from "../http/errors.js";
import { checkCharacters, readParams } from "../http/params.js";
import type { Pair } from "../http/query.js";

/** What the API's handlers get; wide enough for each of them. */
export interface HandlerContext {
  readonly db: Database;
  readonly now: number;
  readonly accountId: number;
  readonly page: Page;
  readonly wrote: () => void;
  readonly requireMatch: () => void;
  readonly isKept: boolean;
  readonly cached: <T>(version: unknown, make: () => Promise<T>) => Promise<T>;
  readonly error: (code: ApiError["code"], failures?: ApiError["failures"]) => ApiError;
}

/** Returns the context of a handler, so that commands follow the same rules as requests. `now` is in Unix seconds. */
export function handlerContext(db: Database, accountId: number, now: number): HandlerContext {
  return {
    db,
    now,
    accountId,
    wrote: () => undefined,
    requireMatch: () => undefined,
    isKept: false,
    page: { number: 1, size: 1, url: () => "" },
    cached: (_version, make) => make(),
    error: (code, failures) => new ApiError(code, failures),
  };
}

/** @throws Error when the account does not exist */
export async function requireAccount(db: Db, id: number): Promise<void> {
  if ((await findAccount(db, id)) === undefined)
    throw new Error(`There is no account ${id}; run "account list" to see all.`);
}

/** Returns the parameters of an operation, by its schema `params`; undefined values count as absent. @throws Error that names the options of those refused */
export function accepted<Schema extends z.ZodType>(
  op: Operation,
  params: Schema,
  values: Readonly<Record<string, string | undefined>>,
): z.output<Schema> {
  const pairs = Object.entries(values).flatMap(([name, value]): Pair[] =>
    value === undefined ? [] : [[name, value]],
  );
  try {
    checkCharacters(pairs, op);
    return params.parse(readParams(op, pairs));
  } catch (error) {
    throw named(error);
  }
}

/** Runs a handler. @throws Error whose message names the option of every parameter that was refused */
export async function namingOptions<T>(running: Promise<T>): Promise<T> {
  try {
    return await running;
  } catch (error) {
    throw named(error);
  }
}

function named(error: unknown): unknown {
  if (!(error instanceof ApiError) || error.failures.length === 0) return error;
  const lines = error.failures.map(
    ({ parameter, message }) =>
      `${optionOf(parameter)}: ${message.replaceAll(/[a-z]+(?:_[a-z]+)+/g, optionOf)}.`,
  );
  return new Error(lines.join("\n"), { cause: error });
}

/** Options whose names are shorter than those of their parameters. */
const optionNames: Readonly<Record<string, string>> = {
  account_id: "account",
  all_day_event: "all-day",
  calendar_id: "calendar",
  end_date: "end",
  start_date: "start",
};

function optionOf(parameter: string): string {
  return `--${optionNames[parameter] ?? parameter.replaceAll("_", "-")}`;
}
