import { expect, test } from "vitest";
import { AccountFull } from "../src/db/refusals.js";
import { Overloaded } from "../src/db/database.js";
import { ApiError } from "../src/http/errors.js";
import { failureOf } from "../src/http/failures.js";
import { onPostgres } from "./databases.js";
import { startTestServer } from "./harness.js";

// One place maps a failure to its status and Retry-After, for JSON, pages and feeds.

const withCode = (code: string): Error => Object.assign(new Error("of the database"), { code });

test.each([
  ["a lock that another process holds", withCode("SQLITE_BUSY"), 503, "1"],
  ["too many writes", new Overloaded("too many"), 503, "1"],
  ["no free connection", Object.assign(new Error("x"), { name: "KnexTimeoutError" }), 503, "1"],
  ["a full disk", withCode("SQLITE_FULL"), 507, undefined],
  ["a full disk of PostgreSQL", withCode("53100"), 507, undefined],
  ["a full account", new AccountFull("full"), 507, undefined],
  ["a corrupt file", withCode("SQLITE_CORRUPT"), 503, "5"],
  ["a lost connection", withCode("ECONNREFUSED"), 503, "5"],
  ["a bug", new TypeError("x is not a function"), 500, undefined],
  ["an error of ours", new ApiError("calendar_not_found"), 404, undefined],
  ["a path that is no UTF-8", new URIError("%ff"), 400, undefined],
] as const)("%s has its status and Retry-After", (_title, thrown, status, retryAfter) => {
  const failure = failureOf(thrown);
  expect([failure.status, failure.headers["Retry-After"]]).toEqual([status, retryAfter]);
});

// PostgreSQL's files cannot be damaged from here.
test.skipIf(onPostgres)(
  "the same failure has one status and one Retry-After as JSON, as a page and as a feed",
  async () => {
    const server = await startTestServer({ PAGE_CACHE_MB: "0" });
    const account = await server.account();
    const { id, uniquekey } = (await account.call("createCalendar", { title: "x" })).body.calendar;
    await server.db.transaction(async (trx) => {
      await trx.raw("PRAGMA writable_schema = ON");
      await trx.raw("update sqlite_master set rootpage = 99999 where name = 'events'");
      await trx.raw("PRAGMA schema_version = 4242"); // readers look at the schema again
    });
    const answers = [
      await account.call("listEvents", { calendar_id: id }),
      await server.request(`/c/${uniquekey}`),
      await server.request(`/c/${uniquekey}/x.ics`),
    ];
    expect(answers.map(({ status, headers }) => [status, headers.get("Retry-After")])).toEqual(
      answers.map(() => [503, "5"]),
    );
    await server.stop().catch(() => undefined);
  },
);
