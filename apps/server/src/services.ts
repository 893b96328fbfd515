import type { Logger } from "pino";
import type { Database } from "./db/database.js";

/** What pages, jobs and senders work with. */
export interface Services {
  readonly db: Database;
  readonly log: Logger;
  readonly clock: () => number;
}
