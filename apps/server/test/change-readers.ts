import { randomInt } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { expect } from "vitest";
import type { TestAccount } from "./harness.js";

// Writers of a calendar, and a reader that keeps a copy of it by the cursor of its changes (extensions X2.5).

const start_date = "07/04/2026 10:00";

/** Calls until it is answered: a server may be killed or busy. Returns the body, or undefined for a 404. */
async function insist(call: () => ReturnType<TestAccount["call"]>) {
  for (;;) {
    const answer = await call().catch(() => undefined);
    if (answer?.status === 200) return answer.body;
    if (answer?.status === 404) return undefined;
    await pause(20); // for the server that starts
  }
}

/** Writes at random: creates, saves, updates and deletes of own events. `accounts` are the same one on several servers. */
export async function writeAtRandom(
  accounts: readonly TestAccount[],
  calendar_id: string,
  steps: number,
): Promise<void> {
  const ids: string[] = [];
  for (let step = 0; step < steps; step++) {
    const account = accounts[randomInt(accounts.length)];
    if (account === undefined) throw new Error("there is no server");
    const index = randomInt(ids.length + 1);
    const event_id = ids[index];
    const title = `step ${step}`;
    if (event_id === undefined || ids.length < 3) {
      const made = await insist(() => account.call("createEvent", { calendar_id, title, start_date }));
      ids.push(String(made.event.id));
    } else if (step % 4 === 0) {
      await insist(() => account.call("deleteEvent", { event_id }));
      ids.splice(index, 1);
    } else if (step % 2 === 0) await insist(() => account.call("saveEvent", { event_id, title, start_date }));
    else await insist(() => account.call("eventsUpdate", { event_id, title }));
  }
}

/** Follows the changes of a calendar until `isOver` and nothing has changed since. Returns the copy: event id → event. */
export async function copyByChanges(
  accounts: readonly TestAccount[],
  calendar_id: string,
  isOver: () => boolean,
): Promise<ReadonlyMap<string, unknown>> {
  const copy = new Map<string, unknown>();
  let since: string | undefined;
  for (let turn = 0; ; turn++) {
    const account = accounts[turn % accounts.length];
    const wasOver = isOver();
    const read = await insist(async () => {
      const cursor = since === undefined ? {} : { since };
      return (
        (await account?.call("eventsChanges", { calendar_id, ...cursor })) ?? Promise.reject(new Error())
      );
    });
    for (const { event_id, change, event } of read.changes)
      if (change === "deleted") copy.delete(event_id);
      else copy.set(event_id, event);
    since = String(read.cursor);
    await pause(20); // as one that polls, which does not take the machine from the writers
    if (wasOver && read.changes.length === 0) return copy;
  }
}

/** The events of a calendar as the list shows them: event id → event. */
export async function listedEvents(
  account: TestAccount,
  calendar_id: string,
): Promise<ReadonlyMap<string, unknown>> {
  const listed = new Map<string, unknown>();
  for (let page = 1; ; page++) {
    const body = await insist(() => account.call("eventsList", { calendar_id, page: String(page) }));
    for (const event of body.events) listed.set(event.id, event);
    if (body.paging.next === "") return listed;
  }
}

/** Fails unless the copy is the calendar. */
export function expectSame(copy: ReadonlyMap<string, unknown>, listed: ReadonlyMap<string, unknown>): void {
  expect([...copy.keys()].toSorted()).toEqual([...listed.keys()].toSorted());
  for (const [id, event] of copy) expect(event).toEqual(listed.get(id));
}
