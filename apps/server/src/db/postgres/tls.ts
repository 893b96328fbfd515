import { readFileSync } from "node:fs";
import type { ConnectionOptions } from "node:tls";
import pg from "pg";
import { type TimeLimits, timeLimits } from "./time-limits.js";

/** The address of a PostgreSQL server, and the parameters that are read here instead of by pg. */
export interface PostgresAddress {
  readonly connectionString: string;
  readonly ssl: ConnectionOptions | false;
  /** Time limit to connect, in milliseconds, if the URL has one. */
  readonly connectMs?: number;
  readonly limits: TimeLimits;
}

/** Parameters of the URL that are read here: pg applies some of them less strictly than they are defined. */
const ownParameters = [
  "sslmode",
  "ssl",
  "sslrootcert",
  "sslcert",
  "sslkey",
  "uselibpqcompat",
  "connect_timeout",
  ...timeLimits,
] as const;

/**
 * Reads what a `postgres:` URL says of TLS. Over a network the server must prove that it is the one of the URL (verify-full)
 * unless the URL says `sslmode=disable`; on this machine there is no TLS unless it is asked for. `require` and `verify-ca`
 * count as verify-full. `sslrootcert`, `sslcert` and `sslkey` name PEM files. `connect_timeout` is in seconds.
 * @throws Error for a mode that would believe any server, an unknown one, or a file that cannot be read.
 */
export function postgresAddress(url: string): PostgresAddress {
  const [base = "", query = ""] = url.split(/\?(.*)/s);
  const params = new URLSearchParams(query);
  const { sslmode, ssl, sslrootcert, sslcert, sslkey, connect_timeout } = Object.fromEntries(params);
  const given = timeLimits.filter((name) => /^\d+$/.test(params.get(name) ?? ""));
  const limits = Object.fromEntries(given.map((name) => [name, Number(params.get(name))]));
  for (const name of ownParameters) params.delete(name);
  const connectionString = params.size === 0 ? base : `${base}?${params.toString()}`;
  const seconds = Number(connect_timeout);
  const limit = { ...(seconds > 0 ? { connectMs: seconds * 1_000 } : {}), limits };
  const isOn = usesTls(sslmode ?? modeOf(ssl), isThisMachine(new pg.Client({ connectionString }).host));
  if (!isOn) return { connectionString, ssl: false, ...limit };
  const ca = sslrootcert === undefined || sslrootcert === "system" ? undefined : readFileSync(sslrootcert);
  return {
    connectionString,
    ...limit,
    ssl: {
      rejectUnauthorized: true,
      ...(ca === undefined ? {} : { ca }),
      ...(sslcert === undefined ? {} : { cert: readFileSync(sslcert) }),
      ...(sslkey === undefined ? {} : { key: readFileSync(sslkey) }),
    },
  };
}

/** The parameter `ssl` of pg. */
function modeOf(ssl: string | undefined): string | undefined {
  if (ssl === undefined) return undefined;
  return /^(?:0|false)$/.test(ssl) ? "disable" : "verify-full";
}

function usesTls(mode: string | undefined, isLocal: boolean): boolean {
  switch (mode) {
    case "disable":
      return false;
    case undefined:
    case "allow":
    case "prefer":
      return !isLocal;
    case "require":
    case "verify-ca":
    case "verify-full":
      return true;
    case "no-verify":
      throw new Error(
        "DATABASE_URL has sslmode=no-verify, which believes any server. Use sslmode=verify-full, with sslrootcert=FILE where the " +
          "certificate is not of a public authority; or sslmode=disable on a network that you trust.",
      );
    default:
      throw new Error(`DATABASE_URL has an unknown sslmode. Use verify-full or disable.`);
  }
}

function isThisMachine(host: string): boolean {
  return /^(?:\/.*|@.*|(?:.*\.)?localhost|127(?:\.\d{1,3}){3}|\[?::1\]?)$/.test(host);
}
