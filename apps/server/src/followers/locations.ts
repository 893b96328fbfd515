import ipaddr from "ipaddr.js";
import type { Response } from "maxmind";
import * as z from "zod";
import { settingsFile } from "../about.js";
import { codeOf } from "../db/error-code.js";
import { ConfigError } from "../settings/config.js";
import { isForBenchmarks, parseAddress } from "../settings/ip-address.js";

/** The location of an IP address; null where unknown. `country` is a two-letter code (ISO 3166-1). */
export interface Location {
  readonly country: string | null;
  readonly state: string | null;
  readonly city: string | null;
  readonly postal: string | null;
}

/** Returns the location of a canonical IP address (stored-ip.ts). Never rejects: on any failure the location is unknown. */
export type FindLocation = (address: string | undefined) => Promise<Location>;

export const unknownLocation: Location = { country: null, state: null, city: null, postal: null };

/** Ranges whose addresses have a location. Databases resolve those of the tunnels to the IPv4 address inside. */
const located: ReadonlySet<string> = new Set(["unicast", "6to4", "teredo", "rfc6052", "rfc6145"]);

/** Returns false for private, loopback, link-local, shared and reserved addresses (RFC 6890). */
function isLocated(address: string): boolean {
  const parsed = parseAddress(address);
  if (parsed === undefined || (parsed instanceof ipaddr.IPv4 && isForBenchmarks(parsed))) return false;
  return located.has(parsed.range());
}

/**
 * Opens the MMDB file of the setting GEOIP_DATABASE. Without one, every location is unknown.
 * @throws ConfigError when the file does not exist or is not an MMDB database.
 */
export async function openLocations(path: string | undefined): Promise<FindLocation> {
  if (path === undefined) return () => Promise.resolve(unknownLocation);
  const reader = await openLocationFile(path).catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ConfigError(
      `These settings are not accepted:\n  GEOIP_DATABASE must be empty or the path of an MMDB file; this file ${reason}\nSee ${settingsFile}.`,
    );
  });
  return (address) => Promise.resolve(lookUp(reader, address));
}

interface Reader {
  get(address: string): unknown;
}

/** Opens an MMDB file. @throws Error whose message continues "this file …" */
export async function openLocationFile(path: string): Promise<Reader> {
  const { default: maxmind } = await import("maxmind"); // not in the start of a server without it
  try {
    return await maxmind.open<Response>(path);
  } catch (error) {
    const code = codeOf(error);
    if (code === "ENOENT") throw new Error("does not exist", { cause: error });
    if (code === "EACCES") throw new Error("may not be read by this user", { cause: error });
    throw new Error("is not an MMDB database", { cause: error });
  }
}

function lookUp(reader: Reader, address: string | undefined): Location {
  if (address === undefined || !isLocated(address)) return unknownLocation;
  try {
    return locationOf(reader.get(address));
  } catch {
    return unknownLocation; // a damaged file is no reason to refuse a follower
  }
}

const text = z.string().min(1).max(255).catch("").optional();
const named = z
  .object({ names: z.object({ en: text }).optional(), iso_code: text })
  .partial()
  .catch({});

/** The records of the databases in use: GeoLite2 and DB-IP have nested fields, others flat ones. */
const record = z
  .object({
    country: named,
    city: z.union([z.string(), named]),
    subdivisions: z.array(named),
    postal: z.union([z.string(), z.object({ code: text })]),
    country_code: text,
    state: text,
    state1: text,
    region: text,
    postcode: text,
    zip_code: text,
  })
  .partial();

/** Reads the location from a record of an MMDB database. */
export function locationOf(value: unknown): Location {
  const result = record.safeParse(value);
  if (!result.success) return unknownLocation;
  const found = result.data;
  const [subdivision] = found.subdivisions ?? [];
  const country = found.country?.iso_code ?? found.country_code ?? "";
  return {
    country: /^[A-Z]{2}$/.test(country) ? country : null,
    state: first(subdivision?.names?.en, subdivision?.iso_code, found.state, found.state1, found.region),
    city: first(typeof found.city === "string" ? found.city : found.city?.names?.en),
    postal: first(
      typeof found.postal === "string" ? found.postal : found.postal?.code,
      found.postcode,
      found.zip_code,
    ),
  };
}

function first(...texts: readonly (string | undefined)[]): string | null {
  return texts.find((one) => one !== undefined && one !== "") ?? null;
}
