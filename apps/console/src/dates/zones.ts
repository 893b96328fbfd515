// Wall clocks of zones as the browser knows them, for what is shown alone: the server converts what is saved.

const dayMs = 86_400_000;

/** The wall clock of an instant, `YYYY-MM-DDTHH:MM`. @throws RangeError where the browser lacks the zone */
export function wallIn(timeZone: string, ms: number): string {
  const format = new Intl.DateTimeFormat("sv", { timeZone, dateStyle: "short", timeStyle: "short" });
  return format.format(ms).replace(" ", "T");
}

/** The instant of a wall clock in ms, the first of two; undefined of one that is skipped, or where the browser lacks the zone. */
export function instantOf(timeZone: string, wall: string): number | undefined {
  const asUtc = Date.parse(`${wall}Z`);
  try {
    const found = [asUtc - dayMs, asUtc + dayMs]
      .map((near) => asUtc - (Date.parse(`${wallIn(timeZone, near)}Z`) - near))
      .filter((ms) => wallIn(timeZone, ms) === wall);
    return found.length === 0 ? undefined : Math.min(...found);
  } catch {
    return undefined;
  }
}
