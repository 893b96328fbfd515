import { type Payload, roles } from "@kalends/spec";
import { version } from "../about.js";
import type { Principal, SignedIn } from "../accounts/principal.js";
import type { KeyedAccount, PersonRow, SessionRow, SignInLinkRow, TitledGrant } from "../db/rows.js";
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

/** What a sign-in link shows of the account to who holds it. */
interface Inviting {
  readonly account: KeyedAccount;
  readonly inviter: PersonRow | undefined;
  readonly grants: readonly TitledGrant[];
}

export function invitation(
  { name, joined_at, expires_at }: PersonRow & Pick<SignInLinkRow, "expires_at">,
  { account, inviter, grants }: Inviting,
): Payload<"sessionLink"> {
  return {
    invitation: {
      account: { name: account.name, logo_id: account.logo_id },
      person: name,
      invited_by: inviter?.name ?? "",
      joined: joined_at !== null,
      grants: grants.map(({ title, ...given }) => {
        const { role, sees_followers } = grant(given);
        return { calendar: title, role, sees_followers };
      }),
      date_expires: formatInstant(expires_at),
    },
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
