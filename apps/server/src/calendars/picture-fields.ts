import type { ParameterFailure } from "@kalends/spec";
import type { Db } from "../db/database.js";
import { keepPicture } from "./picture-queries.js";

/** A picture and its alternative text; both are empty where there is none. */
export interface Picture {
  readonly id: string;
  readonly alt: string;
}

type InvalidParameter = (code: "parameter_invalid", failures: readonly ParameterFailure[]) => Error;

export type PictureName = "picture" | "logo";

/**
 * Returns the picture of an item after a write; undefined when the write does not set it. The alternative text is mandatory,
 * for people who do not see the picture (extensions X11.2).
 */
export function pictureAfter(
  name: PictureName,
  sent: { readonly [Part in keyof Picture]: string | undefined },
  before: Picture,
  error: InvalidParameter,
): Picture | undefined {
  if (sent.id === undefined && sent.alt === undefined) return undefined;
  const id = sent.id ?? before.id;
  const alt = sent.alt ?? (id === before.id ? before.alt : "");
  const invalid = (message: string, code: "missing" | "not_allowed"): Error =>
    error("parameter_invalid", [{ parameter: `${name}_alt`, message, code }]);
  if (id !== "" && alt.trim() === "")
    throw invalid(
      `is required beside ${name}_id: what the picture shows, for people who do not see it`,
      "missing",
    );
  if (id === "" && sent.alt !== undefined && sent.alt !== "")
    throw invalid(`must be given together with ${name}_id`, "not_allowed");
  return { id, alt: id === "" ? "" : alt };
}

/**
 * Ensures that the account has the picture that a write refers to, and keeps it from being purged.
 * @throws Error that names the parameter
 */
export async function requirePicture(
  trx: Db,
  accountId: number,
  hash: string | undefined,
  error: InvalidParameter,
  name: PictureName = "picture",
): Promise<void> {
  if (hash === undefined || hash === "" || (await keepPicture(trx, accountId, hash))) return;
  const message =
    "must be the id of a picture of this account; one that nothing refers to is gone after a day";
  throw error("parameter_invalid", [{ parameter: `${name}_id`, message, code: "not_allowed" }]);
}
