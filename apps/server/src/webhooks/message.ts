import { randomUUID } from "node:crypto";
import { eventTexts } from "../db/columns.js";
import { formatInstant } from "../time/instants.js";
import type { webhookTypes } from "@kalends/spec";
import type { WebhookDeliveryRow } from "../db/rows.js";

export type WebhookType = (typeof webhookTypes)[number];

/** The type of the message with which an owner tests an endpoint, whatever its types. */
export const testType = "webhook.test";

export type ListedDelivery = Omit<WebhookDeliveryRow, "payload" | "subscriber_id">;

/** A change that is sent to an account's endpoints. */
export interface Announcement {
  readonly accountId: number;
  readonly calendarId: number;
  readonly type: WebhookType;
  readonly now: number;
  /** The member `data` of the payload. It holds no name or e-mail address of a person. */
  readonly data: object;
  /** `data` with name and e-mail address, for endpoints with `with_person`. */
  readonly withPerson?: { readonly subscriberId: number; readonly data: object };
}

export interface Message {
  readonly messageId: string;
  readonly payload: string;
  /** For endpoints with `with_person`; null without a person. */
  readonly personPayload: string | null;
}

/** Returns the message of an announcement, with a unique id. */
export function messageOf(
  of: Pick<Announcement, "now" | "data" | "withPerson"> & { readonly type: string },
): Message {
  const { type, now, data, withPerson } = of;
  const print = (content: object): string => printPayload(type, now, content);
  return {
    messageId: `msg_${randomUUID().replaceAll("-", "")}`,
    payload: print(data),
    personPayload: withPerson === undefined ? null : print(withPerson.data),
  };
}

/**
 * Standard Webhooks recommends small payloads: if one has more characters than `most`, long texts are shortened to an eighth of
 * that. Global to the process, like the setting: commands send messages too.
 */
const payloads = { most: 16_384, shortened: 0 };

/** Sets how many characters a payload may have before its texts are shortened. */
export function limitPayloads(most: number): void {
  payloads.most = most;
}

/** Returns how many payloads this process has shortened. */
export function shortenedPayloads(): number {
  return payloads.shortened;
}

/** Prints a payload as Standard Webhooks recommends. `now` is in Unix seconds. */
function printPayload(type: string, now: number, data: object): string {
  const timestamp = formatInstant(now);
  const text = JSON.stringify({ type, timestamp, data });
  if (text.length <= payloads.most) return text;
  payloads.shortened++;
  const mostInText = Math.floor(payloads.most / 8);
  const shortened: unknown = JSON.parse(JSON.stringify(data), (_key, value: unknown) =>
    typeof value === "string" ? shorten(value, mostInText) : value,
  );
  return JSON.stringify({ type, timestamp, shortened: true, data: shortened });
}

function shorten(text: string, most: number): string {
  if (text.length <= most) return text;
  return text.slice(0, most).replace(/[\ud800-\udbff]$/, "");
}

/** Returns a payload with empty name and e-mail address. */
export function withoutPerson(payload: string): string {
  return JSON.stringify(
    JSON.parse(payload, (key, value: unknown) => (key === "name" || key === "email" ? "" : value)),
  );
}

/** Returns the id of the event of a payload; undefined without one. */
export function eventOf(payload: string): number | undefined {
  const { data }: { readonly data?: { readonly event?: { readonly id?: string } } } = JSON.parse(payload);
  return data?.event?.id === undefined ? undefined : Number(data.event.id);
}

const noTexts: Readonly<Record<string, unknown>> = {
  ...Object.fromEntries(eventTexts.map((name) => [name, ""])),
  categories: [],
  custom_data: {},
};

export function withoutTexts(payload: string): string {
  return JSON.stringify(
    JSON.parse(payload, (key, value: unknown) => (Object.hasOwn(noTexts, key) ? noTexts[key] : value)),
  );
}
