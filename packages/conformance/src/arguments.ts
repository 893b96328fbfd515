import { readFileSync } from "node:fs";
import { InvalidArgumentError } from "commander";
import { type KnownFailures, parseKnownFailures } from "./engine/baseline.js";
import { isRunId } from "./engine/session.js";
import { parseReportFiles, type ReportFile } from "./report/files.js";
import { listChecks } from "./run.js";

const largestSeed = 2 ** 32 - 1;

/** Names of the parts of the suite. */
export function profiles(): readonly string[] {
  return [...new Set(listChecks().map(({ profile }) => profile))];
}

export function commas(text: string): readonly string[] {
  return text.split(",").filter((part) => part !== "");
}

export function profileNames(text: string): readonly string[] {
  const names = commas(text);
  const unknown = names.find((name) => !profiles().includes(name));
  if (unknown === undefined) return names;
  throw new InvalidArgumentError(`There is no profile ${unknown}; there are ${profiles().join(", ")}.`);
}

export function address(text: string): string {
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return text;
  throw new InvalidArgumentError("Expected an http or https address.");
}

export function runId(text: string): string {
  if (isRunId(text)) return text;
  throw new InvalidArgumentError("Expected the runId of a report.");
}

export function wholeNumber(text: string): number {
  if (/^[0-9]{1,9}$/.test(text)) return Number(text);
  throw new InvalidArgumentError("Expected a whole number.");
}

export function positiveNumber(text: string): number {
  const number = wholeNumber(text);
  if (number > 0) return number;
  throw new InvalidArgumentError("Expected a whole number from 1.");
}

export function seed(text: string): number {
  if (/^[0-9]{1,10}$/.test(text) && Number(text) <= largestSeed) return Number(text);
  throw new InvalidArgumentError(`Expected a whole number up to ${largestSeed}.`);
}

export function reportFiles(text: string): readonly ReportFile[] {
  const files = parseReportFiles(text);
  if (typeof files !== "string") return files;
  throw new InvalidArgumentError(files);
}

export function knownFailures(file: string): KnownFailures {
  const known = parseKnownFailures(readText(file));
  if (typeof known !== "string") return known;
  throw new InvalidArgumentError(`${file}: ${known}.`);
}

function readText(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw new InvalidArgumentError(error instanceof Error ? error.message : String(error));
  }
}
