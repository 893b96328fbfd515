import { isIPv4, isIPv6 } from "node:net";
import ipaddr from "ipaddr.js";

/**
 * Parses every text of an IP address that node:net accepts, except one with a zone; undefined for any other. Never throws. ipaddr.js
 * alone reads octal, hexadecimal and shortened addresses too, and throws on `::127.0.0.1`, which is what c-ares prints for `::7f00:1`.
 */
export function parseAddress(text: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  if (isIPv4(text)) return ipaddr.IPv4.parse(text);
  return isIPv6(text) && !text.includes("%") ? ipaddr.IPv6.parse(canonicalIPv6(text)) : undefined;
}

/** Returns the RFC 5952 form of an IPv6 address without a zone, by the URL parser. */
export function canonicalIPv6(text: string): string {
  return new URL(`http://[${text}]`).hostname.slice(1, -1);
}

/** The range for benchmarks (RFC 2544), which ipaddr.js counts as unicast. */
const benchmarks = ipaddr.IPv4.parseCIDR("198.18.0.0/15");

export function isForBenchmarks(address: ipaddr.IPv4): boolean {
  return address.match(benchmarks);
}

/** Reports whether the host of a URL is this machine, which browsers trust like https. */
export function isLoopback(hostname: string): boolean {
  return /^(?:(?:.+\.)?localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(hostname);
}

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

interface Sender {
  readonly ip?: string | undefined;
  readonly socket: { readonly remoteAddress?: string | undefined };
}

/** Returns the address of a client by Express's rules for TRUST_PROXY; without a valid one, that of the connection. */
export function addressOf({ ip, socket }: Sender): string | undefined {
  return canonicalAddress(ip) ?? canonicalAddress(socket.remoteAddress);
}

/** Returns the key by which limits count a client: its address, or its /64 network of IPv6, which one client has as a whole. */
export function addressKey(sender: Sender): string {
  return networkOf(addressOf(sender) ?? "0.0.0.0", { ipv4: 32, ipv6: 64 });
}
