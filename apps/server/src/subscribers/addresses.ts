import ipaddr from "ipaddr.js";
import { canonicalIPv6, parseAddress } from "../http/ip-address.js";

/** How much of a follower's address is stored (setting STORE_IP). */
export type StoreIp = "full" | "truncated" | "off";

/**
 * Returns an IP address in its canonical form (RFC 5952), an IPv4-mapped IPv6 address as IPv4. Removes the port, brackets
 * and zone that some proxies send. Returns undefined when the text is not an address: a proxy's header may hold anything.
 */
export function canonicalAddress(text: string | undefined): string | undefined {
  if (text === undefined || text.length > 64) return undefined;
  const [, inBrackets, beforePort] = /^(?:\[([^\]]*)\](?::[0-9]+)?|([0-9.]+):[0-9]+)$/.exec(text) ?? [];
  const [bare = ""] = (inBrackets ?? beforePort ?? text).split("%");
  const parsed = parseAddress(bare);
  if (parsed === undefined) return undefined;
  return print(
    parsed instanceof ipaddr.IPv6 && parsed.isIPv4MappedAddress() ? parsed.toIPv4Address() : parsed,
  );
}

/** Returns what is stored of a canonical address: all of it, its network (IPv4 /24, IPv6 /48) or "". */
export function storedAddress(address: string | undefined, store: StoreIp): string {
  if (address === undefined || store === "off") return "";
  return store === "full" ? address : networkOf(address, { ipv4: 24, ipv6: 48 });
}

/** Returns the network of a canonical address. The prefix lengths are whole bytes. */
export function networkOf(
  address: string,
  length: { readonly ipv4: 24 | 32; readonly ipv6: 48 | 64 },
): string {
  const parsed = ipaddr.parse(address);
  const bytes = length[parsed.kind()] / 8;
  return print(ipaddr.fromByteArray(parsed.toByteArray().map((byte, index) => (index < bytes ? byte : 0))));
}

/** ipaddr.js shortens the last of equal runs of zeros, RFC 5952 the first. */
function print(address: ipaddr.IPv4 | ipaddr.IPv6): string {
  return address.kind() === "ipv4" ? address.toString() : canonicalIPv6(address.toNormalizedString());
}
