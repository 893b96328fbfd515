import type { Kit } from "../engine/kit.js";
import { creates } from "./event-kit.js";

/** An event's title and location come back as sent, in both forms. */
export const returns =
  (sent: string) =>
  (kit: Kit): Promise<void> =>
    creates(kit, { title: sent, location: sent }, { title: sent, location: sent });

export const describes =
  (sent: string, shown: string) =>
  (kit: Kit): Promise<void> =>
    creates(kit, { description: sent }, { description: shown });

export const emoji = "Fête 🎉 👩‍👩‍👧 🇨🇭 𝒳";

/** Text made of characters of all kinds; the seed decides which. */
export function randomText(random: () => number): string {
  const characters = Array.from("aZ09 .,;:!?-_~*'()[]{}<>@&=+%#/\\|\"`^$éßñçøĀЖשع中日한ไท€😀🧩");
  return `x${Array.from({ length: 60 }, () => characters[Math.floor(random() * characters.length)] ?? "").join("")}x`;
}
