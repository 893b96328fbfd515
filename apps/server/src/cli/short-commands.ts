import { operations, type OperationId, type Operation, type Payload } from "@kalends/spec";
import type { Command } from "commander";
import type * as z from "zod";
import type { Database } from "../db/open-database.js";
import { command, id as idOf, type Json } from "./arguments.js";
import { confirm } from "./terminal.js";
import { type Report, withDatabase } from "./database.js";
import { namesOwner, type OperationRequest, runOperation } from "./run-operation.js";
import { addParameters, parametersWithout, plain } from "./parameters.js";

/** What a report is made of beside the answer. */
interface ReportContext {
  readonly db: Database;
  /** Id of the account, where the command names it. */
  readonly account: number | undefined;
  /** What `before` has found. */
  readonly waiting: Payload<"redeliverWebhook">["delivery"] | undefined;
}

type MakeReport = (body: unknown, context: ReportContext) => Promise<Report>;

export interface ShortCommand {
  readonly name: string;
  readonly does: string;
  readonly operation: OperationId;
  /** The parameter that is an argument, and what it is the id of. */
  readonly argument?: readonly [parameter: string, what: string];
  /** Parameters that have these values; the others are options. */
  readonly fixed?: Readonly<Record<string, string>>;
  /** Most items of a list, unless `--limit` says another number. */
  readonly limit?: number;
  /** Describes what would be lost, to be confirmed. */
  readonly loss?: (db: Database, id: number) => Promise<string>;
  /** Finds what the report needs to know of the state before the operation. */
  readonly before?: (db: Database, id: number) => Promise<ReportContext["waiting"]>;
  readonly report: MakeReport;
}

/** Returns what reports an answer: in words, or in words and as JSON. */
export function reporting<Schema extends z.ZodType<object>>(
  payload: Schema,
  describe: (payload: z.output<Schema>, context: ReportContext) => string | Report | Promise<string | Report>,
): MakeReport {
  return async (body, context) => {
    const json = payload.parse(body);
    const described = await describe(json, context);
    return typeof described === "string" ? { json, text: described } : described;
  };
}

/** Parameters whose options have other names or texts than the spec has for them. */
const shown: Readonly<Record<string, { readonly name: string; readonly text?: string }>> = {
  all_day_event: { name: "all-day", text: "it lasts all day" },
  calendar_id: { name: "calendar" },
  calendarname: { name: "name" },
  color_id: { name: "color" },
  end_date: { name: "end", text: "when it ends" },
  palette_id: { name: "palette" },
  rrule: { name: "rrule", text: "how it repeats (RFC 5545), such as 'FREQ=WEEKLY;COUNT=10'" },
  start_date: { name: "start", text: "when it begins, such as '2026-12-31 20:00'" },
  timezone: { name: "timezone", text: "time zone, such as Europe/Berlin" },
  types: { name: "types", text: "what to send, such as event.created,event.saved (default: all)" },
  url: { name: "url", text: "where messages are sent: https, on the public Internet" },
  with_person: { name: "with-person", text: "with the names and e-mail addresses of subscribers" },
};

const nameOf = (parameter: string): string => shown[parameter]?.name ?? parameter.replaceAll("_", "-");

/** The first sentence of the spec's description, in the style of the other commands. */
function firstSentence(description: string): string {
  const [first = ""] = plain(description).split(/(?<=\w)[.:;] /);
  return `${first.charAt(0).toLowerCase()}${first.slice(1).replace(/\.$/, "")}`;
}

interface ShortOptions extends Json {
  readonly account?: number;
  readonly limit?: number;
  readonly yes?: boolean;
}

export function addShortCommand(parent: Command, short: ShortCommand): void {
  const { name, does, argument, fixed = {}, limit, loss } = short;
  const op: Operation = operations[short.operation];
  const to = command(parent, name, does, argument?.[1]);
  if (!namesOwner(op)) to.requiredOption("--account <id>", "id of the account", idOf);
  const without = ["page", argument?.[0] ?? "", ...Object.keys(fixed)];
  const valuesOf = addParameters(to, {
    parameters: parametersWithout(op, without),
    nameOf,
    describe: ({ name: parameter, description }) => shown[parameter]?.text ?? firstSentence(description),
    isShort: true,
    changes: op.partial === true,
  });
  if (limit !== undefined) to.option("--limit <number>", "how many", idOf, limit);
  if (loss !== undefined) to.option("--yes", "do not ask for confirmation");
  to.option("--json", "print one JSON line");
  to.action((...given: readonly unknown[]) => {
    const options: ShortOptions & Readonly<Record<string, unknown>> = to.opts();
    const argued: OperationRequest["values"] =
      argument === undefined ? {} : { [argument[0]]: String(given[0]) };
    const values = { ...valuesOf(options), ...argued, ...fixed };
    return withDatabase(async (db, now) => {
      if (loss !== undefined && !options.yes) await confirm(await loss(db, Number(given[0])));
      return run(db, short, { values, now, ...options });
    }, options);
  });
}

async function run(
  db: Database,
  { operation, argument, before, report }: ShortCommand,
  { values, now, account, limit }: ShortOptions & Pick<OperationRequest, "values" | "now">,
): Promise<Report> {
  const waiting = await before?.(db, Number(values[argument?.[0] ?? ""]));
  const body = await runOperation(db, operation, {
    values,
    now,
    account,
    pageSize: limit,
    nameOf: (parameter) => (parameter === argument?.[0] ? "id" : `--${nameOf(parameter)}`),
  });
  return report(JSON.parse(body), { db, account, waiting });
}
