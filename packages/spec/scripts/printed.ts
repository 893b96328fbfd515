import { fileURLToPath } from "node:url";
import { Document, isScalar, visit } from "yaml";
import { forGenerators } from "../src/document-generators.js";
import { description, extensionsForGenerators, generatorTexts } from "../src/document-info.js";
import { extensionsDocument, openApiDocument } from "../src/document.js";
import { allErrors, errors } from "../src/errors.js";
import { failureCodes } from "../src/failures.js";

export interface PrintedFile {
  readonly path: string;
  readonly text: string;
  /** Whether a diff of it is read: the others are printed by the build. */
  readonly isCommitted: boolean;
}

/** The files that are printed from the operation table. */
export function printedFiles(): readonly PrintedFile[] {
  const document = openApiDocument("3.0.3");
  const extensions = extensionsDocument();
  const committed = (path: string, text: string): PrintedFile => ({
    path: at(path),
    text,
    isCommitted: true,
  });
  const built = (path: string, text: string): PrintedFile => ({ path: at(path), text, isCommitted: false });
  return [
    committed("openapi.json", json(document)),
    committed("openapi.yaml", yaml(document)),
    built("openapi-3.1.json", json(openApiDocument("3.1.0"))),
    built("openapi-generators.json", json(forGenerators(document, description(generatorTexts)))),
    committed("openapi-kalends.json", json(extensions)),
    built("openapi-kalends.yaml", yaml(extensions)),
    built("openapi-kalends-generators.json", json(forGenerators(extensions, extensionsForGenerators))),
    committed("../../docs/errors.md", errorsPage()),
  ];
}

const at = (path: string): string => fileURLToPath(new URL(`../${path}`, import.meta.url));

/**
 * YAML that readers of version 1.1 (PyYAML, Ruby, Go's yaml.v2) and of 1.2 read alike: what either takes for a number, a time or a
 * boolean is quoted. Aliases and folded lines confuse tools of OpenAPI. Lists of plain values stay on one line.
 */
function yaml(value: unknown): string {
  const document = new Document(value, { aliasDuplicateObjects: false, version: "1.1" });
  visit(document, {
    Seq(_key, sequence) {
      sequence.flow = sequence.items.every((item) => isScalar(item));
    },
  });
  return document.toString({ lineWidth: 0, doubleQuotedMinMultiLineLength: Number.MAX_SAFE_INTEGER });
}

const lineWidth = 120;

/** JSON in which a list of plain values, and whatever else fits, stays on one line: diffs that read like the table. */
function json(value: unknown): string {
  return `${block(value, "")}\n`;
}

function block(value: unknown, indent: string): string {
  const line = JSON.stringify(value, null, 1).replaceAll(/\n */g, " ");
  if (typeof value !== "object" || value === null || line.length + indent.length <= lineWidth) return line;
  const inner = `${indent} `;
  if (!Array.isArray(value)) {
    const members = Object.entries(value).map(
      ([key, item]) => `${inner}${JSON.stringify(key)}: ${block(item, inner)}`,
    );
    return `{\n${members.join(",\n")}\n${indent}}`;
  }
  if (value.every((item) => typeof item === "string")) return line;
  return `[\n${value.map((item) => inner + block(item, inner)).join(",\n")}\n${indent}]`;
}

function errorRows(isOfContract: boolean): string {
  const rows = Object.entries(allErrors)
    .filter(([code]) => code in errors === isOfContract)
    .toSorted(([a, { status: first }], [b, { status: second }]) => first - second || (a < b ? -1 : 1))
    .map(([code, { status, message }]) => `| ${status} | \`${code}\` | ${message} |`);
  return rows.join("\n");
}

function codeRows(): string {
  const rows = Object.entries(failureCodes).map(([code, description]) => `| \`${code}\` | ${description} |`);
  return rows.join("\n");
}

function errorsPage(): string {
  return `# Errors

Printed from \`packages/spec/src/errors.ts\` by \`npm run emit\`; do not edit.

Every error answer has the HTTP status also in \`meta.code\`, a stable \`meta.error_type\`, a sentence in
\`meta.error_message\`, the \`meta.request_id\` and, on 400, every failing parameter in \`meta.errors\`.

| Status | error_type | error_message |
|---|---|---|
${errorRows(true)}

## Errors of the extensions

Operations of the contract answer them only to callers that send \`Idempotency-Key\` or \`If-Match\`: see [Extensions](extensions.md).

| Status | error_type | error_message |
|---|---|---|
${errorRows(false)}

## Codes of parameters

In errors of the extensions each member of \`meta.errors\` also has a \`code\`, so that a program can say in its reader's language what is
wrong, and where one number is the limit, \`limit\`: \`{"parameter":"title","message":"must be at most 255 characters","code":"too_long","limit":255}\`.
Codes are added, not removed: show the message of one that you do not know.

| code | What is wrong with the parameter |
|---|---|
${codeRows()}
`;
}
