import { type Payload, webhookTypes } from "@kalends/spec";
import type { WebhookEndpointRow } from "../db/rows.js";
import { formatInstant, instantOrNone } from "../time/instants.js";
import type { ListedDelivery } from "./message.js";

export function webhook(row: WebhookEndpointRow): Payload<"webhooksEnable">["webhook"] {
  return {
    id: String(row.id),
    url: row.url,
    types: webhookTypes.filter((type) => row.types.includes(`,${type},`)),
    calendar_id: row.calendar_id === null ? "" : String(row.calendar_id),
    with_person: row.with_person === 1,
    status: row.state === "enabled" ? "enabled" : "disabled",
    disabled_reason: row.disabled_reason ?? "",
    date_disabled: instantOrNone(row.disabled_at),
    date_create: formatInstant(row.created_at),
  };
}

export function delivery(row: ListedDelivery): Payload<"webhooksRedeliver">["delivery"] {
  const isWaiting = row.state === "pending" && row.attempts > 0;
  return {
    id: String(row.id),
    webhook_id: String(row.endpoint_id),
    calendar_id: row.calendar_id === 0 ? "" : String(row.calendar_id),
    message_id: row.message_id,
    type: row.type,
    status: row.state,
    attempts: row.attempts,
    response_status: row.status ?? 0,
    error: row.error ?? "",
    duration_ms: row.duration_ms ?? 0,
    date_create: formatInstant(row.created_at),
    date_attempted: instantOrNone(row.attempted_at),
    date_next: instantOrNone(isWaiting ? row.next_at : null),
  };
}
