import { type AnyOperationId, isWrite, operationIds, operations } from "@kalends/spec";
import { expect, test } from "vitest";
import { publishDueDrafts } from "../src/events/publish-job.js";
import { exportedCalendar } from "../src/files/export-files.js";
import { addFollower, callsWithToken, freshParams, send } from "./calls.js";
import { testServer } from "./harness.js";
import { callsOf } from "./trash-world.js";
import { addEndpoint, deliveriesOf, everyType } from "./webhook-world.js";

// Draft events are in nothing that followers, visitors and the contract's programs see (extensions X8.5).

const server = await testServer(
  { PUBLIC_URL: "https://cal.example", METRICS_TOKEN: "m".repeat(32) },
  { runsJobs: false },
);

/** Reads that show a draft to the holder of the account: by its id, in a list of drafts, or in the history. */
const showing: readonly AnyOperationId[] = ["eventsDetails", "historyList"];
/** Reads of the contract and the extensions, by every method, with the draft's calendar and, where one is taken, its own id. */
const reads = callsWithToken.filter(({ op }) => !isWrite(op));

const marker = "Zanzibar";

async function world() {
  const owner = await server.account();
  const calls = callsOf(owner);
  const calendar = await calls.newCalendar();
  const { id: calendar_id, uniquekey } = calendar;
  await server.db.transaction((trx) =>
    trx("calendars")
      .where({ id: Number(calendar_id) })
      .update({ searchable: 1 }),
  );
  await calls.addEvent(calendar_id, { title: "Public", categories: "Open" });
  const { key } = await addFollower(server, owner, calendar_id);
  const endpoint = await addEndpoint(server.db, owner.id, { types: everyType });
  return { owner, calls, calendar_id, uniquekey, key, endpoint };
}

type World = Awaited<ReturnType<typeof world>>;

/** Everything that is read of a calendar, by its way in. Each is a text that a draft must not change. */
async function everything(
  { owner, calendar_id, uniquekey, key, endpoint }: World,
  event_id: string,
  uid: string,
) {
  const seen: Record<string, string> = {};
  for (const call of reads) {
    const params: Record<string, string> = await freshParams(server, owner, call.id);
    if ("calendar_id" in params) params["calendar_id"] = calendar_id;
    if ("event_id" in params) params["event_id"] = event_id;
    for (const filter of ["month", "year", "upcoming", "from", "to", "q", "page"]) delete params[filter];
    const { status, text } = await send(server, call, params, { token: owner.token });
    seen[call.title] = `${status} ${text}`;
  }
  const page = `/c/${uniquekey}`;
  const paths = [
    page,
    `${page}?month=2026-08`,
    `${page}/embed`,
    `${page}/upcoming.json`,
    `${page}/x.ics`,
    `/f/${key}/x.ics`,
  ];
  const more = ["/", "/sitemap.xml", "/robots.txt", `/f/${key}`, `${page}/e/${uid}`, `${page}/e/${uid}.ics`];
  for (const path of [...paths, ...more])
    for (const language of ["en", "de", "fr", "es"]) {
      const headers = { "Accept-Language": language, Accept: "text/html" };
      const { status, text, headers: received } = await server.request(path, { headers });
      seen[`${path} ${language}`] = `${status} ${received.get("ETag") ?? ""} ${text}`;
    }
  const metrics = await server.request("/metrics", {
    headers: { Authorization: `Bearer ${"m".repeat(32)}` },
  });
  seen["metrics"] = metrics.text;
  const row = await server.db
    .read("calendars")
    .where({ id: Number(calendar_id) })
    .first();
  seen["export"] = "";
  for await (const piece of exportedCalendar((work) => work(server.db.read), row)) seen["export"] += piece;
  seen["webhooks"] = JSON.stringify(
    (await deliveriesOf(server.db, endpoint.id))
      .map(({ payload }) => payload)
      .filter((text) => text.includes(marker)),
  );
  return seen;
}
const comparable = (seen: Readonly<Record<string, string>>) =>
  Object.fromEntries(
    Object.entries(seen)
      // What the calls themselves have made since: other calendars, tokens and syncs of the account.
      .filter(([name]) => /^(?:\/|webhooks|export)|Event|Categor|Subscriber/.test(name))
      .map(([name, text]) => [name, text.replace(/"request_id":"\w+"/, "")]),
  );

test("a draft is in no answer of any operation, page, feed, list or message, and changes none of them", async () => {
  const made = await world();
  const { calls, calendar_id } = made;
  const nothing = "00000000-0000-4000-8000-000000000000";
  const before = await everything(made, "9007199254740991", nothing);
  const { event } = await calls.ok("eventsCreate", {
    calendar_id,
    title: `${marker} 7`,
    description: marker,
    categories: marker,
    custom_data: JSON.stringify({ [marker]: marker }),
    start_date: "2026-08-04T13:30",
    published: "false",
    publish_at: "2026-09-01T09:00:00Z",
  });
  const { id, uid } = event;
  await calls.ok("eventsUpdate", { event_id: id, location: marker });
  const after = await everything(made, id, uid);
  for (const [way, text] of Object.entries(after)) {
    if (showing.some((operation) => way.endsWith(` ${operation}`))) continue;
    expect([way, text.includes(marker), text.includes(uid)]).toEqual([way, false, false]);
  }
  const withoutShowing = (seen: Readonly<Record<string, string>>) =>
    Object.fromEntries(
      Object.entries(comparable(seen))
        .filter(([way]) => showing.every((operation) => !way.endsWith(` ${operation}`)))
        .map(([way, text]) => [way.replace(uid, nothing), text.replaceAll(uid, nothing)]),
    );
  expect(withoutShowing(after)).toEqual(withoutShowing(before));
  // The same ways show it once it is published, so none of them is blind.
  server.now = Date.parse("2026-09-01T09:00:00Z") / 1000;
  expect(await publishDueDrafts(server.db, () => server.now)).toBe(1);
  const shown = Object.entries(await everything(made, id, uid)).filter(([, text]) => text.includes(marker));
  const ways = shown.map(([way]) =>
    way.replace(made.uniquekey, "KEY").replace(made.key, "FOLLOWER").replace(uid, "UID"),
  );
  expect(ways).toEqual(
    expect.arrayContaining([
      "GET listEvents",
      "GET eventsList",
      "GET eventsChanges",
      "GET categoriesList",
      "/c/KEY?month=2026-08 en",
      "/c/KEY/x.ics en",
      "/f/FOLLOWER/x.ics en",
      "/c/KEY/e/UID fr",
      "/c/KEY/e/UID.ics de",
      "export",
      "webhooks",
    ]),
  );
});

test("no write of the contract finds a draft, and what the extensions do with it announces nothing", async () => {
  const made = await world();
  const { calls, calendar_id, owner, endpoint } = made;
  const { event } = await calls.ok("eventsCreate", {
    calendar_id,
    title: marker,
    start_date: "2026-08-04T13:30",
    published: "false",
  });
  const contract = operationIds.filter(
    (id) => operations[id].path.startsWith("/api/v1/") && isWrite(operations[id]),
  );
  for (const call of callsWithToken.filter(
    ({ id, op }) => contract.includes(id) && "event_id" in op.params.shape,
  )) {
    const params = { ...(await freshParams(server, owner, call.id)), event_id: event.id };
    const answer = await send(server, call, params, { token: owner.token });
    expect([call.title, answer.status]).toEqual([call.title, 404]);
  }
  await calls.ok("eventsUpdate", { event_id: event.id, title: `${marker} 2` });
  await calls.ok("eventsDelete", { event_id: event.id });
  await calls.ok("eventsRestore", { event_id: event.id });
  await calls.ok("eventsCopy", { event_id: event.id, start_dates: "2026-08-05T13:30" });
  await calls.ok("eventsDelete", { event_id: event.id });
  const messages = await deliveriesOf(server.db, endpoint.id);
  expect(messages.filter(({ payload }) => payload.includes(marker))).toEqual([]);
});
