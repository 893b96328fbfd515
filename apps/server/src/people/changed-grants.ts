import { type ParameterFailure, roles } from "@kalends/spec";
import type { Grant } from "../db/rows.js";

/** A change of a person's grants; absent fields stay. */
export interface GrantChange {
  readonly role?: Grant["role"] | undefined;
  /** Ids of calendars; 0 alone stands for all. */
  readonly calendars?: readonly number[] | undefined;
  readonly seesFollowers?: boolean | undefined;
}

/**
 * Returns the grants of a person after a change (extensions X9.1), or the parameter that refuses it. A role is changed only
 * where the person has one, so that its reach never grows; a new calendar gets the least role that the person has.
 */
export function changedGrants(
  before: readonly Grant[],
  { role, calendars, seesFollowers }: GrantChange,
): readonly Grant[] | ParameterFailure {
  const ids = calendars ?? before.map(({ calendar_id }) => calendar_id);
  const changes = role ?? calendars ?? seesFollowers;
  if (ids.length === 0 && changes !== undefined)
    return missing("calendar_ids", "is required for someone who has no calendar");
  const [leastRole] = before
    .map((grant) => grant.role)
    .toSorted((a, b) => roles.indexOf(b) - roles.indexOf(a));
  const leastSight = Math.min(1, ...before.map((grant) => grant.sees_followers));
  const grants: Grant[] = [];
  for (const calendar_id of new Set(ids)) {
    const own = before.find((grant) => grant.calendar_id === calendar_id);
    const given = role ?? own?.role ?? leastRole;
    if (given === undefined) return missing("role", "is required for someone who has none");
    const sight = before.length === 0 ? 0 : (own?.sees_followers ?? leastSight);
    const sees_followers = seesFollowers === undefined ? sight : Number(seesFollowers);
    grants.push({ calendar_id, role: given, sees_followers });
  }
  if (seesFollowers === false && grants.some((grant) => grant.role === "owner")) return ownerSees;
  return grants;
}

const missing = (parameter: string, message: string): ParameterFailure => ({
  parameter,
  message,
  code: "missing",
});

const ownerSees: ParameterFailure = {
  parameter: "sees_followers",
  message: "must not be false for an owner, who sees everything; give another role",
  code: "not_allowed",
};
