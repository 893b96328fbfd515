// What a write transaction may cost. Its queries count what they write, so no handler needs to.

/** The most that one write may cost. */
export interface WriteBudget {
  readonly rowsWritten: number;
  readonly bytesWritten: number;
  /** How long it may hold SQLite's only writer, in milliseconds. */
  readonly writerMs: number;
}

/** Times of `writerMs` after which a transaction is rolled back: a stalled disk or a stopped process is no reason yet. */
export const rollbackFactor = 10;

/** A write that would cost more than it may; it is rolled back. */
export class BudgetExceeded extends Error {}

/** A write would make an account store more than it may. */
export class AccountFull extends Error {}

/** A write that has held the only writer for far longer than it may; it is rolled back. */
export class HeldTooLong extends Error {}

/** What a write has cost so far. */
export class Spending {
  private rows = 0;
  private bytes = 0;
  private readonly budget: WriteBudget;
  private readonly mostMs: number;
  private readonly began = performance.now();

  /** @param mostMs how long until it is rolled back, in milliseconds */
  constructor(budget: WriteBudget, mostMs: number) {
    this.budget = budget;
    this.mostMs = mostMs;
  }

  /** @throws BudgetExceeded; HeldTooLong */
  charge(rows: number, bytes: number): void {
    this.require(rows, bytes);
    this.requireTime();
    this.rows += rows;
    this.bytes += bytes;
  }

  /** @throws BudgetExceeded when so much more would be too much */
  require(rows: number, bytes: number): void {
    const { rowsWritten, bytesWritten } = this.budget;
    if (this.rows + rows > rowsWritten) throw new BudgetExceeded(`more than ${rowsWritten} rows`);
    if (this.bytes + bytes > bytesWritten) throw new BudgetExceeded(`more than ${bytesWritten} bytes`);
  }

  get ms(): number {
    return performance.now() - this.began;
  }

  /** @throws HeldTooLong */
  requireTime(): void {
    if (this.ms > this.mostMs) throw new HeldTooLong("the write took too long");
  }
}
