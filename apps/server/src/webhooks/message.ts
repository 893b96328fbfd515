import { randomUUID } from "node:crypto";
import { eventTexts } from "../db/columns.js";
import { formatInstant } from "../time/instants.js";
import type { WebhookType } from "./types.js";

/** A change that an account's endpoints receive. */
export interface Announcement {
  readonly accountId: number;
  readonly calendarId: number;
  readonly type: WebhookType;
  /** Unix seconds. */
  readonly now: number;
  /** The member `data` of the payload. It holds no name or e-mail address of a person. */
  readonly data: object;
  /** The same with them, for endpoints with `with_person`. */
  readonly withPerson?: { readonly subscriberId: number; readonly data: object };
}

/** The texts of a message, as they are stored and sent. */
export interface Message {
  readonly messageId: string;
  readonly payload: string;
  /** For endpoints with `with_person`; null when there is no person in it. */
  readonly personPayload: string | null;
}

/** Returns the texts of an announcement, with an id that no other has. */
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
 * Standard Webhooks recommends small payloads: in one with more characters than `most`, long texts are shortened to an eighth of
 * that. Of the process, as its environment is: every write makes messages, on the command line too.
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

/** Never ends in half of a surrogate pair. */
function shorten(text: string, most: number): string {
  if (text.length <= most) return text;
  return text.slice(0, most).replace(/[\ud800-\udbff]$/, "");
}

/** Returns a payload with empty texts for a person's name and e-mail address. */
export function withoutPerson(payload: string): string {
  return JSON.stringify(
    JSON.parse(payload, (key, value: unknown) => (key === "name" || key === "email" ? "" : value)),
  );
}

/** Returns the id of the event that a payload is about; undefined when it is about none. */
export function eventOf(payload: string): number | undefined {
  const { data }: { readonly data?: { readonly event?: { readonly id?: string } } } = JSON.parse(payload);
  return data?.event?.id === undefined ? undefined : Number(data.event.id);
}

const noTexts: Readonly<Record<string, unknown>> = {
  ...Object.fromEntries(eventTexts.map((name) => [name, ""])),
  categories: [],
  custom_data: {},
};

/** Returns a payload about an event without what its owner has written. */
export function withoutTexts(payload: string): string {
  return JSON.stringify(
    JSON.parse(payload, (key, value: unknown) => (Object.hasOwn(noTexts, key) ? noTexts[key] : value)),
  );
}
