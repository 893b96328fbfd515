import { randomBytes } from "node:crypto";
import { uniformFloat32 } from "pure-rand/distribution/uniformFloat32";
import { xoroshiro128plus } from "pure-rand/generator/xoroshiro128plus";
import type { RunOptions } from "../types.js";
import { isItem, type Item } from "./item.js";
import type { ContractName } from "./operations.js";
import { type Answer, type Credential, metaCode, type Target } from "./target.js";

const namePrefix = "kalconf-";

/** In the title of every calendar that any run makes: `runId` of its report. */
export const anyMark = new RegExp(`${namePrefix}[0-9a-f]{8}(?![\\w-])`);

export function isRunId(text: string): boolean {
  return anyMark.exec(text)?.[0] === text;
}

/** A calendar that the run made and has not deleted yet. */
export interface Made {
  readonly id: string;
  readonly as: "first" | "other";
}

export interface Session {
  readonly target: Target;
  readonly options: RunOptions;
  /** In the title of everything this run makes: the prefix and a random part. */
  readonly mark: string;
  readonly signal?: AbortSignal | undefined;
  /** The server's clock when the run began, Unix seconds. */
  readonly startedAt: number;
  /** Every answer of a declared operation, for the checks of shapes. */
  readonly answers: { readonly operation: ContractName; readonly answer: Answer }[];
  /** Operations that a check needed to succeed. */
  readonly needed: Set<ContractName>;
  /** Reasons why the server prevented checks, such as a rate limit that lasts an hour. */
  readonly blocks: Set<string>;
  /** Calendars made and not yet known to be deleted. */
  readonly journal: Made[];
  /** A number from 0 to 1, repeatable by the seed. */
  readonly random: () => number;
  /** A number that no other call of this session gets. */
  readonly serial: () => number;
}

export function newMark(): string {
  return `${namePrefix}${randomBytes(4).toString("hex")}`;
}

export function openSession(
  target: Target,
  options: RunOptions,
  more: Pick<Session, "mark" | "startedAt" | "signal"> & {
    readonly seed: number;
  },
): Session {
  const { seed, mark, startedAt, signal } = more;
  let last = 0;
  return {
    target,
    options,
    mark,
    signal,
    startedAt,
    answers: [],
    needed: new Set(),
    blocks: new Set(),
    journal: [],
    random: seededRandom(seed),
    serial: () => ++last,
  };
}

/** Notes calendars that a response has created or deleted. */
export function keepJournal(
  session: Session,
  operation: ContractName,
  answer: Answer,
  as: Credential,
): Made | undefined {
  session.answers.push({ operation, answer });
  const { body } = answer;
  if (!isItem(body) || !isItem(body["calendar"]) || (as !== "first" && as !== "other")) return undefined;
  const { id: sent } = body["calendar"];
  const id = typeof sent === "string" || typeof sent === "number" ? String(sent) : "";
  if (operation === "deleteCalendar" && isSuccess(answer)) {
    const index = session.journal.findIndex((made) => made.id === id);
    if (index >= 0) session.journal.splice(index, 1);
  }
  if (operation !== "createCalendar" || !/^[0-9]+$/.test(id)) return undefined;
  const made = { id, as };
  session.journal.push(made);
  return made;
}

export function isSuccess(answer: Answer): boolean {
  try {
    return answer.status >= 200 && answer.status < 300 && metaCode(answer) === 200;
  } catch {
    return false;
  }
}

/** Whether a listed calendar carries this mark. */
export function carries(calendar: Item, mark: string | RegExp): boolean {
  return ["title", "calendarname", "description"].some((name) => {
    const value = calendar[name];
    return typeof value === "string" && (typeof mark === "string" ? value.includes(mark) : mark.test(value));
  });
}

/** Numbers from 0 to 1, the same for a seed on every machine. */
function seededRandom(seed: number): () => number {
  const generator = xoroshiro128plus(seed);
  return () => uniformFloat32(generator);
}

export async function inGroups<T extends object | string>(
  items: readonly T[],
  width: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let item = items[next++]; item !== undefined; item = items[next++]) await work(item);
  };
  await Promise.all(Array.from({ length: Math.max(1, width) }, worker));
}
