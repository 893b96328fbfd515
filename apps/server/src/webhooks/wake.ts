const senders = new Set<() => void>();

/** Wakes the senders of this process, since there may be a new delivery; other processes query every second. */
export function wakeSenders(): void {
  for (const wake of senders) wake();
}

/** Calls `wake` after each announcement of this process. Returns a function that stops this. */
export function onAnnouncement(wake: () => void): () => void {
  senders.add(wake);
  return () => senders.delete(wake);
}
