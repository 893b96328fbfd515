import ipaddr from "ipaddr.js";
import maxmind, { type Response } from "maxmind";
import { z } from "zod";
import { ConfigError } from "../config.js";

/** Where an address is, as far as is known. `country` is a two-letter code (ISO 3166-1). */
export interface Place {
  readonly country: string | null;
  readonly state: string | null;
  readonly city: string | null;
  readonly postal: string | null;
}

/** The place of a canonical IP address (addresses.ts). Never fails: what cannot be told is unknown. */
export type FindPlace = (address: string | undefined) => Promise<Place>;

export const unknownPlace: Place = { country: null, state: null, city: null, postal: null };

/** Ranges whose addresses have a location. Databases resolve those of the tunnels to the IPv4 address inside. */
const located: ReadonlySet<string> = new Set(["unicast", "6to4", "teredo", "rfc6052", "rfc6145"]);

/** For benchmarks (RFC 2544); ipaddr.js counts it as unicast. */
const benchmarks = ipaddr.IPv4.parseCIDR("198.18.0.0/15");

/** Returns false for private, loopback, link-local, shared and reserved addresses (RFC 6890). */
function isLocated(address: string): boolean {
  const parsed = ipaddr.parse(address);
  if (parsed instanceof ipaddr.IPv4 && parsed.match(benchmarks)) return false;
  return located.has(parsed.range());
}

/**
 * Opens the MMDB file of the setting GEOIP_DATABASE; without one, every place is unknown.
 * @throws ConfigError when the file is not there or no MMDB database.
 */
export async function openPlaces(path: string | undefined): Promise<FindPlace> {
  if (path === undefined) return () => Promise.resolve(unknownPlace);
  const reader = await openFile(path);
  return (address) => Promise.resolve(placeIn(reader, address));
}

interface Reader {
  get(address: string): unknown;
}

async function openFile(path: string): Promise<Reader> {
  try {
    return await maxmind.open<Response>(path);
  } catch (error) {
    const missing = error instanceof Error && "code" in error && error.code === "ENOENT";
    throw new ConfigError(
      `These settings are not accepted:\n  GEOIP_DATABASE must be the path of an MMDB file, or empty; that file ${
        missing ? "is not there" : "cannot be read as one"
      }\nSee apps/server/.env.example.`,
    );
  }
}

function placeIn(reader: Reader, address: string | undefined): Place {
  if (address === undefined || !isLocated(address)) return unknownPlace;
  try {
    return placeOf(reader.get(address));
  } catch {
    return unknownPlace; // a file that is damaged inside: no reason to refuse a follower
  }
}

const text = z.string().min(1).max(255).catch("").optional();
const named = z
  .object({ names: z.object({ en: text }).optional(), iso_code: text })
  .partial()
  .catch({});

/** What the databases in use hold: GeoLite2 and DB-IP nest their places, others are flat. */
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

/** The place that a record of an MMDB database tells. */
export function placeOf(value: unknown): Place {
  const result = record.safeParse(value);
  if (!result.success) return unknownPlace;
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
