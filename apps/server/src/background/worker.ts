import { setTimeout as delay } from "node:timers/promises";
import type { Logger } from "pino";
import { type Kind, noteFailure } from "./failures.js";

export interface Task {
  readonly id: number | string;
  readonly accountId?: number;
  /**
   * Counts the attempt and stores the time of the next one in a transaction of its own, then does the work. So work that throws
   * or ends the process is retried at that time, and only one server makes each attempt.
   */
  readonly run: () => Promise<unknown>;
}

export interface Queue {
  readonly kind: Kind;
  readonly everyMs: number;
  /** Whether the worker looks for work when it starts. */
  readonly atStart?: boolean;
  /** Most tasks that run at once in this process. */
  readonly most: number;
  /** Returns due tasks, the longest waiting first. @param busy accounts that run as many tasks as they may */
  readonly due: (busy: readonly number[]) => Promise<readonly Task[]>;
}

/** Most tasks of one account that run at once, so that slow ones delay no other account. */
const mostOfAccount = 2;

/** Time limit of a task, in ms. After it the task has failed, and the worker no longer waits for it. */
const limitMs = 30 * 60_000;

/** Least time between two queries for due work, in ms. */
const pauseMs = 10;

interface Running {
  readonly accountId: number | undefined;
  ended: Promise<void>;
  /** Whether the worker looks for more when the task ends. */
  looksAfter: boolean;
}

/**
 * Runs the tasks of a queue until it is stopped. Failures are logged and counted, and the task is retried at its stored time.
 */
export class Worker {
  private readonly running = new Map<Task["id"], Running>();
  private readonly queue: Queue;
  private readonly log: Logger;
  private readonly timer: NodeJS.Timeout;
  private looking: Promise<void> | undefined;
  private isStopping = false;
  private isWoken = false;

  constructor(queue: Queue, log: Logger) {
    this.queue = queue;
    this.log = log;
    this.timer = setInterval(() => this.lookSoon(), queue.everyMs);
    this.timer.unref();
    if (queue.atStart === true) this.lookSoon();
  }

  wake(): void {
    this.lookAfterRunning(); // the running query may have begun before the new work was stored
    this.lookSoon();
  }

  /** Waits for running tasks. */
  async stop(): Promise<void> {
    this.isStopping = true;
    clearInterval(this.timer);
    await this.looking;
    await Promise.all([...this.running.values()].map(({ ended }) => ended));
  }

  private lookSoon(): void {
    this.isWoken = true;
    this.looking ??= this.lookWhileWoken();
  }

  private lookAfterRunning(): void {
    for (const each of this.running.values()) each.looksAfter = true;
  }

  private async lookWhileWoken(): Promise<void> {
    while (this.isWoken && !this.isStopping) {
      this.isWoken = false;
      await this.attempt("look", () => this.look());
      await delay(pauseMs);
    }
    this.looking = undefined;
  }

  private async look(): Promise<void> {
    const passed = new Set(this.busyAccounts());
    for (let before = -1; before < passed.size;) {
      before = passed.size; // tasks of accounts that became busy may have hidden those of others
      const tasks = await this.queue.due([...passed]);
      for (const task of tasks.filter(({ id }) => !this.running.has(id))) {
        if (this.isStopping) return;
        if (this.running.size >= this.queue.most) {
          this.lookAfterRunning();
          return;
        }
        if (task.accountId === undefined || !this.busyAccounts().includes(task.accountId)) this.start(task);
        else {
          passed.add(task.accountId);
          this.lookAfterRunning();
        }
      }
    }
  }

  private busyAccounts(): readonly number[] {
    const accounts = [...this.running.values()].flatMap(({ accountId }) => accountId ?? []);
    return accounts.filter((one) => accounts.filter((other) => other === one).length >= mostOfAccount);
  }

  private start({ id, accountId, run }: Task): void {
    const own: Running = { accountId, looksAfter: false, ended: Promise.resolve() };
    this.running.set(id, own);
    own.ended = this.attempt(id, run).then((isDone) => {
      this.running.delete(id);
      if (isDone && own.looksAfter) this.lookSoon(); // not after a failure: the same might fail again at once
    });
  }

  private async attempt(id: Task["id"], work: () => Promise<unknown>): Promise<boolean> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise((_resolve, reject) => {
      timer = setTimeout(() => reject(new RangeError(`it took more than ${limitMs} ms`)), limitMs);
    });
    try {
      await Promise.race([work(), late]);
      return true;
    } catch (error) {
      noteFailure({ log: this.log, kind: this.queue.kind, id }, error);
      return false;
    } finally {
      clearTimeout(timer);
    }
  }
}
