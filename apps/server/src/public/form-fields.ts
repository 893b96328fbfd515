import { operations } from "@kalends/spec";
import { sortedNames } from "../calendars/category-names.js";
import type { Pair } from "../http/query-string.js";
import { type App, apps } from "../followers/agents.js";

export interface FollowForm {
  readonly app: App;
  /** "" when not given. */
  readonly name: string;
  readonly email: string;
}

export const fieldNames = ["app", "name", "email"] as const;

/** A field that an error page names. */
export type FieldName = (typeof fieldNames)[number] | "calendars";

/** A follower's name and e-mail address follow the rules that the API has for an organizer. */
const { organizer, organizer_email } = operations.createEvent.params.shape;

/** Reads the form; returns the names of the invalid fields when there are any. Ignores unknown fields (rulings R1.4). */
export function readFollowForm(pairs: readonly Pair[]): FollowForm | readonly FieldName[] {
  const [app, name, email] = fieldNames.map((field) => readField(pairs, field));
  const chosen = apps.find((one) => one === app);
  const isName = name !== undefined && organizer.safeParse(name).success;
  const isEmail = email !== undefined && organizer_email.safeParse(email).success;
  if (chosen !== undefined && isName && isEmail) return { app: chosen, name, email };
  const isValid = { app: chosen !== undefined, name: isName, email: isEmail };
  return fieldNames.filter((field) => !isValid[field]);
}

/** Returns the e-mail address of a form; undefined when it has none, or another text. */
export function readEmail(pairs: readonly Pair[]): string | undefined {
  const email = readField(pairs, "email") ?? "";
  return email !== "" && organizer_email.safeParse(email).success ? email : undefined;
}

/**
 * Returns the categories that a form picks of those offered, as a row has them; null for everything. A form that offers none has
 * no field `choose`, so that it picks nothing by leaving all out.
 */
export function readCategories(pairs: readonly Pair[], offered: readonly string[]): string | null {
  if (!pairs.some(([name]) => name === "choose")) return null;
  const sent = new Set(pairs.flatMap(([name, value]) => (name === "category" ? [value] : [])));
  const picked = offered.filter((name) => sent.has(name));
  return picked.length === offered.length ? null : sortedNames(picked);
}

/**
 * Returns the value of a field without surrounding white space, which phone keyboards add; "" when it is absent; undefined
 * when it is repeated, a list, or contains control characters.
 */
function readField(pairs: readonly Pair[], field: FieldName): string | undefined {
  const sent = pairs.filter(([name]) => name.replace(/\[.*$/s, "") === field);
  const [[name, value] = [field, ""]] = sent;
  const isInvalid = sent.length > 1 || name !== field || /(?!\t)\p{Cc}/u.test(value);
  return isInvalid ? undefined : value.trim();
}
