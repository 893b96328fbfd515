import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import type { Readable } from "node:stream";
import {
  describeParameters,
  type Operation,
  type OperationId,
  operationIds,
  operations,
} from "@kalends/spec";
import { type Command, Option } from "commander";
import { ApiError } from "../http/errors.js";
import { type FileText, fileText } from "../http/file-text.js";
import { command, id as idOf } from "./arguments.js";
import { reports, requireThere } from "./database.js";
import { printable, printPieces } from "./output.js";
import { callOperation, namesOwner } from "./run-operation.js";

/** Adds a command for each operation of the spec, with the parameters under their own names. */
export function addCall(program: Command): void {
  const call = command(program, "call", "run any operation of the API, and print its response");
  for (const id of operationIds) addOperation(call, id, operations[id]);
}

interface CallOptions {
  readonly account?: number;
  readonly file?: string;
}

function addOperation(call: Command, id: OperationId, op: Operation): void {
  const to = command(call, id, plain(op.description)).summary(op.summary).helpGroup(`${op.tag}:`);
  const { parameter: fileParameter = "" } = op.file ?? {};
  const valuesOf = addParameters(to, op, fileParameter);
  if (op.auth === "token") {
    const isNeeded = !namesOwner(op);
    const account = isNeeded
      ? "id of the account"
      : "id of the account (default: the one that has what is named)";
    to.addOption(new Option("--account <id>", account).argParser(idOf).makeOptionMandatory(isNeeded));
  }
  reports(to, async (db, now, options: CallOptions & Readonly<Record<string, unknown>>) => {
    const { text: file, encoding } = options.file === undefined ? {} : await readFile(op, options.file);
    const values = { ...valuesOf(options), ...(file === undefined ? {} : { [fileParameter]: file }) };
    const nameOf = (parameter: string): string => (parameter === fileParameter ? "--file" : `--${parameter}`);
    const request = { values, account: options.account, encoding, now, nameOf };
    const body = await callOperation(db, id, request).catch(withCode);
    if (typeof body !== "string") return printPieces(body);
    const json: unknown = JSON.parse(body);
    return json;
  });
}

/** Adds an option for each parameter. Returns a function that reads the unchecked parameters from the options. */
function addParameters(to: Command, op: Operation, fileParameter: string) {
  const attributes = describeParameters(op).flatMap(({ name, description, isFlag, isRequired, choices }) => {
    const helpGroup = isRequired ? "Required parameters:" : "Parameters:";
    if (name === fileParameter) return [];
    const value = isFlag
      ? "true|false"
      : choices.length > 0
        ? "choice"
        : name.endsWith("_id")
          ? "id"
          : "value";
    const option = new Option(`--${name} <${value}>`, plain(description))
      .argParser(collect)
      .helpGroup(helpGroup);
    if (choices.length > 0) option.argChoices = [...choices];
    to.addOption(option);
    return [[name, option.attributeName()] as const];
  });
  if (op.file !== undefined)
    to.addOption(
      new Option("--file <file>", "The file, or - for the standard input.")
        .makeOptionMandatory()
        .helpGroup("Required parameters:"),
    );
  return (options: Readonly<Record<string, unknown>>) =>
    Object.fromEntries(
      attributes.map(([name, attribute]) => {
        const value = options[attribute];
        return [name, Array.isArray(value) ? value.map(String) : undefined];
      }),
    );
}

function collect(text: string, before: readonly string[] | undefined): readonly string[] {
  return [...(before ?? []), text];
}

function plain(markdown: string): string {
  return markdown.replaceAll("`", "");
}

/** @throws Error whose message begins with the error_type, by which docs/errors.md explains it */
function withCode(error: unknown): never {
  throw error instanceof ApiError ? new Error(`${error.code}: ${error.message}`, { cause: error }) : error;
}

/** After this time without input from a pipe or a terminal the command prints that it waits for it, in ms. */
const silentMs = 3_000;

/** Returns the file of an operation as its parameter: in base64 unless it is a text. */
async function readFile({ file }: Operation, name: string): Promise<Partial<FileText>> {
  if (file?.isBinary !== true) return readText(name);
  return { text: (await readBytes(name, file.bytes, "make it smaller")).toString("base64") };
}

/**
 * Reads a calendar file, or the standard input for "-".
 * @throws Error when it does not exist or is too large; ApiError when its encoding is invalid
 */
export async function readText(file: string, charset?: string): Promise<FileText> {
  const bytes = await readBytes(file, operations.calendarsImport.file.bytes, "split it");
  return fileText(bytes, charset === undefined ? "" : `text/calendar; charset=${charset}`);
}

async function readBytes(file: string, most: number, advice: string): Promise<Buffer> {
  const source = file === "-" ? process.stdin : await openedFile(file);
  const name = file === "-" ? "the standard input" : printable(file);
  const timer = setTimeout(() => console.error(`waiting for ${name} …`), silentMs);
  const pieces: Buffer[] = [];
  let length = 0;
  try {
    for await (const piece of source) {
      clearTimeout(timer);
      const bytes: Buffer = piece;
      length += bytes.length;
      if (length > most) throw new Error(`The file is larger than ${most / 1_000_000} MB; ${advice}.`);
      pieces.push(bytes);
    }
  } finally {
    clearTimeout(timer);
  }
  return Buffer.concat(pieces);
}

async function openedFile(file: string): Promise<Readable> {
  requireThere(file, `The file ${file} does not exist.`);
  if ((await stat(file)).isDirectory()) throw new Error(`${file} is a folder: name a file in it.`);
  return createReadStream(file);
}
