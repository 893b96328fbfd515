import { type Payload, accentColors } from "@kalends/spec";
import { showsFollowers } from "../accounts/principal.js";
import type { Grant, GrantRow, PersonRow, PasskeyRow, KeyedAccount } from "../db/rows.js";
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

export function passkey(row: PasskeyRow): Payload<"passkeysCreate">["passkey"] {
  return {
    id: String(row.id),
    device: row.device,
    synced: row.synced === 1,
    date_create: formatInstant(row.created_at),
    date_used: formatInstant(row.used_at),
  };
}

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
