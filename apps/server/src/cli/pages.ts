import { readConfig } from "../settings/config.js";
import type { CalendarRow } from "../db/rows.js";

/** Returns the address of a calendar's page. */
export function pageAddress({ uniquekey }: Pick<CalendarRow, "uniquekey">): string {
  return `${serverAddress()}/c/${uniquekey}`;
}

/** Returns PUBLIC_URL, else the address of a server on this machine with the same settings. */
export function serverAddress(): string {
  const { PUBLIC_URL, HOST, PORT } = readConfig();
  return PUBLIC_URL ?? localUrl(HOST, PORT);
}

function localUrl(host: string, port: number): string {
  // No browser opens the address that stands for all addresses.
  const reachable = host === "0.0.0.0" || host === "::" ? "127.0.0.1" : host;
  return `http://${reachable.includes(":") ? `[${reachable}]` : reachable}:${port}`;
}
