import type { AnyOperationId } from "@kalends/spec";

// What one request or one unit of background work may cost. Each class has a default, so an operation that is added is bounded
// without a word; an operation with another bound stands in `exceptions`, with the reason.

/** The most that one unit of work may cost. */
export interface Budget {
  /** Of the body of the request, in bytes. */
  readonly bytesIn: number;
  /** Rows inserted, updated or deleted, those of webhooks and indexes of values counted. */
  readonly rowsWritten: number;
  /** Bytes of the texts in these rows. */
  readonly bytesWritten: number;
  /** Of the body of the answer, in bytes. */
  readonly bytesAnswered: number;
  /** How long it may hold SQLite's only writer at a time, in milliseconds: work that takes longer is divided or refused. */
  readonly writerMs: number;
  /** How long it may hold the event loop at a time, in milliseconds. */
  readonly loopMs: number;
  /** Units at a time, in this process: of one account, or of one calendar where no account is known, and of all. */
  readonly atOnce: { readonly ofOne: number; readonly ofAll: number };
}

export type WorkClass = "read" | "write" | "import" | "page" | "background";

const [KiB, MiB] = [1024, 1024 * 1024];

const common = { bytesIn: MiB, bytesAnswered: 4_000_000, writerMs: 250, loopMs: 50 } as const;

/** The defaults of each class. */
export const budgets = {
  read: { ...common, rowsWritten: 0, bytesWritten: 0, atOnce: { ofOne: 8, ofAll: 64 } },
  write: { ...common, rowsWritten: 20_000, bytesWritten: 32 * MiB, atOnce: { ofOne: 64, ofAll: 256 } },
  import: {
    ...common,
    bytesIn: 10_000_000,
    rowsWritten: 100_000,
    bytesWritten: 32 * MiB,
    atOnce: { ofOne: 2, ofAll: 4 },
  },
  page: { ...common, bytesIn: 64 * KiB, rowsWritten: 10, bytesWritten: MiB, atOnce: { ofOne: 2, ofAll: 4 } },
  background: {
    ...common,
    bytesIn: 10_000_000,
    rowsWritten: 100_000,
    bytesWritten: 32 * MiB,
    atOnce: { ofOne: 4, ofAll: 64 },
  },
} as const satisfies Readonly<Record<WorkClass, Budget>>;

/** Operations whose cost differs from their class, and why. */
export const exceptions: { readonly [Id in AnyOperationId]?: Partial<Budget> & { readonly reason: string } } =
  {};
