import type { Service } from "./exchange.js";

/** A subscriber of a calendar. What is not given is unknown. */
export interface NewSubscriber {
  readonly calendar_id: string;
  readonly name?: string | undefined;
  readonly email?: string | undefined;
  readonly postal?: string | undefined;
  readonly city?: string | undefined;
  /** `ZZ`, an unknown country, when not given (rulings R5.5). */
  readonly country?: string | undefined;
  /** `ical` when not given (rulings R5.6). */
  readonly calendar_type?: string | undefined;
  /** `true` when not given. */
  readonly active?: boolean | undefined;
  /** `false` when not given. */
  readonly blocked?: boolean | undefined;
  /** Now when not given. */
  readonly since?: Date | undefined;
}

/** @throws RangeError when there is no such calendar */
export function addSubscriber({ state, now }: Service, subscriber: NewSubscriber): string {
  const calendarId = Number(subscriber.calendar_id);
  if (state.calendars.get(calendarId)?.deleted !== false) throw new RangeError("no such calendar");
  const id = state.subscribers.length + 1;
  const { since, name, email, postal, city, country, calendar_type, active, blocked } = subscriber;
  state.subscribers.push({
    id,
    calendarId,
    name: name ?? "",
    email: email ?? "",
    postal,
    city,
    country: country ?? "ZZ",
    since: since === undefined ? now() : Math.floor(since.getTime() / 1000),
    calendarType: calendar_type ?? "ical",
    active: active ?? true,
    blocked: blocked ?? false,
  });
  return String(id);
}
