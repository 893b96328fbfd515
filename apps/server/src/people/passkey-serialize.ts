import type { Payload } from "@kalends/spec";
import type { PasskeyRow } from "../db/rows.js";
import { formatInstant } from "../time/instants.js";

/** A passkey as its own person gets it. */
export function passkey(row: PasskeyRow): Payload<"passkeysCreate">["passkey"] {
  return {
    id: String(row.id),
    device: row.device,
    synced: row.synced === 1,
    date_create: formatInstant(row.created_at),
    date_used: formatInstant(row.used_at),
  };
}
