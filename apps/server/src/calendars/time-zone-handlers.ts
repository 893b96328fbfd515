import type { Handlers } from "../http/handler.js";
import { formatOffset, listedZones, standardOffset } from "../time/zones.js";

/** The list changes only when the clock passes a change of some zone's rules, so it is made once an hour at most. */
const lifetimeSeconds = 3600;

export const timezoneHandlers = {
  listTimeZones: (_params, { now, cached }) =>
    cached(Math.floor(now / lifetimeSeconds), () => Promise.resolve({ data: zones(now) })),

  timezonesList: (_params, { now, cached }) =>
    cached(Math.floor(now / lifetimeSeconds), () => Promise.resolve({ timezones: zones(now) })),
} satisfies Partial<Handlers>;

function zones(now: number) {
  return listedZones().map((label) => ({ label, offset: formatOffset(standardOffset(label, now)) }));
}
