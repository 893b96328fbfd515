/** The senders of this process, by the function that wakes each. */
const senders = new Set<() => void>();

/** Tells the senders of this process that there may be something to send; others look every second. */
export function wakeSenders(): void {
  for (const wake of senders) wake();
}

/** Calls `wake` after each announcement of this process. Returns a function that ends this. */
export function onAnnouncement(wake: () => void): () => void {
  senders.add(wake);
  return () => senders.delete(wake);
}
