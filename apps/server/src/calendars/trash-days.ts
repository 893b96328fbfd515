const daySeconds = 86_400;

/** Of the process, as its environment is: every way that deletes fills the trash, the command line too. */
const setting: { days: number } = { days: 30 };

/** Sets for how many days what is deleted can be restored; 0 for no trash. */
export function keepTrash(days: number): void {
  setting.days = days;
}

/** Reports whether what is deleted now can be restored. */
export function keepsTrash(): boolean {
  return setting.days > 0;
}

/** Returns the last time of a deletion, in Unix seconds, of what can no longer be restored. */
export function trashExpiredAt(now: number): number {
  return now - setting.days * daySeconds;
}

/** Returns until when what was deleted at a time can be restored, in Unix seconds. */
export function trashExpiryOf(deletedAt: number): number {
  return deletedAt + setting.days * daySeconds;
}
