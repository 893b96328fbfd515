import { createStore } from "../parts/store.js";

/** Whether the session has ended under an open page: sign-in is then shown over what is there. */
export const isSignedOut = createStore(false);

let waiting: Promise<void> | undefined;
let resume: (() => void) | undefined;

/** Shows the sign-in over the page. Resolves when someone has signed in. */
export function sessionEnded(): Promise<void> {
  waiting ??= new Promise<void>((resolve) => {
    resume = resolve;
  });
  isSignedOut.set(true);
  return waiting;
}

/** Goes on with what waits for a session. */
export function sessionOpened(): void {
  isSignedOut.set(false);
  resume?.();
  waiting = undefined;
  resume = undefined;
}
