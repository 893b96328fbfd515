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

/** The URL parser reads every form of an IPv6 address without a zone, and writes RFC 5952. */
export function canonicalIPv6(text: string): string {
  return new URL(`http://[${text}]`).hostname.slice(1, -1);
}

/** For benchmarks (RFC 2544); ipaddr.js counts it as unicast. */
const benchmarks = ipaddr.IPv4.parseCIDR("198.18.0.0/15");

/** Reports whether an IPv4 address is reserved for benchmarks. */
export function isForBenchmarks(address: ipaddr.IPv4): boolean {
  return address.match(benchmarks);
}

/** Whether a host, as a URL has it, is this machine: browsers trust it as they do https. */
export function isLoopback(hostname: string): boolean {
  return /^(?:(?:.+\.)?localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(hostname);
}
