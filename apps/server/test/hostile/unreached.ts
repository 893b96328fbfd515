/** Boundaries of the background work that the busy account cannot lead to, each with the reason. */
export const unreached: ReadonlyMap<string, string> = new Map([]);
