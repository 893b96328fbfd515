import { isIPv4, isIPv6 } from "node:net";

/** How much of a follower's address is kept (setting STORE_IP). */
export type StoreIp = "full" | "truncated" | "off";

/**
 * An IP address in its canonical form (RFC 5952), an IPv4 address in IPv6 clothes as IPv4. A port, brackets and a zone,
 * which proxies leave in, are dropped. Undefined when the text is no address: a proxy's header may hold anything.
 */
export function canonicalAddress(text: string | undefined): string | undefined {
  if (text === undefined || text.length > 64) return undefined;
  const [, inBrackets, beforePort] = /^(?:\[([^\]]*)\](?::[0-9]+)?|([0-9.]+):[0-9]+)$/.exec(text) ?? [];
  const [bare = ""] = (inBrackets ?? beforePort ?? text).split("%");
  if (isIPv4(bare)) return bare;
  if (!isIPv6(bare)) return undefined;
  const groups = groupsOf(bare);
  const [, , , , , sixth, high = 0, low = 0] = groups;
  const isMapped = sixth === 0xffff && groups.slice(0, 5).every((group) => group === 0);
  return isMapped ? [high >> 8, high & 255, low >> 8, low & 255].join(".") : printGroups(groups);
}

/** What is kept of a canonical address: all of it, its network (IPv4 /24, IPv6 /48) or nothing. */
export function storedAddress(address: string | undefined, store: StoreIp): string {
  if (address === undefined || store === "off") return "";
  return store === "full" ? address : networkOf(address, { ipv4: 24, ipv6: 48 });
}

/** The network of a canonical address, whose length is a multiple of 8 bits (IPv4) or 16 (IPv6). */
export function networkOf(
  address: string,
  length: { readonly ipv4: 24 | 32; readonly ipv6: 48 | 64 },
): string {
  if (isIPv4(address)) {
    const parts = address.split(".").map((part, index) => (index * 8 < length.ipv4 ? part : "0"));
    return parts.join(".");
  }
  return printGroups(groupsOf(address).map((group, index) => (index * 16 < length.ipv6 ? group : 0)));
}

/** The eight groups of an IPv6 address. The URL parser writes it canonically, with at most one "::". */
function groupsOf(address: string): readonly number[] {
  const [head = "", tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split("::");
  const left = numbers(head);
  if (tail === undefined) return left;
  const right = numbers(tail);
  return [...left, ...Array.from({ length: 8 - left.length - right.length }, () => 0), ...right];
}

function numbers(text: string): readonly number[] {
  return text === "" ? [] : text.split(":").map((group) => Number.parseInt(group, 16));
}

function printGroups(groups: readonly number[]): string {
  const text = groups.map((group) => group.toString(16)).join(":");
  return new URL(`http://[${text}]`).hostname.slice(1, -1);
}
