import type { Payload } from "@kalends/spec";
import { namesOf } from "../calendars/category-names.js";
import type { ShownSubscriber } from "../db/columns.js";
import type { SubscriberRow } from "../db/rows.js";
import { formatDateTime } from "../time/formats.js";
import { formatInstant, instantOrNone } from "../time/instants.js";
import { toLocal } from "../time/zones.js";

type Details = Payload<"subscribersBlock">["subscriber"];

/** A subscriber as the extensions return it, everywhere (extensions X1.3). */
export function subscriberDetails(row: SubscriberRow): Details {
  const { unfollowed_at, categories } = row;
  return {
    id: String(row.id),
    calendar_id: String(row.calendar_id),
    name: row.name,
    email: row.email,
    ip: row.ip,
    postal: row.postal ?? "",
    city: row.city ?? "",
    state: row.state ?? "",
    country: row.country ?? "",
    calendar_type: row.calendar_type,
    active: row.active === 1,
    blocked: row.blocked === 1,
    categories: [...namesOf(categories ?? "")],
    date_subscribed: formatInstant(row.subscribed_at),
    date_seen: formatInstant(row.last_seen_at),
    date_unfollowed: instantOrNone(unfollowed_at),
  };
}

/** The same for someone who does not see followers (extensions X9.1): it does not say who it is, nor where. */
export function withoutPerson(details: Details): Details {
  return { ...details, name: "", email: "", ip: "", postal: "", city: "", state: "", country: "" };
}

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
