import { type Payload, roles } from "@kalends/spec";
import { version } from "../about.js";
import type { Principal, SignedIn } from "../accounts/principal.js";
import type { GrantRow, SessionRow } from "../db/rows.js";
import { formatInstant } from "../time/instants.js";

/** A session as its own person gets it. */
export function session(
  { accountId }: Pick<Principal, "accountId">,
  { personId, name, language, accountName, grants }: SignedIn,
): Payload<"getSession"> {
  return {
    person: { id: personId === undefined ? "" : String(personId), name, language },
    account: { id: String(accountId), name: accountName },
    role:
      grants.find(({ calendar_id }) => calendar_id === 0)?.role ??
      roles.find((role) => grants.some((given) => given.role === role)) ??
      "viewer",
    grants: grants.map(grant),
    can: { mail: false, passkeys: false, oidc: false },
    version,
  };
}

/** What a person may do in one calendar, or in all. */
export function grant({
  calendar_id,
  role,
  sees_followers,
}: Omit<GrantRow, "person_id">): Payload<"getSession">["grants"][number] {
  return {
    calendar_id: calendar_id === 0 ? "" : String(calendar_id),
    role,
    sees_followers: sees_followers === 1,
  };
}

/** A session in a list. `currentId` is the id of that of the request. */
export function listed(
  { id, device, created_at, used_at }: SessionRow,
  currentId: number,
): Payload<"listSessions">["sessions"][number] {
  return {
    id: String(id),
    device,
    current: id === currentId,
    date_create: formatInstant(created_at),
    date_used: formatInstant(used_at),
  };
}
