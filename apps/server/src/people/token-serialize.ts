import type { Payload } from "@kalends/spec";
import type { TokenRow } from "../db/rows.js";
import { formatInstant, instantOrNone } from "../time/instants.js";

type Shown = Payload<"tokensRevoke">["token"];

export function tokenStatus(
  { revoked_at, expires_at }: Pick<TokenRow, "revoked_at" | "expires_at">,
  now: number,
): Shown["status"] {
  if (revoked_at !== null) return "revoked";
  return expires_at !== null && expires_at <= now ? "expired" : "valid";
}

/** Serializes a token. `currentId` is the id of the request's token. */
export function token(row: TokenRow, now: number, currentId: number | undefined): Shown {
  return {
    id: String(row.id),
    name: row.name,
    scope: row.scope,
    ends_in: row.last_four,
    status: tokenStatus(row, now),
    current: row.id === currentId,
    date_create: formatInstant(row.created_at),
    date_expires: instantOrNone(row.expires_at),
    date_used: instantOrNone(row.last_used_at),
  };
}
