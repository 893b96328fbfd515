/** How long works with a pace may hold the event loop at a time, all together, in ms. One step of a work comes on top of it. */
const turnMs = 8;

/** Works that go on in later turns of the event loop, one in each. */
const waiting: (() => void)[] = [];

/** When the works of this turn of the event loop began; undefined when none has run. */
let began: number | undefined;

/** Work that lets others in: in a long loop, call `rest` wherever it may stop for a moment. */
export const pace = {
  /** Resolves at once while there is time, else after the event loop has served others. */
  rest(): Promise<void> | undefined {
    if (performance.now() - (began ?? beginTurn()) < turnMs) return undefined;
    return new Promise((resolve) => void waiting.push(resolve));
  },
};

function beginTurn(): number {
  setImmediate(endTurn);
  return (began = performance.now());
}

/** Gives the next turn to the work that has waited for longest. */
function endTurn(): void {
  began = undefined;
  const goOn = waiting.shift();
  if (goOn === undefined) return;
  beginTurn();
  goOn();
}
