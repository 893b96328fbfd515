import { readFileSync } from "node:fs";
import { breakingChanges, type Change } from "./changes.js";
import { at, type GatedDocument } from "./documents.js";
import { alteredReleases, readJson, releasedDocuments, type Versioned, versionOf } from "./released.js";
import { compareVersions, levelOf, raised } from "./versions.js";

/** A line of openapi/approved-changes.md: one change, which it names as the gate does. */
export interface Approval extends Change {
  /** The version that brings the change. */
  readonly version: string;
  readonly reason: string;
}

/** Reads the table of approvals: version, operation, property, change, reason. In a cell, `|` is written `\|`. */
export function readApprovals(text: string): readonly Approval[] {
  const rows = text.split("\n").filter((line) => /^\| *[0-9]/.test(line));
  return rows.map((row) => {
    const [, version = "", operation = "", property = "", change = "", reason = ""] = row
      .split(/(?<!\\)\|/)
      .map((cell) =>
        cell
          .trim()
          .replaceAll("`", "")
          .replaceAll(String.raw`\|`, "|"),
      );
    return { version, operation, property, change, reason };
  });
}

/** What is wrong with a printed document and its releases, in words for who must act. */
export function documentProblems(gated: GatedDocument): readonly string[] {
  const document = readJson(at(gated.file));
  const approvals = readApprovals(readFileSync(at(gated.approvals), "utf8"));
  const current = { version: versionOf(document), document };
  return [...alteredReleases(gated), ...problems(gated, releasedDocuments(gated), current, approvals)];
}

/**
 * What is wrong with the way from the first released document to the current one, in words for who must act. Every step
 * is looked at, so an approval stays needed for as long as both its versions are kept.
 */
export function problems(
  gated: Pick<GatedDocument, "approvals" | "versionIn">,
  released: readonly Versioned[],
  current: Versioned,
  approvals: readonly Approval[],
): readonly string[] {
  const steps = [...released.toSorted((a, b) => compareVersions(a.version, b.version)), current];
  const used = new Set<Approval>();
  const found = steps.slice(1).flatMap((after, index) => {
    const before = steps[index] ?? after;
    const breaking = breakingChanges(before.document, after.document);
    const level = levelOf(before.document, after.document, breaking);
    const least = raised(before.version, level);
    const isRaised = compareVersions(after.version, least) >= 0;
    const version = isRaised ? after.version : least;
    const open = breaking.filter((change) => {
      const approval = approvals.find((line) => line.version === version && names(line, change));
      if (approval !== undefined) used.add(approval);
      return approval === undefined;
    });
    return [
      ...open.map((change) => unapproved(gated.approvals, change, version)),
      ...(isRaised ? [] : [tooLow(gated.versionIn, before.version, after.version, { level, least })]),
    ];
  });
  return [
    ...found,
    ...approvals.filter((line) => !used.has(line)).map((line) => `Approves nothing: ${rowOf(line)}`),
    ...approvals.filter(({ reason }) => reason.length < 10).map((line) => `Gives no reason: ${rowOf(line)}`),
  ];
}

function names(approval: Approval, change: Change): boolean {
  const { operation, property } = approval;
  return operation === change.operation && property === change.property && approval.change === change.change;
}

function unapproved(file: string, broken: Change, version: string): string {
  const { operation, property, change } = broken;
  const row = rowOf({ version, ...broken, reason: "why, and who was informed" });
  return `Breaking: ${operation}, ${property}: ${change}.\n  Undo it, or approve it by a line in ${file}:\n  ${row}`;
}

interface Raise {
  readonly level: string;
  readonly least: string;
}

function tooLow(file: string, before: string, after: string, { level, least }: Raise): string {
  return (
    `The document differs from released ${before} by a ${level} change, but its version is ${after}.\n` +
    `  Raise the version of ${file} to ${least} and run npm run emit.`
  );
}

export function rowOf({ version, operation, property, change, reason }: Approval): string {
  const cells = [version, operation, property, `\`${change}\``, reason];
  return `| ${cells.map((cell) => cell.replaceAll("|", String.raw`\|`)).join(" | ")} |`;
}
