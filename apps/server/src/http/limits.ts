import { allOperations, type AnyOperationId, isExtension, mostOfSeries, type Operation } from "@kalends/spec";

// What one request may cost, and what requests may cost together (docs/limits.md).

const [KiB, MiB] = [1024, 1024 * 1024];

/** Bodies in bytes: of an operation, of a form on a page, and of a caller whose token is not known yet (rulings R1.6). */
export const largestBody = { ofOperation: MiB, ofForm: 16 * KiB, ofStranger: 64 * KiB } as const;

/** Of the body of an answer that is neither a page of a list nor a file, in bytes. */
export const mostAnswerBytes = 4_000_000;

/** Of the report of an import that is kept for a request that comes again, in bytes. */
export const keptReportBytes = 128 * KiB;

/**
 * Bodies of requests that are under way, in bytes: of one account, or of all callers without a token, of all together, and what each has
 * room for however much others have announced.
 */
export const bodyBytes = { ofOne: 24 * MiB, ofAll: 32 * MiB, ofEach: 64 * KiB } as const;

/** Answers above this size are counted until they are sent, in bytes. */
export const largeAnswerBytes = 256 * KiB;

/** Large answers that wait to be sent, in bytes: of one account and of all. One answer is always sent. */
export const unsentBytes = { ofOne: 64 * MiB, ofAll: 128 * MiB } as const;

/**
 * What a file that is being sent is counted as, in bytes: while its reader takes nothing, one piece waits in the socket and one before it,
 * and of the next there are the rows, their text and its bytes.
 */
export const sentFileBytes = 5_000_000;

/** Events of a series that one request makes, and of a file. */
export const mostEvents = { ofSeries: mostOfSeries.events, ofFile: 10_000 } as const;

/** Time of the processor that a recurrence rule may take, in milliseconds. */
export const ruleMs = 100;

/** Heavy operations that run at once, of one account and of all; the rest wait. */
export const heavyWork = { ofOne: 2, ofAll: 6, mostWaiting: 100, waitMs: 3_000 } as const;

/** Links to confirm an e-mail address that a day has: to one address, and of one source. */
export const mailRequests = { ofAddress: 3, ofSource: 30 } as const;

/** Links to sign in that an account has sent by e-mail in a day: its owners choose the addresses. */
export const linksByMailPerDay = 50;

/** Messages of an organizer to the followers of a calendar that a day has. */
export const messagesPerDay = 5;

/** News of changes of a calendar in a day, after which its changes are gathered for longer: no one gets hundreds of a sync that never rests. */
export const newsPerDay = { many: 20, thenEverySeconds: 3_600 } as const;

/** Pictures that are decoded at once, and calendar files that are read, each of which needs some hundred MB; the rest wait, with their bodies. */
export const fileWork = { ofOne: 1, ofAll: 1, mostWaiting: 50, waitMs: 20_000 } as const;

/** Heavy operations beside lists and those that take or answer a file. */
const otherHeavy: readonly AnyOperationId[] = [
  "eventsChanges",
  "categoriesRename",
  "categoriesMerge",
  "eventsSeriesCreate",
  "eventsSeriesUpdate",
  "eventsSeriesDelete",
  "eventsBatch",
  "eventsCopy",
  "eventsSeriesRestore",
  "calendarsStatistics",
  "eventsSeriesDetails",
  "eventsSeriesPreview",
  "categoriesList",
];

const isList = ({ params }: Operation): boolean => "page" in params.shape;

/** Returns what passes the limiter: all of an operation, the answer to it that is not cached, or nothing. */
export function heavyPartOf(id: AnyOperationId): "all" | "uncached" | "nothing" {
  const op: Operation = allOperations[id];
  if (isList(op) && !isExtension(op)) return "uncached";
  if (id === "picturesCreate" || id === "calendarsImport") return "nothing"; // they have a limiter of their own (http/quota.ts)
  const isHeavy = isList(op) || op.file !== undefined || op.fileAnswer !== undefined;
  return isHeavy || otherHeavy.includes(id) ? "all" : "nothing";
}

/** Returns how large the answer to an operation may be, in bytes: a page of a list is as large as its items are (rulings R3.1). */
export function answerBytesOf(id: AnyOperationId): number {
  return isList(allOperations[id]) || id === "eventsChanges" ? Infinity : mostAnswerBytes;
}
