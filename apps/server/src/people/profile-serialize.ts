import { accentColors, type Payload } from "@kalends/spec";
import type { KeyedAccount } from "../db/rows.js";
import { formatInstant } from "../time/instants.js";

/** An account as the extensions return it (extensions X11.1). */
export function account(row: KeyedAccount): Payload<"accountDetails">["account"] {
  return {
    id: String(row.id),
    name: row.name,
    key: row.key,
    website: row.website,
    imprint_url: row.imprint_url,
    privacy_url: row.privacy_url,
    logo_id: row.logo_id,
    logo_alt: row.logo_alt,
    picture_id: row.picture_id,
    picture_alt: row.picture_alt,
    accent: row.accent,
    colors: accentColors(row.accent),
    date_create: formatInstant(row.created_at),
  };
}
