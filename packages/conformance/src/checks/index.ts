import { readdirSync } from "node:fs";
import { clauses } from "../clauses.js";
import type { Check, ChecksFile } from "../engine/check.js";
import { extensionsProfile } from "../engine/select.js";

const folder = new URL(".", import.meta.url);
const names = readdirSync(folder)
  .filter((name) => /^(?!index).*(?<!\.d)\.[jt]s$/.test(name))
  .toSorted((one, other) => one.localeCompare(other, "en", { numeric: true }));
/** The files of this folder, each named after the section that its checks cite. */
const files: readonly ChecksFile[] = await Promise.all(names.map((name): Promise<ChecksFile> => import(new URL(name, folder).href)));

const all: readonly Check[] = files
  .flatMap((file) => file.checks)
  .map((check) => ({ ...check, sentence: check.covers[0] === undefined ? "" : clauses[check.covers[0]] }));
const isExtension = ({ profile }: Check): boolean => profile === extensionsProfile;

/** Every check of the contract, in its order. */
export const checks: readonly Check[] = all.filter((check) => !isExtension(check));
/** Checks of what Kalends offers beyond the contract (docs/extensions.md): they run when `--profile` or `--only` names them. */
export const extensionChecks: readonly Check[] = all.filter(isExtension);
