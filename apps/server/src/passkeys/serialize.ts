import type { Payload } from "@kalends/spec";
import type { PasskeyRow } from "../db/rows.js";
import { formatInstant } from "../time/instants.js";

/** A passkey as its own person gets it. */
export function passkey({
  id,
  device,
  synced,
  created_at,
  used_at,
}: PasskeyRow): Payload<"createPasskey">["passkey"] {
  return {
    id: String(id),
    device,
    synced: synced === 1,
    date_create: formatInstant(created_at),
    date_used: formatInstant(used_at),
  };
}
