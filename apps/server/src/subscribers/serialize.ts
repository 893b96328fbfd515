import type { Payload } from "@kalends/spec";
import type { ShownSubscriber } from "../db/columns.js";
import { formatDateTime } from "../time/formats.js";
import { toLocal } from "../time/zones.js";

/** The text that stands for an unknown postal code, city or state (contract 2.5). */
const unknown = "null";

/** A subscriber (contract 2.5); `zone` is the calendar's (rulings R5.5). */
export function subscriber(
  row: ShownSubscriber,
  zone: string,
): Payload<"getSubscriber">["subscribers"][number] {
  return {
    id: String(row.id),
    name: row.name,
    email: row.email,
    ip: row.ip,
    postal: row.postal ?? unknown,
    city: row.city ?? unknown,
    state: row.state ?? unknown,
    country: row.country ?? "ZZ", // unknown is ZZ, not the text null (rulings R5.5)
    date: formatDateTime(toLocal(row.subscribed_at, zone)),
    unixtime_stamp: row.subscribed_at,
    calendar_type: row.calendar_type,
    active: row.active === 1 ? "true" : "false",
    blocked: row.blocked === 1 ? "true" : "false",
  };
}
