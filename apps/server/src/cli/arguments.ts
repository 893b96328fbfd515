import { type Command, InvalidArgumentError } from "commander";
import { databaseUrlFault } from "../db/url.js";

/** What a command line lacks, or has too much: its exit code is 2. */
export class UsageError extends Error {}

/** Adds a command, whose argument is an id. */
export function command(parent: Command, name: string, description: string, of?: string): Command {
  const added = parent.command(name).description(description).allowExcessArguments(false);
  return of === undefined ? added : added.argument("<id>", `id of the ${of}`, id);
}

/** Returns the parser of an option of a command. Its error does not show the URL, which may have a password. */
export function databaseUrl(of: Command, option: string): (text: string) => string {
  return (url) => {
    const fault = databaseUrlFault(url);
    return fault === undefined ? url : of.error(`error: ${option} ${fault}`);
  };
}

export function notBlank(text: string): string {
  if (!/\S/.test(text)) throw new InvalidArgumentError("It must not be blank.");
  return text;
}

export function id(text: string): number {
  if (!/^[1-9][0-9]{0,14}$/.test(text)) throw new InvalidArgumentError("It must be a whole number from 1.");
  return Number(text);
}

export function onOrOff(text: string): boolean {
  if (text !== "on" && text !== "off") throw new InvalidArgumentError("It must be on or off.");
  return text === "on";
}

/** Parses "90d" or "12h" into seconds. */
export function duration(text: string): number {
  const [, count, unit] = /^([1-9][0-9]{0,4})([dh])$/.exec(text) ?? [];
  if (count === undefined)
    throw new InvalidArgumentError("It must be a number of days or hours, such as 90d or 12h.");
  return Number(count) * (unit === "d" ? 86_400 : 3_600);
}

/** @throws Error that names what would be lost, unless `--yes` was given */
export function requireYes(yes: boolean | undefined, loss: string): void {
  if (!yes) throw new Error(`${loss} Nothing was changed: give --yes to delete it.`);
}
