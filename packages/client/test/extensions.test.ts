import { describe, expect, test } from "vitest";
import { CalendarApiError, type CalendarClientOptions } from "../src/index.js";
import { createExtensionsClient, type EventChanges } from "../src/extensions/index.js";
import { cut, json, startScriptedServer, type Step } from "./scripted-server.js";

const event = { id: "7", title: "Opening night", updated_times: 3, custom_data: { room: "2b" } };
const answer = json(200, { meta: { code: "200" }, event, calendar: { id: "1" } });
const changesPage = (ids: readonly string[], cursor: string, has_more: boolean): Step =>
  json(200, {
    meta: { code: "200" },
    changes: ids.map((event_id) => ({ event_id, change: "deleted" })),
    cursor,
    has_more,
  });

function client(baseUrl: string, options: Partial<CalendarClientOptions> = {}) {
  return createExtensionsClient({ baseUrl, token: "token", ...options });
}

describe("a write of the extensions", () => {
  test("is a form with only the fields that were given, objects in it as JSON, an empty value to clear", async () => {
    await using server = await startScriptedServer(answer);
    const { events, calendars } = client(server.url);
    await events.update(7, { location: "", custom_data: { room: "2b", seats: [1, 2] } });
    await calendars.update("1", { title: "Concerts & more", custom_data: {} });
    await events.add({ calendar_id: "1", title: "é", start_date: "2026-07-04T13:30", status: "tentative" });
    const sent = server.seen.map(({ method, url, body }) => [method, url, [...new URLSearchParams(body)]]);
    expect(sent).toEqual([
      [
        "POST",
        "/api/kalends/v1/events/update/",
        [
          ["location", ""],
          ["custom_data", '{"room":"2b","seats":[1,2]}'],
          ["event_id", "7"],
        ],
      ],
      [
        "POST",
        "/api/kalends/v1/calendars/update/",
        [
          ["title", "Concerts & more"],
          ["custom_data", "{}"],
          ["calendar_id", "1"],
        ],
      ],
      [
        "POST",
        "/api/kalends/v1/events/create/",
        [
          ["calendar_id", "1"],
          ["title", "é"],
          ["start_date", "2026-07-04T13:30"],
          ["status", "tentative"],
        ],
      ],
    ]);
  });

  test("sends a calendar file as it is, with the other parameters in the query", async () => {
    const summary = { calendar_id: "1", dry_run: true, created: 1, changed: 0, unchanged: 0, skipped: 0 };
    await using server = await startScriptedServer(
      json(200, { meta: { code: "200" }, import: summary, events: [{ result: "created" }] }),
    );
    const file = "BEGIN:VCALENDAR\r\nSUMMARY:é & +\r\nEND:VCALENDAR\r\n";
    const report = await client(server.url).calendars.import("1", file, { dryRun: true });
    expect(report).toEqual({ ...summary, events: [{ result: "created" }] });
    const [{ method, url, headers, body } = {}] = server.seen;
    expect([method, url, headers?.["content-type"], body]).toEqual([
      "POST",
      "/api/kalends/v1/calendars/import/?calendar_id=1&dry_run=true",
      "text/calendar",
      file,
    ]);
    expect(headers?.["idempotency-key"]).toBeDefined();
    await client(server.url)
      .calendars.import("1", "", { classes: "all", tell: false })
      .catch(() => undefined);
    expect(server.seen[1]).toMatchObject({
      method: "POST",
      body: "",
      url: "/api/kalends/v1/calendars/import/?calendar_id=1&classes=all&tell=false",
    });
  });

  test("sends a picture as its bytes, whatever these are", async () => {
    const picture = { id: "5d41402abc4b2a76b9719d911017c592", width: 1, height: 1 };
    await using server = await startScriptedServer(cut, json(200, { meta: { code: "200" }, picture }));
    const bytes = new Blob([new Uint8Array([0x89, 0x50, 0xff, 0])]);
    expect(await client(server.url).pictures.create(bytes)).toEqual(picture);
    const heads = server.seen.map(({ headers }) => [headers["content-type"], headers["content-length"]]);
    expect(heads).toEqual([
      ["image/jpeg", "4"],
      ["image/jpeg", "4"], // tried again
    ]);
  });

  test("is a POST, also for a client whose other writes are GETs", async () => {
    await using server = await startScriptedServer(answer);
    await client(server.url, { mutationMethod: "GET" }).events.update("7", { title: "a" });
    expect(server.seen.map(({ method }) => method)).toEqual(["POST"]);
  });

  test("has a key and is tried again under it, If-Match included", async () => {
    await using server = await startScriptedServer(cut, answer);
    expect(await client(server.url).events.update("7", { title: "a" }, { ifMatch: 3 })).toEqual(event);
    const heads = server.seen.map(({ headers }) => [headers["if-match"], headers["idempotency-key"]]);
    expect(heads).toEqual([
      ['"3"', expect.stringMatching(/^[!-~]{30,}$/)],
      ['"3"', heads[0]?.[1]],
    ]);
  });

  test("sends If-Match for 0 too, and no If-Match without the option", async () => {
    await using server = await startScriptedServer(answer);
    const { events } = client(server.url);
    await events.update("7", { title: "a" }, { ifMatch: 0, idempotencyKey: "mine" });
    await events.update("7", { title: "a" });
    expect(server.seen.map(({ headers }) => headers["if-match"])).toEqual(['"0"', undefined]);
    expect(server.seen[0]?.headers["idempotency-key"]).toBe("mine");
  });

  test("that is refused because the event has changed is an error with the status 412", async () => {
    const meta = { code: "412", error_type: "event_changed", error_message: "The event has changed." };
    await using server = await startScriptedServer(json(412, { meta }));
    const failed = client(server.url).events.update("7", { title: "a" }, { ifMatch: 2 });
    const error = await failed.catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(CalendarApiError);
    expect(error).toMatchObject({ kind: "http", status: 412, errorType: "event_changed" });
    expect(server.seen).toHaveLength(1);
  });
});

describe("a call of a series", () => {
  const series = { id: "1", events_count: 2 };
  const changed = json(200, { meta: { code: "200" }, series, event_ids: ["7", "8"] });

  test("is a form with lists as texts, and returns the series and its events", async () => {
    await using server = await startScriptedServer(
      changed,
      changed,
      json(200, { meta: { code: "200" }, event_ids: ["8"] }),
    );
    const calls = client(server.url).events.series;
    const first = { calendar_id: "1", title: "Council", start_date: "2027-01-05T19:00" };
    const dates = ["2027-03-02T19:00", "2027-03-09"];
    expect(await calls.create({ ...first, rrule: "FREQ=WEEKLY", exdate: dates })).toEqual({
      series,
      event_ids: ["7", "8"],
    });
    expect(await calls.update(7, "following", { location: "" }, { ifMatch: 0 })).toEqual({
      series,
      event_ids: ["7", "8"],
    });
    expect(await calls.delete("8", "this", { ifMatch: 2 })).toEqual(["8"]);
    expect(server.seen.map(({ method, url }) => [method, url])).toEqual([
      ["POST", "/api/kalends/v1/events/series/create/"],
      ["POST", "/api/kalends/v1/events/series/update/"],
      ["POST", "/api/kalends/v1/events/series/delete/"],
    ]);
    expect(server.seen.map(({ body }) => Object.fromEntries(new URLSearchParams(body)))).toEqual([
      { ...first, rrule: "FREQ=WEEKLY", exdate: "2027-03-02T19:00,2027-03-09" },
      { location: "", event_id: "7", scope: "following" },
      { event_id: "8", scope: "this" },
    ]);
    expect(server.seen.map(({ headers }) => headers["if-match"])).toEqual([undefined, '"0"', '"2"']);
  });

  test("without its series or its list rejects with kind parse", async () => {
    await using server = await startScriptedServer(json(200, { meta: { code: "200" } }));
    const calls = client(server.url).events.series;
    await expect(calls.update("7", "all", { title: "a" })).rejects.toMatchObject({ kind: "parse" });
    await expect(calls.delete("7", "all")).rejects.toMatchObject({ kind: "parse" });
  });
});

describe("following the changes of a calendar", () => {
  async function pagesOf(pages: AsyncIterable<EventChanges>): Promise<readonly unknown[]> {
    const seen: unknown[] = [];
    for await (const { changes, cursor, ...rest } of pages)
      seen.push([changes.map(({ event_id }) => event_id), cursor, rest]);
    return seen;
  }

  test("reads page after page until there is no more, each with the cursor after it", async () => {
    await using server = await startScriptedServer(
      changesPage(["1", "2"], "b", true),
      changesPage(["3"], "c", false),
    );
    expect(await pagesOf(client(server.url).events.follow("1", "a"))).toEqual([
      [["1", "2"], "b", { has_more: true }],
      [["3"], "c", { has_more: false }],
    ]);
    expect(server.seen.map(({ url }) => url)).toEqual([
      "/api/kalends/v1/events/changes/?calendar_id=1&since=a",
      "/api/kalends/v1/events/changes/?calendar_id=1&since=b",
    ]);
  });

  test("begins without a cursor, and returns a new one though nothing has changed", async () => {
    await using server = await startScriptedServer(changesPage([], "b", false));
    expect(await pagesOf(client(server.url).events.follow("1"))).toEqual([[[], "b", { has_more: false }]]);
    expect(server.seen.map(({ url }) => url)).toEqual(["/api/kalends/v1/events/changes/?calendar_id=1"]);
  });

  test("ends at an empty page, though it promises more, and when the caller stops", async () => {
    await using server = await startScriptedServer(changesPage([], "b", true));
    expect(await pagesOf(client(server.url).events.follow("1", "a"))).toHaveLength(1);
    await using endless = await startScriptedServer(changesPage(["1"], "b", true));
    for await (const page of client(endless.url).events.follow("1", "a")) if (page.has_more) break;
    expect(endless.seen).toHaveLength(1);
  });
});

describe("the webhooks", () => {
  const webhook = { id: "3", url: "https://hooks.example/a", status: "enabled" };
  const delivery = { id: "9", status: "pending" };
  const meta = { code: "200" };
  const secret = "whsec_a";
  const one = json(200, { meta, webhook, secret, delivery });

  test("are written by forms under a key, each operation by its own path", async () => {
    await using server = await startScriptedServer(one);
    const { webhooks } = client(server.url);
    const { url } = webhook;
    expect(
      await webhooks.create({ url, types: ["event.created", "event.saved"], with_person: true }),
    ).toEqual({
      webhook,
      secret,
    });
    expect(await webhooks.create({ url, calendar_id: "1" })).toEqual({ webhook, secret });
    expect(await webhooks.rotate("3")).toEqual({ webhook, secret });
    expect(await webhooks.enable("3")).toEqual(webhook);
    expect(await webhooks.test("3")).toEqual(delivery);
    expect(await webhooks.redeliver("9")).toEqual(delivery);
    expect(await webhooks.delete("3")).toEqual(webhook);
    const sent = server.seen.map(
      ({ method, url: path, body }) => `${method} ${path} ${decodeURIComponent(body)}`,
    );
    expect(sent).toEqual(
      [
        `create/ url=${url}&types=event.created,event.saved&with_person=true`,
        `create/ url=${url}&calendar_id=1&with_person=false`,
        "rotate/ webhook_id=3",
        "enable/ webhook_id=3",
        "test/ webhook_id=3",
        "redeliver/ delivery_id=9",
        "delete/ webhook_id=3",
      ].map((rest) => `POST /api/kalends/v1/webhooks/${rest}`),
    );
    const keys = server.seen.map(({ headers }) => headers["idempotency-key"]);
    expect(new Set(keys).size).toBe(7);
    expect(keys).not.toContain(undefined);
  });

  test("are created once when the answer is lost: the second attempt has the key of the first", async () => {
    await using server = await startScriptedServer(cut, one);
    await client(server.url).webhooks.create({ url: webhook.url }, { idempotencyKey: "mine" });
    expect(server.seen.map(({ headers }) => headers["idempotency-key"])).toEqual(["mine", "mine"]);
  });

  test("are listed whole, their deliveries page by page", async () => {
    const page = (id: string, next: string): Step =>
      json(200, { meta, webhook, deliveries: [{ id }], paging: { next } });
    await using server = await startScriptedServer(
      json(200, { meta, webhooks: [webhook] }),
      page("9", "https://elsewhere.example/?webhook_id=3&page=2"),
      page("8", ""),
    );
    const { webhooks } = client(server.url);
    expect(await webhooks.list()).toEqual([webhook]);
    expect(await webhooks.deliveries("3").toArray()).toEqual([{ id: "9" }, { id: "8" }]);
    expect(server.seen.map(({ method, url }) => `${method} ${url}`)).toEqual([
      "GET /api/kalends/v1/webhooks/list/",
      "GET /api/kalends/v1/webhooks/deliveries/?webhook_id=3",
      "GET /api/kalends/v1/webhooks/deliveries/?webhook_id=3&page=2",
    ]);
  });

  test("reject with kind parse when a server answers without them", async () => {
    await using server = await startScriptedServer(json(200, { meta }));
    const { webhooks } = client(server.url);
    await expect(webhooks.list()).rejects.toMatchObject({ kind: "parse" });
    await expect(webhooks.rotate("3")).rejects.toMatchObject({ kind: "parse" });
  });
});

test.each([
  ["without the event", json(200, { meta: { code: "200" } })],
  ["with a list", json(200, { meta: { code: "200" }, event: [event] })],
])("a success %s rejects with kind parse", async (_title, step) => {
  await using server = await startScriptedServer(step);
  await expect(client(server.url).events.get("7")).rejects.toMatchObject({ kind: "parse" });
});
