import {
  allOperations,
  type AnyOperationId,
  isExtension,
  mostFileBytes,
  mostOfSeries,
  type Operation,
} from "@kalends/spec";

// What one request or one unit of background work may cost. Each class has a default, so an operation that is added is bounded
// without a word; an operation with another bound stands in `exceptions`, with the reason. docs/limits.md prints the table.

/** The most that one unit of work may cost. */
export interface Budget {
  /** Of the body of the request, in bytes. */
  readonly bytesIn: number;
  /** Rows inserted, updated or deleted, those of webhooks and indexes of values counted. */
  readonly rowsWritten: number;
  /** Bytes of the texts in these rows, as the JSON that they are sent to the database in. */
  readonly bytesWritten: number;
  /** Of the body of the answer, in bytes. */
  readonly bytesAnswered: number;
  /** How long it may hold SQLite's only writer at a time, in milliseconds. Longer is logged; ten times as long is rolled back. */
  readonly writerMs: number;
  /** How long it may hold the event loop at a time, in milliseconds: longer work is divided. */
  readonly loopMs: number;
}

export type WorkClass = "read" | "write" | "import" | "page" | "background";

const [KiB, MiB] = [1024, 1024 * 1024];

const common = { bytesIn: MiB, bytesAnswered: 4_000_000, writerMs: 250, loopMs: 50 } as const;
const written = { rowsWritten: 20_000, bytesWritten: 32 * MiB } as const;
const nothing = { rowsWritten: 0, bytesWritten: 0 } as const;

/** The defaults of each class. */
export const budgets = {
  read: { ...common, ...nothing },
  write: { ...common, ...written },
  import: {
    ...common,
    ...written,
    bytesIn: mostFileBytes,
    rowsWritten: 65_000,
  },
  page: {
    ...common,
    bytesIn: 16 * KiB,
    rowsWritten: 5_000,
    bytesWritten: 8 * MiB,
  },
  background: {
    ...common,
    ...written,
    bytesIn: mostFileBytes,
    rowsWritten: 65_000,
  },
} as const satisfies Readonly<Record<WorkClass, Budget>>;

export type Exception = Partial<Budget> & { readonly reason: string };

/** A page has a fixed number of items (rulings R3.1), so it is as large as these are: the answers that wait are bounded instead. */
export const page = {
  bytesAnswered: Infinity,
  reason: "a page has a fixed number of items; the answers that wait to be sent are bounded together",
} as const satisfies Exception;

/** A file is sent while it is read: its pieces are bounded, and the files that are being sent are counted. */
export const file = {
  bytesAnswered: Infinity,
  reason:
    "a file is sent while it is read: some pieces of it are in memory, and are counted with the answers that wait",
} as const satisfies Exception;

/** One transaction writes many events: SQLite writes these bytes and rows within the time of a write. */
const many = {
  rowsWritten: 10_000,
  bytesWritten: 8 * MiB,
  reason: "one transaction writes all events of the request, and holds the only writer for as long",
} as const satisfies Exception;

/** One transaction renames a category in all events of a calendar, with statements for many rows each. */
const ofCalendar = {
  rowsWritten: budgets.import.rowsWritten,
  reason: "one transaction changes all events of a category",
} as const satisfies Exception;

/** Operations whose cost differs from their class and from that of a page or a file, and why. */
export const exceptions: { readonly [Id in AnyOperationId]?: Exception } = {
  listEventChanges: page,
  renameCategory: ofCalendar,
  mergeCategories: ofCalendar,
  createSeries: many,
  updateSeries: many,
  deleteSeries: many,
  changeEvents: many,
  copyEvent: many,
  restoreSeries: many,
};

/** Returns the class of an operation, which its declaration decides. */
export function classOf({ kind, file }: Pick<Operation, "kind" | "file">): WorkClass {
  return file === undefined ? kind : "import";
}

export function budgetOf(id: AnyOperationId): Budget {
  const op: Operation = allOperations[id];
  const usual = "page" in op.params.shape ? page : op.fileAnswer === undefined ? undefined : file;
  const { reason: _reason, ...other } = { reason: "", ...(exceptions[id] ?? usual) };
  return { ...budgets[classOf(op)], ...other };
}

/** Of the answer to a request with an Idempotency-Key, which is kept for a day, where it can be cut: of an import. In bytes. */
export const keptReportBytes = 64 * KiB;

/** Of a body whose sender has shown no valid token in the head or the query, in bytes (rulings R1.6). */
export const strangerBytes = 64 * KiB;

/** Bodies of requests that are under way, in bytes: of one account, or of all callers without a token, and of all together. */
export const bodyBytes = { ofOne: 24 * MiB, ofAll: 32 * MiB } as const;

/** Answers above this size are counted until they are sent, in bytes. */
export const largeAnswerBytes = 256 * KiB;

/** Large answers that wait to be sent, in bytes: of one account and of all. One answer is always sent. */
export const unsentBytes = { ofOne: 64 * MiB, ofAll: 128 * MiB } as const;

/** Heavy operations that run at once, of one account and of all; the rest wait in order (limiter.ts). */
export const heavyWork = { ofOne: 2, ofAll: 6, mostWaiting: 100, waitMs: 3_000 } as const;

/** Heavy operations that are neither a list, nor a file, nor an exception above. */
const otherHeavy: readonly AnyOperationId[] = [
  "getStatistics",
  "getSeries",
  "findSeriesDates",
  "listCategories",
];

/** Returns what passes the limiter: all of an operation, the answer to it that is not cached, or nothing. */
export function heavyPartOf(id: AnyOperationId): "all" | "uncached" | "nothing" {
  const op: Operation = allOperations[id];
  if ("page" in op.params.shape && !isExtension(op)) return "uncached";
  const isHeavy = "page" in op.params.shape || op.file !== undefined || op.fileAnswer !== undefined;
  return isHeavy || exceptions[id] !== undefined || otherHeavy.includes(id) ? "all" : "nothing";
}

/**
 * What a file that is being sent is counted as, in bytes: while its reader takes nothing, one piece waits in the socket and one before it,
 * and of the next there are the rows, their text and its bytes.
 */
export const sentFileBytes = 5_000_000;

/** Events of a series that one request makes, and of a file; each has the rows and bytes that are written too. */
export const mostEvents = { ofSeries: mostOfSeries.events, ofFile: 10_000 } as const;

/** Time of the processor that a recurrence rule may take, in milliseconds. */
export const ruleMs = 100;
