import { Refusal } from "./errors.js";
import type { CalendarEvent, Call } from "./state.js";

/** `*`, or entity tags with commas between them (RFC 9110 13.1.1). */
const form = /^\s*(\*|(W\/)?"[!#-~]*"(\s*,\s*(W\/)?"[!#-~]*")*)\s*$/;

/** What an operation says of its condition. Not the type Operation, whose file imports this one. */
interface Conditional {
  readonly kind: string;
  readonly hasIfMatch?: boolean;
}

/** Refuses a condition that a write cannot check: it must not be done as if it had (extensions.md X2.2). */
export function checkIfMatch({ kind, hasIfMatch = false }: Conditional, ifMatch: string | undefined): void {
  if (ifMatch === undefined || kind !== "write") return;
  if (!hasIfMatch || !form.test(ifMatch)) throw new Refusal("if_match_invalid");
}

/** The header If-Match names the `updated_times` that the caller has read (extensions.md X2.2). */
export function requireMatch({ ifMatch = "*" }: Call, { saves }: CalendarEvent): void {
  const tags = ifMatch.split(",").map((tag) => tag.trim());
  if (!tags.includes("*") && !tags.includes(`"${saves}"`)) throw new Refusal("event_changed");
}
