import { networkOf } from "../http/ip-address.js";

/** How much of a follower's address is stored (setting STORE_IP). */
export type StoreIp = "full" | "truncated" | "off";

/** Returns what is stored of a canonical address: all of it, its network (IPv4 /24, IPv6 /48) or "". */
export function storedAddress(address: string | undefined, store: StoreIp): string {
  if (address === undefined || store === "off") return "";
  return store === "full" ? address : networkOf(address, { ipv4: 24, ipv6: 48 });
}
