import { accessSync, constants, existsSync, realpathSync } from "node:fs";
import { statfs } from "node:fs/promises";
import { dirname } from "node:path";
import { version } from "../about.js";
import { miscountedCalendars, newestChange } from "../calendars/queries.js";
import { failingJobs } from "../background/job-queries.js";
import { codeOf } from "../db/error-code.js";
import { type Config, readConfig, settingWarnings } from "../settings/config.js";
import { type Database, openDatabase } from "../db/open-database.js";
import { pendingMigrations } from "../db/migrate.js";
import { requireNewTables, requireWritable } from "../db/postgres/health.js";
import { inspectSqlite, requireOwnFile } from "../db/sqlite/file.js";
import { sqlitePath } from "../db/url.js";
import { providerOf } from "../people/oidc-provider.js";
import { passkeyHostOf } from "../people/verify.js";
import { startFailure } from "../process/start-failure.js";
import { openLocationFile } from "../followers/locations.js";
import { isLoopback } from "../settings/ip-address.js";
import { checkMail, failed, type Finding, ok, type Outcome, warning } from "./doctor-mail.js";
import { requireFile } from "./database.js";
import { formatTime } from "./output.js";

/** Checks an installation and changes nothing; with `mail` it sends a message there. Returns what was found; the exit code is 1 when a check failed. */
export async function runDoctor({ mail }: { readonly mail?: string } = {}): Promise<object> {
  const config = readConfig();
  const now = Math.floor(Date.now() / 1000);
  const findings = [
    { check: "release", ...ok(`${version}, on Node ${process.versions.node}`) },
    { check: "settings", ...settings(config) },
    ...(await databaseFindings(config.DATABASE_URL, now)),
    ...(await optionalFindings(config)),
    ...(await checkMail(config, mail)),
    await finding("PUBLIC_URL", () => publicUrl(config.PUBLIC_URL, now)),
    await finding("sign-in", () => signIn(config)),
    await finding("passkeys", () => passkeys(config)),
  ];
  const isWell = findings.every(({ status }) => status !== "failed");
  if (!isWell) process.exitCode = 1;
  return { ok: isWell, checks: findings };
}

/** Runs a check; an error is the reason why it failed. */
async function finding(check: string, run: () => Promise<Outcome>): Promise<Finding> {
  const outcome = await run().catch((error: unknown) => failed(startFailure(error).replace("\n", ". ")));
  return { check, ...outcome };
}

function settings({ PUBLIC_URL, TRUST_PROXY }: Config): Outcome {
  const warnings = [...settingWarnings()];
  if (PUBLIC_URL?.startsWith("https:") === true && TRUST_PROXY === false)
    warnings.push("PUBLIC_URL is https but TRUST_PROXY is off: all visitors have the address of the proxy");
  return warnings.length === 0 ? ok("accepted") : warning(warnings.join("; "));
}

/** The file is checked first: that needs no open database, and a damaged one would not open. */
async function databaseFindings(url: string, now: number): Promise<readonly Finding[]> {
  const path = sqlitePath(url);
  const ofFile =
    path === undefined
      ? []
      : [await finding("file", () => file(url, path)), await finding("disk", () => disk(path))];
  if (ofFile.some(({ status }) => status === "failed")) return ofFile;
  const ofData: Finding[] = [];
  const opened = await finding("database", async () => {
    const db = await openDatabase(url);
    try {
      ofData.push(await finding("migrations", () => migrations(db)));
      if (ofData.every(({ status }) => status === "ok")) {
        ofData.push(await finding("counters", () => counters(db)));
        ofData.push(await finding("clock", () => clock(db, now)));
        ofData.push(await finding("jobs", () => jobs(db)));
      }
      if (path === undefined) await requireWrites(db);
    } finally {
      await db.close();
    }
    return ok("it answers");
  });
  return [...ofFile, opened, ...ofData];
}

/**
 * Tries what a start and the first write need on PostgreSQL, and rolls it back. The rights of a SQLite file are checked before.
 */
async function requireWrites(db: Database): Promise<void> {
  if ((await pendingMigrations(db.read)).length > 0) await requireNewTables(db);
  else await db.transaction(requireWritable);
}

async function optionalFindings(config: Config): Promise<readonly Finding[]> {
  const { GEOIP_DATABASE: locationFile } = config;
  const findings: Finding[] = [];
  if (locationFile !== undefined)
    findings.push(await finding("GEOIP_DATABASE", () => locations(locationFile)));
  if (config.OIDC_ISSUER !== undefined) findings.push(await finding("OIDC_ISSUER", () => provider(config)));
  return findings;
}

/** A server starts even when its identity provider is unreachable. Only a sign-in shows whether the secret is right. */
async function provider(config: Config): Promise<Outcome> {
  const { OIDC_ISSUER: issuer, PUBLIC_URL: url } = config;
  await providerOf(config)?.discover();
  const known = `${issuer} answers; it must know ${url ?? "PUBLIC_URL"}/console/oidc as a redirect URI`;
  return url === undefined ? warning(`${known}, and PUBLIC_URL is not set`) : ok(known);
}

/** Passkeys belong to a host: when it changes they no longer work. */
async function passkeys({ PUBLIC_URL: url }: Config): Promise<Outcome> {
  const host = url === undefined ? "localhost" : passkeyHostOf(url);
  return ok(host === undefined ? "none: they need https and a host name in PUBLIC_URL" : `for ${host}`);
}

async function locations(file: string): Promise<Outcome> {
  await openLocationFile(file).catch((error: unknown) => {
    throw new Error(`${file} ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  });
  return ok(file);
}

/**
 * Checks the whole file: its pages, its references, and the counters of its calendars. Opened for writing, so that SQLite
 * removes the files that it creates beside the database: the user of the service could not write to them.
 */
async function file(url: string, path: string): Promise<Outcome> {
  requireFile(url);
  requireWritableFile(path);
  await requireOwnFile(path);
  const { contents } = await inspectSqlite(path, "writable");
  return ok(
    `${path}: accounts ${contents.accounts}, calendars ${contents.calendars}, events ${contents.events}`,
  );
}

/** @throws Error when this user may not write to the database, its folder or SQLite's other files */
function requireWritableFile(path: string): void {
  const real = realpathSync(path);
  const beside = [`${real}-wal`, `${real}-shm`].filter((name) => existsSync(name));
  for (const name of [real, dirname(real), ...beside]) {
    try {
      accessSync(name, constants.W_OK);
    } catch (error) {
      throw new Error(
        `This user may not write to ${name}: run doctor as the user of the service, or change its owner.`,
        { cause: error },
      );
    }
  }
}

/** Free space below which a busy service may fill the disk within a day, in bytes. */
const scarceBytes = 1_000_000_000;
const neededBytes = 100_000_000;

async function disk(path: string): Promise<Outcome> {
  const { bavail, bsize } = await statfs(dirname(path));
  const free = bavail * bsize;
  const detail = `${(free / 1e9).toFixed(1)} GB free beside the database`;
  if (free < neededBytes) return failed(detail);
  return free < scarceBytes ? warning(detail) : ok(detail);
}

async function migrations(db: Database): Promise<Outcome> {
  const pending = (await pendingMigrations(db.read)).map(({ name }) => name);
  if (pending.length === 0) return ok("none is pending");
  return warning(`pending: ${pending.join(", ")}; the server applies them when it starts`);
}

async function counters(db: Database): Promise<Outcome> {
  const ids = await miscountedCalendars(db);
  if (ids.length === 0) return ok("each calendar counts what it has");
  return failed(`other than the rows, in calendars ${ids.join(", ")}`);
}

/** Failing jobs are retried later each time; the log has the reason. */
async function jobs(db: Database): Promise<Outcome> {
  const failing = await failingJobs(db.read);
  return failing.length === 0
    ? ok("none fails")
    : warning(`failed several times in a row: ${failing.join(", ")}`);
}

/** Largest difference of clocks, in seconds. */
const clockSeconds = 120;

/** Nothing was written later than now. */
async function clock(db: Database, now: number): Promise<Outcome> {
  const newest = await newestChange(db);
  if (newest > now + clockSeconds)
    return failed(`it is ${formatTime(now)} UTC, but a calendar was changed at ${formatTime(newest)}`);
  return ok(`${formatTime(now)} UTC, after every change`);
}

/** Time limit of PUBLIC_URL, in ms, and how much of its response is read, in bytes: it may be another service. */
const publicUrlMs = 5_000;
const mostBytes = 65_536;

async function publicUrl(url: string | undefined, now: number): Promise<Outcome> {
  if (url === undefined) return warning("not set: addresses in feeds and pages come from each request");
  const response = await fetch(`${url}/healthz`, { signal: AbortSignal.timeout(publicUrlMs) }).catch(
    (error: unknown) => {
      const code = codeOf(error instanceof Error ? error.cause : undefined);
      throw new Error(`${url} does not answer from here${code === "" ? "" : ` (${code})`}${adviceOn(code)}`);
    },
  );
  if (!response.ok || (await beginningOf(response)).trim() !== '{"status":"ok"}')
    return failed(`${url}/healthz answers ${response.status}, not as this service does`);
  const apart = Math.abs(Date.parse(response.headers.get("Date") ?? "") / 1000 - now);
  return apart > clockSeconds
    ? failed(`${url} answers, but its clock is ${Math.round(apart)} s apart`)
    : ok(`${url} answers`);
}

/**
 * Checks whether people can sign in to the console: the cookie needs https, and a proxy that forwards the checked headers
 * (extensions X9.3).
 */
async function signIn({ PUBLIC_URL: url, CONSOLE_INSECURE: insecure }: Config): Promise<Outcome> {
  if (url === undefined)
    return ok("PUBLIC_URL is not set: links of kalends person lead to this machine, where sign-in works");
  const { protocol, hostname } = new URL(url);
  if (protocol === "http:" && insecure === "off" && !isLoopback(hostname))
    return warning(
      "no one can sign in: PUBLIC_URL is http; use https, or set CONSOLE_INSECURE=on where the network is trusted",
    );
  const response = await fetch(`${url}/console/api/session/`, {
    headers: { "Kalends-Console": "1" },
    signal: AbortSignal.timeout(publicUrlMs),
  }).catch(() => undefined);
  if (response === undefined) return warning(`not checked: ${url} does not answer from here`);
  const text = await beginningOf(response);
  if (text.includes('"session_missing"'))
    return ok(protocol === "https:" ? `works at ${url}/console` : `works at ${url}/console, over plain http`);
  if (text.includes('"request_foreign"'))
    return failed("the proxy does not pass on the header Kalends-Console: no one can sign in");
  return failed(`${url}/console/api/session/ answers ${response.status}, not as this service does`);
}

/** Returns the beginning of a body as text; empty when it fails or takes too long. */
async function beginningOf({ body }: Response): Promise<string> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const piece of body ?? []) {
      const bytes: Uint8Array = piece;
      pieces.push(bytes);
      length += bytes.length;
      if (length >= mostBytes) break; // closes the connection
    }
  } catch {
    return "";
  }
  return Buffer.concat(pieces).toString();
}

/** Node trusts only the public authorities, not those of the system. The codes are those of OpenSSL. */
function adviceOn(code: string): string {
  if (!/CERT|SIGNATURE/.test(code)) return "";
  return "; for a certificate of an authority of your own set NODE_EXTRA_CA_CERTS to a file with that of the authority";
}
