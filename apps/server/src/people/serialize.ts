import type { Payload } from "@kalends/spec";
import type { GrantRow, PersonRow } from "../db/rows.js";
import { formatInstant } from "../time/instants.js";

type Shown = Payload<"listPeople">["people"][number];

/** What a person may do in one calendar, or in all. */
export function grant({
  calendar_id,
  role,
  sees_followers,
}: Omit<GrantRow, "person_id">): Shown["grants"][number] {
  return {
    calendar_id: calendar_id === 0 ? "" : String(calendar_id),
    role,
    sees_followers: sees_followers === 1,
  };
}

/** A person as the owners of the account get it. */
export function person(
  { id, name, email, language, disabled_at, created_at }: PersonRow,
  grants: readonly GrantRow[],
  isInvited: boolean,
): Shown {
  return {
    id: String(id),
    name,
    email,
    language,
    status: disabled_at !== null ? "disabled" : isInvited ? "invited" : "active",
    grants: grants.filter(({ person_id }) => person_id === id).map(grant),
    date_create: formatInstant(created_at),
  };
}
