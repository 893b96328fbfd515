import { operations } from "@kalends/spec";
import type { Pair } from "../http/query.js";
import { type App, apps } from "../subscribers/agents.js";

/** What a follower's form says. */
export interface FollowForm {
  readonly app: App;
  /** "" when not given. */
  readonly name: string;
  readonly email: string;
}

export const fieldNames = ["app", "name", "email"] as const;

export type FieldName = (typeof fieldNames)[number];

/** A person's name and e-mail address obey the rules that the API has for an organizer's. */
const { organizer, organizer_email } = operations.createEvent.params.shape;

/** Reads the form; the names of the fields that are wrong when some are. Unknown fields are ignored (rulings R1.4). */
export function readFollowForm(pairs: readonly Pair[]): FollowForm | readonly FieldName[] {
  const [app, name, email] = fieldNames.map((field) => single(pairs, field));
  const chosen = apps.find((one) => one === app);
  const isName = name !== undefined && organizer.safeParse(name).success;
  const isEmail = email !== undefined && organizer_email.safeParse(email).success;
  if (chosen !== undefined && isName && isEmail) return { app: chosen, name, email };
  const isRight = { app: chosen !== undefined, name: isName, email: isEmail };
  return fieldNames.filter((field) => !isRight[field]);
}

/**
 * The value of a field, without the white space around it that a phone's keyboard leaves; "" when it is not sent. Undefined
 * when it is sent twice, as a list, or with control characters.
 */
function single(pairs: readonly Pair[], field: FieldName): string | undefined {
  const sent = pairs.filter(([name]) => name.replace(/\[.*$/s, "") === field);
  const [[name, value] = [field, ""]] = sent;
  const isWrong = sent.length > 1 || name !== field || /(?!\t)\p{Cc}/u.test(value);
  return isWrong ? undefined : value.trim();
}
