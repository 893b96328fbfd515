import type { Payload } from "@kalends/spec";
import { showsFollowers } from "../accounts/principal.js";
import type { Grant, GrantRow, PersonRow } from "../db/rows.js";
import { formatInstant } from "../time/instants.js";

type Shown = Payload<"peopleList">["people"][number];

export function grant({ calendar_id, ...given }: Grant): Shown["grants"][number] {
  return {
    calendar_id: calendar_id === 0 ? "" : String(calendar_id),
    role: given.role,
    sees_followers: showsFollowers(given),
  };
}

export const status = ({
  disabled_at,
  joined_at,
}: Pick<PersonRow, "disabled_at" | "joined_at">): Shown["status"] =>
  disabled_at !== null ? "disabled" : joined_at === null ? "invited" : "active";

/** A person as the owners of the account get it. */
export function person(
  { id, name, email, language, created_at, ...states }: PersonRow,
  grants: readonly GrantRow[],
): Shown {
  return {
    id: String(id),
    name,
    email,
    language,
    status: status(states),
    grants: grants.filter(({ person_id }) => person_id === id).map(grant),
    date_create: formatInstant(created_at),
  };
}
