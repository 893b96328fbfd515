import { fileURLToPath } from "node:url";

/** A document that is kept when it is released, and compared with its releases. */
export interface GatedDocument {
  /** The printed document. */
  readonly file: string;
  /** The folder of its releases, with a slash behind it. */
  readonly released: string;
  /** The table of its approved breaking changes. */
  readonly approvals: string;
  /** Where its `version` is declared. */
  readonly versionIn: string;
}

export const contractDocument = {
  file: "openapi.json",
  released: "openapi/released/",
  approvals: "openapi/approved-changes.md",
  versionIn: "contractInfo in src/document-info.ts",
} as const satisfies GatedDocument;

export const extensionsDocument = {
  file: "openapi-kalends.json",
  released: "openapi/released-kalends/",
  approvals: "openapi/approved-changes-kalends.md",
  versionIn: "extensionsInfo in src/document-info.ts",
} as const satisfies GatedDocument;

export const gatedDocuments: readonly GatedDocument[] = [contractDocument, extensionsDocument];

/** The place of a file of this package. An absolute path stays as it is. */
export function at(path: string): string {
  return fileURLToPath(new URL(path, new URL("../../", import.meta.url)));
}
