import type { Handlers } from "../http/handler.js";
import { formatOffset, listedZones, standardOffset } from "../time/zones.js";

/** The list changes only when the clock passes a change of some zone's rules, so it is made once an hour at most. */
const lifetimeSeconds = 3600;
let made:
  { readonly at: number; readonly payload: Awaited<ReturnType<Handlers["listTimeZones"]>> } | undefined;

export const timezoneHandlers = {
  async listTimeZones(_params, { now }) {
    if (made === undefined || now < made.at || now >= made.at + lifetimeSeconds) {
      const data = listedZones().map((label) => ({
        label,
        offset: formatOffset(standardOffset(label, now)),
      }));
      made = { at: now, payload: { data } };
    }
    return made.payload;
  },
} satisfies Pick<Handlers, "listTimeZones">;
