type Wake = () => void;

/** The senders of this process, by the function that wakes each. */
const [senders, mailSenders] = [new Set<Wake>(), new Set<Wake>()];

/** Wakes the senders of this process, since there may be a new delivery; other processes query every second. */
export function wakeSenders(): void {
  for (const wake of senders) wake();
}

/** The same of e-mail. */
export function wakeMailSender(): void {
  for (const wake of mailSenders) wake();
}

/** Whether this process sends e-mail. */
export const sendsMail = (): boolean => mailSenders.size > 0;

/** Calls `wake` after each announcement of this process. Returns a function that ends this. */
export function onAnnouncement(wake: Wake): () => void {
  senders.add(wake);
  return () => senders.delete(wake);
}

/** The same after each message that is to be sent by e-mail. */
export function onMail(wake: Wake): () => void {
  mailSenders.add(wake);
  return () => mailSenders.delete(wake);
}
