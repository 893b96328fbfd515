import { once } from "node:events";
import { createServer } from "node:http";
import { pino } from "pino";
import { describe, expect, test } from "vitest";
import type { SubscriberRow } from "../src/db/rows.js";
import { createFeeds } from "../src/public/feed.js";
import { subscribe } from "../src/followers/subscribe.js";
import { exchange } from "./calls.js";
import { testServer } from "./harness.js";

// Categories of events, and feeds of those that a follower picked (docs/following.md).

const server = await testServer({ TRUST_PROXY: "1" });
const owner = await server.account();

const start_date = "2026-07-04T10:00";

async function newCalendar(): Promise<{ readonly id: string; readonly uniquekey: string }> {
  return (await owner.call("createCalendar", { title: "Town", timezone: "UTC" })).body.calendar;
}

const add = (calendar_id: string, title: string, categories = "") =>
  owner.call("eventsCreate", { calendar_id, title, start_date, categories });

/** A calendar with four events: two categories, one event with both, one with none. */
async function newTown() {
  const calendar = await newCalendar();
  await add(calendar.id, "Jazz", "Concerts");
  await add(calendar.id, "Puppets", "Children");
  await add(calendar.id, "Songs for all", "Children,Concerts");
  await add(calendar.id, "Council");
  return calendar;
}

let addresses = 0;
const post = (path: string, body: string) =>
  exchange(server, path, {
    method: "POST",
    headers: {
      "Content-Type": "application/x-www-form-urlencoded",
      "X-Forwarded-For": `10.9.0.${++addresses}`,
    },
    body,
  });

/** Follows by the form. Returns the path of the follower's page. */
async function followed(uniquekey: string, fields: string): Promise<string> {
  const { status, headers } = await post(`/c/${uniquekey}/follow`, `app=apple&${fields}`);
  expect(status).toBe(303);
  return headers.get("Location") ?? "";
}

const titlesIn = (feed: string): readonly string[] =>
  [...feed.matchAll(/^SUMMARY:(.*)\r$/gm)].map(([, title = ""]) => title).toSorted();

async function titles(path: string): Promise<readonly string[]> {
  return titlesIn((await server.request(`${path}/x.ics`)).text);
}

const everything = ["Council", "Jazz", "Puppets", "Songs for all"];

describe("the categories of an event", () => {
  test("are kept as they were sent, by a form and by JSON, until they are changed or cleared", async () => {
    const { id } = await newCalendar();
    const { event } = (await add(id, "x", "Zoo,É 🎉")).body;
    expect(event.categories).toEqual(["Zoo", "É 🎉"]);
    const change = async (fields: object) => {
      const { status, body } = await server.request("/api/kalends/v1/events/update/", {
        method: "POST",
        headers: { Authorization: `Bearer ${owner.token}`, "Content-Type": "application/json" },
        body: JSON.stringify({ event_id: event.id, ...fields }),
      });
      return status === 200 ? body.event.categories : body.meta.errors;
    };
    expect(await change({ location: "Here" })).toEqual(["Zoo", "É 🎉"]);
    expect(await change({ categories: ["Music"] })).toEqual(["Music"]);
    await owner.call("saveEvent", { event_id: event.id, title: "y", start_date: "07/04/2026 10:00" });
    expect((await owner.call("eventsDetails", { event_id: event.id })).body.event.categories).toEqual([
      "Music",
    ]);
    const { changes } = (await owner.call("eventsChanges", { calendar_id: id })).body;
    expect(changes[0].event.categories).toEqual(["Music"]);
    expect((await owner.call("listEvents", { calendar_id: id })).text).not.toContain("Music");
    expect(await change({ categories: [] })).toEqual([]);
    expect(await change({ categories: ["a,b"], custom_data: null })).toEqual([
      {
        parameter: "categories",
        message: "must be a list of strings without commas, or a string with commas between them",
        code: "malformed",
      },
      {
        parameter: "custom_data",
        message: "must be an object, or its JSON text; an empty string clears it",
        code: "malformed",
      },
    ]);
  });

  test.each([
    "a,",
    "a,a",
    " a",
    "a, b",
    "x".repeat(41),
    "a\tb",
    "a\u2028b",
    "a\u2029b",
    Array.from({ length: 21 }, (_, n) => n).join(),
  ])("are refused as %j", async (categories) => {
    const { id } = await newCalendar();
    const { status, body } = await add(id, "x", categories);
    expect([status, body.meta.errors?.[0]?.parameter]).toEqual([400, "categories"]);
  });

  test("are up to twenty in a calendar, also when many are added at once; one that no event has is free again", async () => {
    const { id } = await newCalendar();
    const answers = await Promise.all(Array.from({ length: 30 }, (_, n) => add(id, "x", `Name ${n}`)));
    const refused = answers.filter(({ status }) => status === 400);
    expect(refused.map(({ body }) => body.meta.errors[0].parameter)).toEqual(
      Array.from({ length: 10 }, () => "categories"),
    );
    expect((await add(id, "x", "Name 99")).status).toBe(400);
    const [made] = answers.filter(({ status }) => status === 200);
    expect((await add(id, "x", made?.body.event.categories[0])).status).toBe(200);
    const { event } = made?.body ?? {};
    await owner.call("eventsUpdate", { event_id: event.id, categories: "" });
    expect((await add(id, "x", "Name 99")).status).toBe(400); // another event has it
    const { events } = (await owner.call("eventsList", { calendar_id: id })).body;
    const last = events.find(({ categories }: { categories: string[] }) => categories.length === 1);
    await owner.call("deleteEvent", { event_id: last.id });
    const free = events.filter(
      ({ categories: [name] }: { categories: string[] }) => name === last.categories[0],
    );
    for (const { id: event_id } of free) await owner.call("deleteEvent", { event_id });
    expect((await add(id, "x", "Name 99")).status).toBe(200);
    const kept = (await owner.call("categoriesList", { calendar_id: id })).body.categories;
    expect(kept).toHaveLength(20);
  });
});

describe("a feed", () => {
  test("names the categories of its events, and has what its follower picked and what has none", async () => {
    const { uniquekey, id } = await newTown();
    const whole = (await server.request(`/c/${uniquekey}/x.ics`)).text;
    expect(titlesIn(whole)).toEqual(everything);
    expect(whole.match(/^CATEGORIES:.*\r$/gm)?.toSorted()).toEqual([
      "CATEGORIES:Children\r",
      "CATEGORIES:Children,Concerts\r",
      "CATEGORIES:Concerts\r",
    ]);
    const concerts = await followed(uniquekey, "choose=1&category=Concerts&category=Unknown");
    expect(await titles(concerts)).toEqual(["Council", "Jazz", "Songs for all"]);
    expect(await titles(await followed(uniquekey, "choose=1"))).toEqual(["Council"]);
    const all = await followed(uniquekey, "choose=1&category=Children&category=Concerts");
    const unasked = await followed(uniquekey, "category=Concerts"); // a form without boxes
    await add(id, "Fair", "Markets");
    expect(await titles(all)).toEqual([...everything, "Fair"].toSorted());
    expect(await titles(unasked)).toEqual([...everything, "Fair"].toSorted());
    expect(await titles(concerts)).toEqual(["Council", "Jazz", "Songs for all"]);
  });

  test("changes when its follower picks others, whatever the app remembers of it", async () => {
    const { uniquekey } = await newTown();
    const page = await followed(uniquekey, "choose=1&category=Children");
    const poll = (validators: Record<string, string>) =>
      server.request(`${page}/x.ics`, { headers: validators });
    const first = await poll({});
    expect(titlesIn(first.text)).toEqual(["Council", "Puppets", "Songs for all"]);
    const etag = first.headers.get("ETag") ?? "";
    expect(first.headers.get("Last-Modified")).toBeNull();
    expect((await poll({ "If-None-Match": etag })).status).toBe(304);
    const { status, headers } = await post(
      `${page}/categories`,
      "choose=1&category=Concerts&category=Children",
    );
    expect([status, headers.get("Location")]).toEqual([303, `${page}?chosen=1`]);
    const second = await poll({ "If-None-Match": etag });
    expect(titlesIn(second.text)).toEqual(everything);
    await post(`${page}/categories`, "choose=1&category=Children");
    const modified = second.headers.get("Last-Modified") ?? "";
    const third = await poll({ "If-Modified-Since": modified });
    expect([third.status, third.headers.get("ETag")]).toEqual([200, etag]);
  });

  test("is a 304 for everyone whose events did not change, whatever they picked", async () => {
    const { uniquekey, id } = await newTown();
    const sets = ["", "&category=Children", "&category=Concerts", "&category=Children&category=Concerts"];
    const pages = await Promise.all([...sets, ...sets].map((set) => followed(uniquekey, `choose=1${set}`)));
    const poll = (tags: readonly string[]) =>
      Promise.all(
        pages.map((page, index) =>
          server.request(`${page}/x.ics`, { headers: { "If-None-Match": tags[index] ?? '"none"' } }),
        ),
      );
    const tags = (await poll([])).map(({ headers }) => headers.get("ETag") ?? "");
    expect(new Set(tags).size).toBe(4);
    expect((await poll(tags)).map(({ status }) => status)).toEqual(pages.map(() => 304));
    await add(id, "Fair");
    expect((await poll(tags)).map(({ status }) => status)).toEqual(pages.map(() => 200));
  });

  test("of a hundred sets displaces no whole feed from memory, and each set is made once", async () => {
    const { uniquekey, id } = await newCalendar();
    const names = Array.from({ length: 20 }, (_, n) => `Name ${n}`);
    await Promise.all(names.map((name) => add(id, `About ${name}`, name)));
    const keys: (string | undefined)[] = [];
    const person = {
      ...{ name: "", email: "", ip: "", postal: null, city: null, state: null, country: null },
      calendar_type: "apple",
    };
    const sets = names.flatMap((one, n) =>
      names.slice(n + 1).map((other) => [one, other].toSorted().join(",")),
    );
    for (const categories of sets.slice(0, 100))
      keys.push(await subscribe(server.db, Number(id), { ...person, categories }, server.now));
    const cacheCounts = { lookups: 0, misses: 0 };
    const feeds = createFeeds({
      db: server.db,
      clock: () => server.now,
      settings: { publicUrl: undefined, refreshMinutes: 60 },
      secret: "secret",
      compresses: true,
      fetches: { record: () => undefined },
      polls: { count: () => undefined },
      cacheCounts,
      log: pino({ level: "silent" }),
      memory: { all: 30_000, picked: 30_000 },
    });
    const small = createServer((req, res) => void feeds(req, res));
    await once(small.listen(0, "127.0.0.1"), "listening");
    const address = small.address();
    const port = typeof address === "object" ? address?.port : undefined;
    const read = async (path: string) => (await fetch(`http://127.0.0.1:${port}${path}/x.ics`)).text();
    expect(titlesIn(await read(`/c/${uniquekey}`))).toHaveLength(20);
    const [first = ""] = keys;
    expect(titlesIn((await Promise.all([1, 2, 3].map(() => read(`/f/${first}`))))[0] ?? "")).toHaveLength(2);
    expect(cacheCounts.misses).toBe(2);
    for (const key of keys) await read(`/f/${key}`);
    expect(cacheCounts.misses).toBe(101);
    await read(`/c/${uniquekey}`);
    expect(cacheCounts.misses).toBe(101);
    small.close();
    small.closeAllConnections();
  });
});

describe("pages", () => {
  test("offer the categories in four languages, ticked as they were picked; no box where there is none", async () => {
    const { uniquekey } = await newTown();
    const page = await followed(uniquekey, "choose=1&category=Concerts");
    const boxes = (text: string) =>
      [...text.matchAll(/type="checkbox"\s+name="category"\s+value="([^"]*)"\s*(checked)?/g)].map(
        ([, name, checked]) => [name, checked === "checked"],
      );
    for (const [language, legend] of Object.entries({
      en: "Which events?",
      de: "Welche Termine?",
      fr: "Quels événements\u00a0?",
      es: "¿Qué eventos?",
    })) {
      const headers = { "Accept-Language": language };
      const offered = (await server.request(`/c/${uniquekey}`, { headers })).text;
      expect(offered).toContain(`<legend>${legend}</legend>`);
      expect(boxes(offered)).toEqual([
        ["Children", true],
        ["Concerts", true],
      ]);
      const own = (await server.request(page, { headers })).text;
      expect(boxes(own)).toEqual([
        ["Children", false],
        ["Concerts", true],
      ]);
      expect(own).not.toContain('role="status"');
    }
    expect((await server.request(`${page}?chosen=1`)).text).toContain('role="status"');
    const plain = await newCalendar();
    const without = await followed(plain.uniquekey, "choose=1");
    expect(boxes((await server.request(`/c/${plain.uniquekey}`)).text)).toEqual([]);
    expect((await server.request(without)).text).not.toContain("<fieldset");
  });

  test("show a hostile name as text, and take it back as it is", async () => {
    const { id, uniquekey } = await newCalendar();
    const name = `"><script>alert(1)</script>&amp; '\\;é`;
    expect((await add(id, "x", name)).status).toBe(200);
    await add(id, "y", "Other");
    const { text } = await server.request(`/c/${uniquekey}`);
    expect(text).not.toContain("<script>alert");
    expect(text).toContain("&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;&amp;amp; ");
    const page = await followed(uniquekey, new URLSearchParams({ choose: "1", category: name }).toString());
    expect(await titles(page)).toEqual(["x"]);
  });

  test("take no choice from a stranger, another site, a link, or one who has left", async () => {
    const { uniquekey, id } = await newTown();
    const page = await followed(uniquekey, "choose=1&category=Concerts");
    expect((await post("/f/aaaaaaaaaaaaaaaaaaaaaa/categories", "choose=1")).status).toBe(404);
    expect((await server.request(`${page}/categories`)).status).toBe(405);
    const foreign = await exchange(server, `${page}/categories`, {
      method: "POST",
      headers: { Origin: "https://evil.example", "Content-Type": "application/x-www-form-urlencoded" },
      body: "choose=1",
    });
    expect(foreign.status).toBe(403);
    const stored = () => server.db.read<SubscriberRow>("subscribers").where({ calendar_id: Number(id) });
    expect((await stored()).map(({ categories }) => categories)).toEqual(["Concerts"]);
    await post(`${page}/unfollow`, "");
    expect((await server.request(page)).text).not.toContain("<fieldset");
  });
});
