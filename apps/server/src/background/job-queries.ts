import type { Db } from "../db/database.js";
import type { JobRow } from "../db/rows.js";

const jobs = (db: Db) => db<JobRow>("jobs");

/** A job that failed is retried after a minute, then after twice as long each time, up to an hour: in seconds. */
const [shortest, longest] = [60, 3_600];

/**
 * Counts an attempt of a job and stores when the next one may begin, which it returns, in Unix seconds: until then no other server
 * begins it. Undefined when it is too early, or another server runs the job.
 */
export async function takeJob(trx: Db, name: string, now: number): Promise<number | undefined> {
  await jobs(trx).insert({ name, attempts: 0, next_at: 0 }).onConflict("name").ignore();
  const row = await jobs(trx).where({ name }).where("next_at", "<=", now).forUpdate().first();
  if (row === undefined) return undefined;
  const pause = Math.min(shortest * 2 ** Math.min(row.attempts, 10), longest);
  const taken = { attempts: row.attempts + 1, next_at: now + pause };
  await jobs(trx).where({ name }).update(taken);
  return taken.next_at;
}

/** Clears the attempts of a job that has succeeded, unless another server has begun it since. @param taken what `takeJob` returned */
export async function endJob(trx: Db, name: string, taken: number): Promise<void> {
  await jobs(trx).where({ name, next_at: taken }).update({ attempts: 0, next_at: 0 });
}

/** Deletes the row of a job that runs only once. */
export async function forgetJob(trx: Db, name: string): Promise<void> {
  await jobs(trx).where({ name }).delete();
}

/** Deletes jobs whose name has this beginning and that were not tried for a day: their work no longer exists. */
export async function forgetLeftJobs(trx: Db, beginning: string, now: number): Promise<void> {
  await jobs(trx)
    .where("name", "like", `${beginning}%`)
    .where("next_at", "<", now - 86_400)
    .delete();
}

/** `doctor` reports a job after so many failures in a row. */
const mostAttempts = 3;

export async function failingJobs(db: Db): Promise<readonly string[]> {
  return jobs(db).where("attempts", ">=", mostAttempts).orderBy("name").pluck("name");
}
