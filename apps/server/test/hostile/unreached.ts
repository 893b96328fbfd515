// Boundaries of the background work that the busy account does not lead to, by the reason. Each text is as the test prints it.

const byReason: Readonly<Record<string, readonly string[]>> = {
  "depends on load: not reached in one full run of this workload, cause unknown; short runs reach most of them":
    [
      "events/write.ts await: await storeEventValues(trx, { owner: calendar_id, item: id, json: cust",
      "events/write.ts await: await storeCategories(trx, { calendarId: calendar_id, eventId: id, nam",
      "imports/run-thread.ts once: end",
      "imports/publish-queries.ts await: await run(begin, importId)",
      "imports/publish-queries.ts await: await run(findChanged, importId)",
      "imports/publish-queries.ts await: await run(byAction[action], version, importId)",
      "imports/run.ts await: await once()",
      "imports/run.ts await: await stage(db, plan, now)",
      "imports/run.ts await: await work(staged)",
      "imports/run.ts await: await lockCalendar(member, { accountId, calendarId })",
      "imports/run.ts await: await requireSameCategories(member, locked, decided)",
      "imports/run.ts await: await removeStaged(db, staged.importId).catch(() => void 0)",
      "imports/run.ts await: await holdCategories(trx, id)",
      "imports/run.ts await: await db.staging((trx) => stageValues(trx, numbered))",
      "imports/run.ts await: await pace.rest() (2)",
      "series/slow-rules.ts await: await turns.run(owner, () => expand(plan, options))",
      "series/slow-rules.ts await: await error.follow()",
      "events/many.ts await: await Promise.all(slice.map(work))",
      "events/many.ts await: await pace.rest()",
      "syncs/fetch.ts on: reject",
      "syncs/fetch.ts once: (_response, socket) => void socket.destroy()",
      "syncs/run.ts await: await fetchAndImport(sync, context)",
      "syncs/run.ts await: await runImport(own, request, ({ report: { totals }, deleted }) => { c",
      "time/pace.ts new Promise: (resolve) => void waiting.push(resolve)",
      "webhooks/sender.ts await: await db.transaction((trx) => release(trx, claimed))",
      "syncs/run.ts await: await settle(sync, { error: reason, failures, tried_at: now, next_at }",
      "imports/run.ts await: await db.staging((trx) => stageEvents(trx, staged))",
      "imports/run.ts await: await pace.rest()",
      "categories/queries.ts await: await removeCategories(trx, event)",
      "categories/queries.ts await: await insertCategories(trx, event)",
      "custom-data/queries.ts await: await removeOthers(trx, data)",
      "custom-data/queries.ts await: await insert(trx, data)",
    ],
  "only when a statement and the end of its transaction fail together: the connection is given up (db/sqlite/transaction.sqlite.deep.test.ts)":
    [
      "db/sqlite/statements.ts catch: (error) => { held = void 0; throw error; }",
      "db/sqlite/statements.ts catch: () => void 0",
      "db/sqlite/transaction.ts await: await statementsOf(connection).finalize().then(() => execute(connectio",
      'db/sqlite/transaction.ts then: () => execute(connection, "ROLLBACK")',
      "db/sqlite/transaction.ts catch: () => void 0 (2)",
      "db/sqlite/transaction.ts await: await delay(retryMs)",
      "db/sqlite/health.ts once: damage.note",
      "db/sqlite/health.ts catch: onFailure",
      "db/sqlite/open.ts on: health.note",
    ],
  "depends on load: only after a time that is longer than the test, or while much is done": [
    "background/units.ts setTimeout: () => { reject(new UnitLate()); late.abort(); }",
    "db/turns.ts setTimeout: refuse",
    "imports/run-thread.ts setTimeout: () => fail(new FileRefused(`It takes more than ${ms / 1e3} seconds to ",
    "imports/run-thread.ts setTimeout: forget",
    "series/expand.ts await: await pause",
    "webhooks/sender.ts setTimeout: () => abort.abort()",
  ],
  "depends on load: only when no write has been done for a second": [
    "db/write-health.ts await: await outcomeOf(work, (error) => storageFailure(error) !== void 0).cat",
    "db/write-health.ts catch: () => void 0",
    "db/write-health.ts finally: () => isTesting = false",
    "db/write-health.ts await: await Promise.race([test(), delay(patienceMs)])",
    "db/postgres/health.ts await: await trx.raw(requireWritableServer)",
    "db/postgres/health.ts await: await trx.raw(lockTables)",
    "db/postgres/health.ts await: await trx.raw(lockTables) (2)",
    "db/postgres/health.ts await: await trx.raw(\"insert into properties (name, value) values (?, '')\", [",
    'db/postgres/health.ts await: await trx.raw("delete from properties where name = ?", [testName])',
  ],
  "only when the thread of a file fails: its import fails (imports/hostile.pure.test.ts)": [
    "imports/run-thread.ts once: failWith",
    "imports/run-thread.ts on: () => void 0",
  ],
  "an empty handler of a failure, after which another one is handled": [
    "subscribers/fetch-recorder.ts catch: () => void 0",
    "accounts/uses.ts catch: () => void 0",
    "imports/run.ts catch: () => void 0",
    "webhooks/throttle.ts catch: () => void 0",
    "db/sqlite/transaction.ts catch: () => void 0",
    "db/sqlite/statements.ts catch: () => void 0 (2)",
    "imports/run.ts catch: () => void 0 (2)",
    "db/postgres/transaction.ts catch: () => void 0",
    "db/postgres/transaction.ts catch: () => void 0 (2)",
  ],
  "only when another step fails at that moment; then the unit has failed already": [
    "series/extend.ts await: await db.transaction((trx) => queries.postponeSeries(trx, id, now + pa",
    'series/queries.ts await: await series(trx).where({ id }).whereNotNull("next_at").update({ ...un',
    "db/write-apart.ts await: await writeApart(new Map(all.slice(middle)), write)",
    "db/write-apart.ts await: await writeApart(new Map(all.slice(0, middle)), write)",
    "imports/run.ts await: await removeStaged(db, importId).catch(() => void 0)",
    "db/batch.ts nextTick: (error) => failCalls(waiting, shared, error)",
    "db/group-commit.ts await: await afterFailure(host, queue, { group, error })",
    "db/group-commit.ts await: await writeGroup(host, queue, group.slice(0, middle))",
    "db/group-commit.ts await: await writeGroup(host, queue, group.slice(middle))",
  ],
  "of commands, which a bundler cannot tell from background work": [
    "background/units.ts await: await work(new AbortController().signal)",
    "db/coalesce.ts then: () => { next = void 0; return run(); }",
    "db/coalesce.ts catch: () => void 0",
  ],
  "only when more is stored than fits: 10,000 keys of an account, a calendar of a series that is deleted but not purged":
    [
      'idempotency/queries.ts await: await runItem( "account", account_id, () => remove("limit", (trx) => o',
      "series/extend.ts await: await queries.postponeSeries(knex, id, now + extendSeconds)",
    ],
  "only behind a pooler (DATABASE_POOLER)": [
    "db/postgres/time-limits.ts await: await super._query(connection, { ...query, sql, options: { query_timeo",
    'db/postgres/time-limits.ts await: await Promise.allSettled([ this.begin(connection, plain("BEGIN")), sup',
  ],
  "depends on load: only when a transaction met another one, or a connection does not end in time": [
    'db/group-commit.ts await: await turns.run(member.owner ?? "none", () => writeGroup(host, queue))',
    "db/postgres/open.ts await: await setTimeout(randomInt(leastPauseMs, mostPauseMs + 1))",
    "db/postgres/pool.ts setTimeout: () => connection.connection.stream.destroy()",
  ],
  "only when a start waits for a session that migrates": [
    "db/postgres/exclusive.ts await: await query(blockerSql, [session])",
  ],
  "only when a stop comes in the middle of a fetch (syncs/run.test.ts)": [
    "syncs/run.ts await: await settle(sync, { next_at: sync.next_at, tried_at: sync.tried_at },",
  ],
};

/** Whether it may be reached while nothing is thrown, such as by a machine that is busy with something else. */
export const dependsOnLoad = (text: string): boolean =>
  unreached.get(text)?.startsWith("depends on load") === true;

/** Those boundaries, each with its reason. None has to be reached; those that are reached are thrown at. */
export const unreached: ReadonlyMap<string, string> = new Map(
  Object.entries(byReason).flatMap(([reason, texts]) => texts.map((text) => [text, reason] as const)),
);
