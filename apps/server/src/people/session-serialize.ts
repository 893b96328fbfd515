import { type Payload, roles } from "@kalends/spec";
import { version } from "../about.js";
import type { Principal, SignedIn } from "../accounts/principal.js";
import type { SessionRow } from "../db/rows.js";
import { grant } from "./serialize.js";
import { formatInstant } from "../time/instants.js";

export function session(
  { accountId }: Pick<Principal, "accountId">,
  { personId, name, language, accountName, grants }: SignedIn,
  can: Payload<"session">["can"],
): Payload<"session"> {
  return {
    person: { id: personId === undefined ? "" : String(personId), name, language },
    account: { id: String(accountId), name: accountName },
    role:
      grants.find(({ calendar_id }) => calendar_id === 0)?.role ??
      roles.find((role) => grants.some((given) => given.role === role)) ??
      "viewer",
    grants: grants.map(grant),
    can,
    version,
  };
}

/** Serializes a session of a list. `currentId` is the id of the request's session. */
export function listed(
  { id, device, created_at, used_at }: SessionRow,
  currentId: number,
): Payload<"sessionsList">["sessions"][number] {
  return {
    id: String(id),
    device,
    current: id === currentId,
    date_create: formatInstant(created_at),
    date_used: formatInstant(used_at),
  };
}
