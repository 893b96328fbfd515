import { type LookupAddress, promises as dns } from "node:dns";
import { isIP, type LookupFunction } from "node:net";
import ipaddr from "ipaddr.js";
import { isForBenchmarks, parseAddress } from "../settings/ip-address.js";

/** The message is for the owner of the endpoint. */
export class AddressRefused extends Error {}

/** Parts of 2000::/3 that are not public, or embed any IPv4 address. */
const notGlobal6 = ["2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"].map((range) =>
  ipaddr.IPv6.parseCIDR(range),
);
const global6 = ipaddr.IPv6.parseCIDR("2000::/3");

/** Bytes 8 to 11 of an ISATAP address, whose last four are an IPv4 address, in any network (RFC 5214 6.1). */
const isatap = new Set(["0,0,94,254", "2,0,94,254"]);

/**
 * Reports whether an IP address is one of the public Internet. Of IPv6 only the global unicast range is, without tunnels: so
 * neither addresses that stand for IPv4 ones nor ranges that have no purpose yet. Never throws.
 */
export function isPublicAddress(address: string): boolean {
  const parsed = parseAddress(address);
  if (parsed === undefined) return false;
  if (parsed instanceof ipaddr.IPv4) return parsed.range() === "unicast" && !isForBenchmarks(parsed);
  if (isatap.has(parsed.toByteArray().slice(8, 12).join(","))) return false;
  return parsed.match(global6) && !notGlobal6.some((range) => parsed.match(range));
}

/** Returns the IP address of a URL without a host name. The URL parser has normalized decimal, octal and hexadecimal forms. */
export function literalAddress({ hostname }: URL): string | undefined {
  const bare = hostname.replace(/^\[|\]$/g, "");
  return isIP(bare) === 0 ? undefined : bare;
}

/** Rejects when the name has no addresses. */
export type Resolve = (hostname: string) => Promise<readonly LookupAddress[]>;

const loopback: readonly LookupAddress[] = [
  { address: "127.0.0.1", family: 4 },
  { address: "::1", family: 6 },
];

/**
 * Returns a function that queries the name servers of the system. Not `dns.lookup`, which has four threads for the whole
 * process, the database included: some names without an answer would stop the API. So /etc/hosts is not read.
 */
export function createResolve(servers?: readonly string[]): Resolve {
  const resolver = new dns.Resolver({ timeout: 2_000, tries: 2 });
  if (servers !== undefined) resolver.setServers(servers);
  return async (hostname) => {
    if (/^(?:.*\.)?localhost\.?$/i.test(hostname)) return loopback; // RFC 6761 6.3
    const found = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    const addresses = found.flatMap((result, index) =>
      result.status === "fulfilled"
        ? result.value.map((address) => ({ address, family: index === 0 ? 4 : 6 }))
        : [],
    );
    if (addresses.length === 0) throw new AddressRefused("The host name has no address.");
    return addresses;
  };
}

/**
 * Returns the look-up of a connection, which passes it the checked addresses: a name cannot change its address between check
 * and connection. One address that is not public refuses all. All errors go to the callback.
 */
export function guardedLookup(resolve: Resolve, allowsPrivate: boolean): LookupFunction {
  const usable = async (
    hostname: string,
    family: unknown,
  ): Promise<readonly [LookupAddress, ...LookupAddress[]]> => {
    const addresses = await resolve(hostname);
    // Without the address: account owners must not learn how names resolve in the server's network.
    if (!allowsPrivate && !addresses.every(({ address }) => isPublicAddress(address)))
      throw new AddressRefused("The host name has an address that is not public.");
    const isUsable = (each: LookupAddress) => (family !== 4 && family !== 6) || each.family === family;
    const [first, ...others] = addresses.filter(isUsable);
    if (first === undefined) throw new AddressRefused("The host name has no address.");
    return [first, ...others];
  };
  return (hostname, { all, family }, callback) => {
    usable(hostname, family)
      .then(([first, ...others]) => {
        if (all === true) callback(null, [first, ...others]);
        else callback(null, first.address, first.family);
      })
      .catch((error: Error) => callback(error, [], 0))
      .catch(() => undefined); // thrown by the callback: what connects ends at its time limit
  };
}

const longestUrl = 2_048;

/**
 * Returns why a URL is refused as an endpoint; undefined when it is accepted. The addresses of its name are checked at each
 * attempt.
 */
export function refusalOf(text: string, allowsPrivate: boolean): string | undefined {
  if (text.length > longestUrl) return `must be a URL of at most ${longestUrl} characters`;
  if (!URL.canParse(text)) return "must be a URL with a valid host, and a port of at most 65535";
  const url = new URL(text);
  if (url.protocol !== "https:" && !(allowsPrivate && url.protocol === "http:"))
    return "must begin with https://";
  if (url.username !== "" || url.password !== "") return "must hold no user name and no password";
  if (url.hash !== "") return "must have no fragment";
  const literal = literalAddress(url);
  if (!allowsPrivate && literal !== undefined && !isPublicAddress(literal))
    return "must not name an address that is not public";
  return undefined;
}
