import { BlockList, isIPv4 } from "node:net";
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

/** Networks that are nowhere: private, loopback, link-local, shared and reserved ones (RFC 6890). */
const nowhere = new BlockList();
for (const [network, bits] of [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.2.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 3],
] as const) {
  nowhere.addSubnet(network, bits, "ipv4");
}
for (const [network, bits] of [
  ["::", 127],
  ["2001:db8::", 32],
  ["fc00::", 7],
  ["fe80::", 10],
  ["ff00::", 8],
] as const) {
  nowhere.addSubnet(network, bits, "ipv6");
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
  if (address === undefined || nowhere.check(address, isIPv4(address) ? "ipv4" : "ipv6")) return unknownPlace;
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
