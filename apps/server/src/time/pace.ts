import { setImmediate as nextTurn } from "node:timers/promises";

/** Work that lets others in: of a long loop, call `rest` wherever it may stop for a moment. */
export interface Pace {
  /** Resolves at once while there is time, else after the event loop has served others. */
  rest(): Promise<void> | undefined;
}

/** How long the event loop may be held at a time, in ms. One step of the work comes on top of it. */
const turnMs = 8;

export function createPace(): Pace {
  let began = performance.now();
  return {
    rest: () => {
      if (performance.now() - began < turnMs) return undefined;
      return nextTurn().then(() => {
        began = performance.now();
      });
    },
  };
}
