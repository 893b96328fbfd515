import type { Database } from "../db/connect.js";
import { rescheduleEvents } from "../events/rezone.js";
import { tzdataVersion } from "../time/zones.js";
import type { Report } from "./database.js";

/** Computes every coming event anew from its wall clock, whatever the database remembers of the zone data. */
export async function updateZones(db: Database, now: number): Promise<Report> {
  const moved = await rescheduleEvents(db, now);
  return {
    json: { tzdata_version: tzdataVersion, moved },
    text: `Zone data ${tzdataVersion}: ${moved === 1 ? "1 event" : `${moved} events`} moved.`,
  };
}
