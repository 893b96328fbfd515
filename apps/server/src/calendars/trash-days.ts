import { daySeconds } from "../time/formats.js";

/** Global to the process, like the setting: commands delete too. */
const setting: { days: number } = { days: 30 };

/** Sets for how many days a deleted item can be restored; 0 for no trash. */
export function keepTrash(days: number): void {
  setting.days = days;
}

export function keepsTrash(): boolean {
  return setting.days > 0;
}

/** Returns a time in Unix seconds: items that were deleted up to it can no longer be restored. */
export function trashExpiredAt(now: number): number {
  return now - setting.days * daySeconds;
}

/** Returns until when an item that was deleted at a time can be restored, in Unix seconds. */
export function trashExpiryOf(deletedAt: number): number {
  return deletedAt + setting.days * daySeconds;
}
