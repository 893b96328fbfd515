import type { Database } from "../db/connect.js";
import { rescheduleEvents } from "../events/rezone.js";
import { tzdataVersion } from "../time/zones.js";
import type { Report } from "./database.js";

/** Reschedules every future event from its wall clock, even when the stored tzdata version is current. */
export async function updateZones(db: Database, now: number): Promise<Report> {
  const rescheduled = await rescheduleEvents(db, now);
  return {
    json: { tzdata_version: tzdataVersion, moved: rescheduled },
    text: `Zone data ${tzdataVersion}: ${rescheduled === 1 ? "1 event" : `${rescheduled} events`} rescheduled.`,
  };
}
