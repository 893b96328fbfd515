import { Command, InvalidArgumentError, type ParseOptionsResult } from "commander";
import { databaseUrlFault } from "../db/url.js";

/** The option of commands that print for programs. */
export interface Json {
  readonly json?: boolean;
}

/** A command that reports an unknown option first: a required one that is missing was often misspelled. */
export class ReportingCommand extends Command {
  override createCommand(name?: string): Command {
    return new ReportingCommand(name);
  }

  override parseOptions(argv: string[]): ParseOptionsResult {
    const parsed = super.parseOptions(argv);
    // Commander looks for missing options first. An unknown one ends the command anyway.
    if (parsed.unknown.length > 0) for (const option of this.options) option.makeOptionMandatory(false);
    return parsed;
  }
}

/** Adds a command, whose argument is the id of what is named. */
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

/** Parses the interval of a sync, such as "1h", into seconds: 15 minutes to 30 days. */
export function interval(text: string): number {
  const [, count, unit] = /^([1-9][0-9]{0,5})([mhd])$/.exec(text) ?? [];
  const seconds = Number(count) * (unit === "d" ? 86_400 : unit === "h" ? 3_600 : 60);
  if (!(seconds >= 900 && seconds <= 30 * 86_400))
    throw new InvalidArgumentError("It must be 15 minutes to 30 days, such as 30m, 1h or 1d.");
  return seconds;
}
