import { randomInt } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { CalendarRow, SubscriberRow } from "../src/db/rows.js";
import { apps } from "../src/followers/agents.js";
import { hashFollowerKey } from "../src/followers/subscribe.js";
import { exchange, type Exchange } from "./calls.js";
import { databaseContent, holdContent } from "./database-content.js";
import { startOfTests, startTestServer, testServer, type TestServer } from "./harness.js";
import { mmdb } from "./mmdb.js";
import { temporaryFolder } from "./temporary.js";

// Following by a form, and leaving again (rulings R5.1 to R5.6).

// One proxy, so that each form can come from an address of its own.
const server = await testServer({ TRUST_PROXY: "1" });
const folder = temporaryFolder();
const owner = await server.account();

async function newCalendar(on: TestServer = server, account = owner): Promise<CalendarRow> {
  const made = await account.call("createCalendar", { title: "Concerts", timezone: "UTC" });
  const row = await on.db
    .read<CalendarRow>("calendars")
    .where({ id: Number(made.body.calendar.id) })
    .first();
  if (row === undefined) throw new Error("no calendar");
  return row;
}

const made = { addresses: 0 };
const newAddress = (): string => {
  made.addresses++;
  return `10.1.${made.addresses >> 8}.${made.addresses & 255}`;
};

type Fields = Readonly<Record<string, string>>;

/** Sends a form, from an address of its own unless the headers say another. */
function post(path: string, fields: Fields | string, { headers = {}, ...rest }: Exchange = {}, on = server) {
  return exchange(on, path, {
    method: "POST",
    headers: {
      "Content-Type": "application/x-www-form-urlencoded",
      "X-Forwarded-For": newAddress(),
      ...headers,
    },
    body: typeof fields === "string" ? fields : new URLSearchParams(fields).toString(),
    ...rest,
  });
}

const follow = ({ uniquekey }: CalendarRow, fields: Fields | string, options: Exchange = {}, on = server) =>
  post(`/c/${uniquekey}/follow`, fields, options, on);

const keyOf = ({ headers }: { readonly headers: Headers }): string =>
  /^\/f\/([A-Za-z0-9_-]{22})$/.exec(headers.get("Location") ?? "")?.[1] ?? "no key";

const rowsOf = ({ id }: CalendarRow, on = server): Promise<SubscriberRow[]> =>
  on.db.read<SubscriberRow>("subscribers").where({ calendar_id: id }).orderBy("id");

const isPage = ({ headers, text }: { readonly headers: Headers; readonly text: string }): boolean =>
  headers.get("Content-Type") === "text/html; charset=utf-8" && text.startsWith("<!doctype html>");

test("a form makes a follower whose key is in the answer alone, and the owner reads it in the API", async () => {
  const calendar = await newCalendar();
  const answer = await follow(calendar, { app: "apple", name: "Ada Byron", email: "ada@example.com" });
  expect(answer.status).toBe(303);
  expect(answer.text).toBe("");
  expect(answer.headers.get("Cache-Control")).toBe("no-store");
  expect(answer.headers.get("Referrer-Policy")).toBe("no-referrer");
  const key = keyOf(answer);
  const [row, ...others] = await rowsOf(calendar);
  expect(others).toEqual([]);
  expect(row).toMatchObject({
    key_hash: hashFollowerKey(key),
    last_seen_at: startOfTests,
    type_confirmed: 0,
  });
  expect(await databaseContent(server)).not.toContain(key);
  const { body } = await owner.call("listSubscribers", { calendar_id: String(calendar.id) });
  expect(body.subscribers).toEqual([
    {
      id: String(row?.id),
      name: "Ada Byron",
      email: "ada@example.com",
      ip: row?.ip,
      postal: "null",
      city: "null",
      state: "null",
      country: "ZZ",
      date: "07/02/2026 12:00:00",
      unixtime_stamp: startOfTests,
      calendar_type: "apple",
      active: "true",
      blocked: "false",
    },
  ]);
  expect((await server.request(`/f/${key}`)).status).toBe(200);
});

for (const app of apps) {
  test(`the button ${app} makes a follower of that type, without name and e-mail`, async () => {
    const calendar = await newCalendar();
    expect((await follow(calendar, { app, name: " ", email: "" })).status).toBe(303);
    expect(await rowsOf(calendar)).toMatchObject([{ calendar_type: app, name: "", email: "" }]);
  });
}

test("names of all scripts are kept as they are typed, without the white space around them", async () => {
  const calendar = await newCalendar();
  const name = "  <b>Ådа\u202e 🎻'); drop table--  ";
  await follow(calendar, { app: "ical", name, email: " ada@example.com " });
  expect(await rowsOf(calendar)).toMatchObject([{ name: name.trim(), email: "ada@example.com" }]);
});

describe("a form that is not right is answered with a page that names the field and keeps nothing", () => {
  const bad = [
    ["no app", {}, ["App"]],
    ["an unknown app", { app: "lotus" }, ["App"]],
    ["an app in capitals", { app: "Apple" }, ["App"]],
    ["an app twice", "app=apple&app=google", ["App"]],
    ["a list of apps", "app[]=apple", ["App"]],
    ["a name of 256 characters", { app: "apple", name: "x".repeat(256) }, ["Name"]],
    ["a name with a line break", { app: "apple", name: "a\nb" }, ["Name"]],
    ["a name with NUL", { app: "apple", name: "a\0b" }, ["Name"]],
    ["a name twice", "app=apple&name=a&name=b", ["Name"]],
    ["an e-mail address without @", { app: "apple", email: "ada" }, ["E-mail"]],
    ["two e-mail addresses in one", { app: "apple", email: "a@example.com,b@example.com" }, ["E-mail"]],
    [
      "an e-mail address of 255 characters",
      { app: "apple", email: `${"x".repeat(243)}@example.com` },
      ["E-mail"],
    ],
    ["all three", { app: "x", name: "a\rb", email: "x" }, ["App", "Name", "E-mail"]],
  ] as const;
  for (const [title, fields, named] of bad) {
    test(title, async () => {
      const calendar = await newCalendar();
      const answer = await follow(calendar, fields);
      expect(answer.status).toBe(400);
      expect(isPage(answer)).toBe(true);
      const items = [...answer.text.matchAll(/<li>([^:]+):/g)].map(([, field]) => field);
      expect(items).toEqual(named);
      expect(answer.text).toContain(`href="/c/${calendar.uniquekey}"`);
      expect(await rowsOf(calendar)).toEqual([]);
    });
  }

  test("in the visitor's language", async () => {
    const answer = await follow(await newCalendar(), {}, { headers: { "Accept-Language": "de-AT" } });
    expect(answer.text).toContain("Wählen Sie einen der Knöpfe");
  });
});

describe("a body that is no form is answered with a page", () => {
  const bodies = [
    ["bad percent-encoding", "app=apple&name=%zz", {}],
    ["bad UTF-8", "app=apple&name=%ff", {}],
    ["multipart", "--x\r\n\r\n--x--", { "Content-Type": "multipart/form-data; boundary=x" }],
    ["plain text", "app=apple", { "Content-Type": "text/plain" }],
    ["another charset", "app=apple", { "Content-Type": "application/x-www-form-urlencoded; charset=latin1" }],
    ["a compressed body", "app=apple", { "Content-Encoding": "gzip" }],
    ["17 kB", `app=apple&x=${"y".repeat(17_000)}`, {}],
  ] as const;
  for (const [title, body, headers] of bodies) {
    test(title, async () => {
      const calendar = await newCalendar();
      const answer = await follow(calendar, body, { headers });
      expect([answer.status, isPage(answer)]).toEqual([400, true]);
      expect(await rowsOf(calendar)).toEqual([]);
    });
  }
});

test("a calendar that never was is 404, a deleted one 410, and both say so in a page", async () => {
  const calendar = await newCalendar();
  await owner.call("deleteCalendar", { calendar_id: String(calendar.id) });
  const gone = await follow(calendar, { app: "apple" });
  expect([gone.status, isPage(gone)]).toEqual([410, true]);
  for (const key of ["23456789abcd", "unknown", "A", "%2e%2e", "x".repeat(300)]) {
    const answer = await post(`/c/${key}/follow`, { app: "apple" });
    expect([answer.status, isPage(answer)]).toEqual([404, true]);
  }
});

describe("other methods than POST get 405 and change nothing", () => {
  for (const method of ["GET", "HEAD", "PUT", "PATCH", "DELETE", "OPTIONS"]) {
    test(method, async () => {
      const calendar = await newCalendar();
      const key = keyOf(await follow(calendar, { app: "apple" }));
      await using before = await holdContent(server);
      for (const path of [
        `/c/${calendar.uniquekey}/follow?app=apple`,
        `/f/${key}/unfollow`,
        `/f/${key}/delete`,
        `/f/${key}/renew`,
      ]) {
        const answer = await exchange(server, path, { method, headers: { "Sec-Purpose": "prefetch" } });
        expect([answer.status, answer.headers.get("Allow")]).toEqual([405, "POST"]);
      }
      await before.expectSame();
    });
  }
});

test("the response does not reveal whether an e-mail address already follows", async () => {
  const calendar = await newCalendar();
  const form = { app: "apple", name: "Ada", email: "ada@example.com" };
  const headersOf = (answer: { readonly headers: Headers }) =>
    Object.fromEntries(
      [...answer.headers].filter(([name]) => !["location", "x-request-id", "date"].includes(name)),
    );
  const [first, second] = [await follow(calendar, form), await follow(calendar, form)];
  expect([second.status, second.text]).toEqual([first.status, first.text]);
  expect(headersOf(second)).toEqual(headersOf(first));
  expect(keyOf(second)).not.toBe(keyOf(first));
});

test("40 forms at once make 40 followers, and the calendar counts them", async () => {
  const calendar = await newCalendar();
  const forms = Array.from({ length: 40 }, () => follow(calendar, { app: "apple" }));
  const answers = await Promise.all(forms);
  expect(new Set(answers.map(keyOf)).size).toBe(40);
  const row = await server.db.read<CalendarRow>("calendars").where({ id: calendar.id }).first();
  expect(row).toMatchObject({ followers_total: 40, followers_active: 40 });
  expect(await rowsOf(calendar)).toHaveLength(40);
});

describe("leaving", () => {
  test("who unfollows is inactive for good, sees so on the same page, and keeps the right to delete", async () => {
    const calendar = await newCalendar();
    const key = keyOf(await follow(calendar, { app: "apple", name: "Ada" }));
    const answer = await post(`/f/${key}/unfollow`, "");
    expect([answer.status, answer.headers.get("Location")]).toEqual([303, `/f/${key}`]);
    expect(answer.headers.get("Cache-Control")).toBe("no-store");
    expect(await rowsOf(calendar)).toMatchObject([{ active: 0, unfollowed_at: server.now, name: "Ada" }]);
    expect((await server.request(`/f/${key}`)).status).toBe(200);
    expect((await post(`/f/${key}/unfollow`, "")).status).toBe(303);
    expect((await post(`/f/${key}/delete`, "")).status).toBe(303);
    expect(await rowsOf(calendar)).toEqual([]);
  });

  test("a new key opens the same follower's page and feed, and the old one nothing more", async () => {
    const calendar = await newCalendar();
    const old = keyOf(await follow(calendar, { app: "google", name: "Ada" }));
    const answer = await post(`/f/${old}/renew`, "");
    const renewed = keyOf(answer);
    expect(answer.status).toBe(303);
    expect(renewed).not.toBe(old);
    expect((await server.request(`/f/${renewed}`)).status).toBe(200);
    expect((await server.request(`/f/${renewed}/x.ics`)).status).toBe(200);
    expect((await server.request(`/f/${old}`)).status).toBe(404);
    expect((await server.request(`/f/${old}/x.ics`)).status).toBe(404);
    expect((await post(`/f/${old}/renew`, "")).status).toBe(404);
    const { subscribers } = (await owner.call("listSubscribers", { calendar_id: String(calendar.id) })).body;
    expect(subscribers).toMatchObject([{ name: "Ada", active: "true", calendar_type: "google" }]);
    await post(`/f/${renewed}/delete`, ""); // others count what the database holds
  });

  test("deleting removes every trace of the follower, and its key opens nothing more", async () => {
    const calendar = await newCalendar();
    const person = { name: "Grace Unrepeatable", email: "grace.unrepeatable@example.com" };
    const key = keyOf(await follow(calendar, { app: "google", ...person }));
    expect(await databaseContent(server)).toContain(person.email);
    const answer = await post(`/f/${key}/delete`, "");
    expect([answer.status, answer.headers.get("Location")]).toEqual([303, `/c/${calendar.uniquekey}?left=1`]);
    const content = await databaseContent(server);
    for (const trace of [person.name, person.email, hashFollowerKey(key)])
      expect(content).not.toContain(trace);
    const row = await server.db.read<CalendarRow>("calendars").where({ id: calendar.id }).first();
    expect(row).toMatchObject({ followers_total: 0, followers_active: 0, followers_inactive: 0 });
    for (const path of [`/f/${key}/unfollow`, `/f/${key}/delete`]) {
      expect((await post(path, "")).status).toBe(404);
    }
    expect((await server.request(`/f/${key}`)).status).toBe(404);
  });

  test("an unknown or malformed key is 404", async () => {
    for (const key of ["A".repeat(22), "short", "x".repeat(500), "%00", "..%2f.."]) {
      for (const what of ["unfollow", "renew", "delete"]) {
        const answer = await post(`/f/${key}/${what}`, "");
        expect([key, answer.status, isPage(answer)]).toEqual([key, 404, true]);
      }
    }
  });

  test("a blocked subscriber may unfollow and delete", async () => {
    const calendar = await newCalendar();
    const key = keyOf(await follow(calendar, { app: "apple" }));
    await server.db.transaction((trx) =>
      trx("subscribers").where({ calendar_id: calendar.id }).update({ blocked: 1 }),
    );
    await server.db.transaction((trx) =>
      trx("calendars").where({ id: calendar.id }).update({ followers_blocked: 1, followers_active: 0 }),
    );
    expect((await post(`/f/${key}/unfollow`, "")).status).toBe(303);
    expect((await post(`/f/${key}/delete`, "")).status).toBe(303);
    const row = await server.db.read<CalendarRow>("calendars").where({ id: calendar.id }).first();
    expect(row).toMatchObject({ followers_total: 0, followers_active: 0, followers_blocked: 0 });
  });
});

describe("limits on following, per minute", () => {
  const limited = async (environment: Readonly<Record<string, string>> = {}) => {
    const on = await startTestServer({ TRUST_PROXY: "1", ...environment });
    const account = await on.account();
    return {
      newCalendar: () => newCalendar(on, account),
      /** Follows once from each address and returns the answers. */
      followFrom: async (calendar: CalendarRow, addresses: readonly string[]) => {
        const answers = [];
        for (const address of addresses) {
          const headers = { "X-Forwarded-For": address, "Accept-Language": "en" };
          answers.push(await follow(calendar, { app: "apple" }, { headers }, on));
        }
        return answers;
      },
      post: (path: string, headers: Fields) => post(path, "", { headers }, on),
      rowsOf: (calendar: CalendarRow) => rowsOf(calendar, on),
      stop: () => on.stop(),
    };
  };
  const same = (address: string, count: number) => Array.from({ length: count }, () => address);
  const statusesOf = (answers: readonly { readonly status: number }[]) => answers.map(({ status }) => status);

  test("60 people behind one address follow at once; the next sees a page that says when to retry", async () => {
    const on = await limited();
    const calendar = await on.newCalendar();
    const answers = await on.followFrom(calendar, same("192.0.2.1", 61));
    expect(statusesOf(answers)).toEqual([...Array.from({ length: 60 }, () => 303), 429]);
    const refused = answers.at(-1);
    expect(refused !== undefined && isPage(refused)).toBe(true);
    expect(refused?.text).not.toContain("your network");
    expect(Number(refused?.headers.get("Retry-After"))).toBeGreaterThan(0);
    expect(statusesOf(await on.followFrom(calendar, ["192.0.2.2"]))).toEqual([303]);
    await on.stop();
  });

  test("FOLLOW_LIMIT_PER_ADDRESS: an IPv6 network of 64 bits counts as one, as do an IPv4 address and its IPv6 form", async () => {
    const on = await limited({ FOLLOW_LIMIT_PER_ADDRESS: "2" });
    const calendar = await on.newCalendar();
    const network = ["2001:db8:1:1::1", "2001:db8:1:1::2", "2001:db8:1:1::3", "2001:db8:1:2::1"];
    expect(statusesOf(await on.followFrom(calendar, network))).toEqual([303, 303, 429, 303]);
    const mapped = ["192.0.2.3", "::ffff:192.0.2.3", "192.0.2.3"];
    expect(statusesOf(await on.followFrom(calendar, mapped))).toEqual([303, 303, 429]);
    await on.stop();
  });

  test("FOLLOW_LIMIT_PER_CALENDAR: many addresses cannot flood a calendar, and other calendars are not affected", async () => {
    const on = await limited({ FOLLOW_LIMIT_PER_CALENDAR: "3" });
    const [calendar, other] = [await on.newCalendar(), await on.newCalendar()];
    const addresses = Array.from({ length: 10 }, (_, index) => `198.51.100.${index}`);
    const answers = await on.followFrom(calendar, addresses);
    expect(statusesOf(answers)).toEqual([303, 303, 303, ...Array.from({ length: 7 }, () => 429)]);
    expect(Number(answers.at(-1)?.headers.get("Retry-After"))).toBeGreaterThan(0);
    expect(await on.rowsOf(calendar)).toHaveLength(3);
    expect(statusesOf(await on.followFrom(other, addresses.slice(0, 1)))).toEqual([303]);
    await on.stop();
  });

  test("stop, renew and delete do not share these limits, and what another site's page sends does not count", async () => {
    const on = await limited({ FOLLOW_LIMIT_PER_ADDRESS: "1", FOLLOW_LIMIT_PER_CALENDAR: "1" });
    const calendar = await on.newCalendar();
    const headers = { "X-Forwarded-For": "192.0.2.4" };
    const foreign = { ...headers, "Sec-Fetch-Site": "cross-site" };
    expect((await on.post(`/c/${calendar.uniquekey}/follow`, foreign)).status).toBe(403);
    const [first] = await on.followFrom(calendar, ["192.0.2.4"]);
    expect(statusesOf(await on.followFrom(calendar, ["192.0.2.4"]))).toEqual([429]);
    if (first === undefined) throw new Error("not followed");
    const renewed = keyOf(await on.post(`/f/${keyOf(first)}/renew`, headers));
    for (let index = 0; index < 70; index++)
      expect((await on.post(`/f/${renewed}/unfollow`, headers)).status).toBe(303);
    expect((await on.post(`/f/${renewed}/delete`, headers)).status).toBe(303);
    expect(await on.rowsOf(calendar)).toEqual([]);
    await on.stop();
  });

  test("0 means no limit", async () => {
    const on = await limited({ FOLLOW_LIMIT_PER_ADDRESS: "0", FOLLOW_LIMIT_PER_CALENDAR: "0" });
    const calendar = await on.newCalendar();
    const answers = await on.followFrom(calendar, same("192.0.2.5", 70));
    expect(new Set(statusesOf(answers))).toEqual(new Set([303]));
    await on.stop();
  });
});

const cities = join(folder, "city.mmdb");
writeFileSync(
  cities,
  mmdb({
    "8.8.8.0/24": {
      country: { iso_code: "US" },
      city: { names: { en: "Mountain View" } },
      subdivisions: [{ iso_code: "CA", names: { en: "California" } }],
      postal: { code: "94043" },
    },
    "2001:4860:0:0:0:0:0:0/32": { country_code: "NL", city: "Delft" },
  }),
);

describe("the stored part of the address; the location is looked up with the full address", () => {
  const us = { country: "US", state: "California", city: "Mountain View", postal: "94043" };
  const nl = { country: "NL", state: null, city: "Delft", postal: null };
  const kept = [
    ["full", "8.8.8.77", { ip: "8.8.8.77", ...us }],
    ["full", "2001:4860:1:2:3::4", { ip: "2001:4860:1:2:3::4", ...nl }],
    ["full", "::ffff:8.8.8.8", { ip: "8.8.8.8", ...us }],
    ["truncated", "8.8.8.77", { ip: "8.8.8.0", ...us }],
    ["truncated", "2001:4860:1:2:3::4", { ip: "2001:4860:1::", ...nl }],
    ["truncated", "::ffff:8.8.8.8", { ip: "8.8.8.0", ...us }],
    ["off", "8.8.8.77", { ip: "", ...us }],
    ["full", "10.1.2.3", { ip: "10.1.2.3", country: null, state: null, city: null, postal: null }],
  ] as const;
  test("by STORE_IP", async () => {
    const stores = ["full", "truncated", "off"] as const;
    const started = stores.map(async (STORE_IP) => {
      const on = await startTestServer({ STORE_IP, GEOIP_DATABASE: cities, TRUST_PROXY: "1" });
      const account = await on.account();
      for (const [, address, want] of kept.filter(([store]) => store === STORE_IP)) {
        const calendar = await newCalendar(on, account);
        await follow(calendar, { app: "apple" }, { headers: { "X-Forwarded-For": address } }, on);
        expect(await rowsOf(calendar, on)).toMatchObject([want]);
        const { body } = await account.call("listSubscribers", { calendar_id: String(calendar.id) });
        const shown = { country: want.country ?? "ZZ", city: want.city ?? "null" };
        expect(body.subscribers[0]).toMatchObject(shown);
      }
      await on.stop();
    });
    await Promise.all(started);
  });
});

describe("the address is the visitor's, not what a stranger writes into a header", () => {
  const forged = {
    "X-Forwarded-For": "8.8.8.8",
    Forwarded: "for=8.8.8.8",
    "X-Real-IP": "8.8.8.8",
    "CF-Connecting-IP": "8.8.8.8",
    "True-Client-IP": "8.8.8.8",
  };
  const settings = [
    ["off", forged, "127.0.0.1"],
    ["1", { ...forged, "X-Forwarded-For": "8.8.8.8, 192.0.2.9" }, "192.0.2.9"],
    ["1", { ...forged, "X-Forwarded-For": "192.0.2.9" }, "192.0.2.9"],
    ["1", { ...forged, "X-Forwarded-For": "8.8.8.8, [2001:DB8::9]:4711" }, "2001:db8::9"],
    ["1", { ...forged, "X-Forwarded-For": "8.8.8.8, 192.0.2.9:4711" }, "192.0.2.9"],
    ["1", { ...forged, "X-Forwarded-For": "8.8.8.8, <b>" }, "127.0.0.1"],
    ["2", { ...forged, "X-Forwarded-For": "8.8.8.8, 192.0.2.9, 10.0.0.1" }, "192.0.2.9"],
    ["127.0.0.1", { ...forged, "X-Forwarded-For": "8.8.8.8, 192.0.2.9" }, "192.0.2.9"],
    ["127.0.0.1,10.0.0.0/8", { ...forged, "X-Forwarded-For": "8.8.8.8, 192.0.2.9, 10.0.0.1" }, "192.0.2.9"],
    ["10.0.0.0/8", forged, "127.0.0.1"],
  ] as const;
  test("by TRUST_PROXY", async () => {
    const started = settings.map(async ([TRUST_PROXY, headers, ip]) => {
      const on = await startTestServer({ TRUST_PROXY });
      const calendar = await newCalendar(on, await on.account());
      await follow(calendar, { app: "apple" }, { headers }, on);
      const [row] = await rowsOf(calendar, on);
      await on.stop();
      return { TRUST_PROXY, headers, ip: row?.ip, want: ip };
    });
    for (const { want, ...found } of await Promise.all(started)) {
      expect(found).toEqual({ ...found, ip: want });
    }
  });
});

test("500 hostile forms are answered with pages, and never with a fault of ours", async () => {
  const calendar = await newCalendar();
  const key = keyOf(await follow(calendar, { app: "apple" }));
  const pick = <Item>(items: readonly Item[]): Item => {
    const item = items[randomInt(items.length)];
    if (item === undefined) throw new Error("nothing to pick from");
    return item;
  };
  const texts = [
    "apple",
    "",
    "%",
    "%00",
    "%ff%fe",
    "'",
    '"><script>alert(1)</script>',
    "{{7*7}}",
    "../..",
    "a@b",
    "\u202e",
    "x".repeat(9_000),
    "%F0%9F%8E%BB",
    "&&&===",
    "a=b=c",
    "null",
    "[object Object]",
    "__proto__",
  ];
  const names = ["app", "name", "email", "app[]", "__proto__", "constructor", "", "APP", "name[a][b]"];
  const paths = [
    `/c/${calendar.uniquekey}/follow`,
    `/f/${key}/unfollow`,
    `/f/${"A".repeat(22)}/delete`,
    "/c/%00/follow",
    "/c/%ff/follow",
    "/f/%/delete",
    `/c/${calendar.uniquekey}/follow/`,
    "/c//follow",
    "/c/x/follow?%zz=%zz",
  ];
  const types = [
    "application/x-www-form-urlencoded",
    "application/json",
    "text/html",
    "",
    ";;;",
    "application/x-www-form-urlencoded; charset=utf-7",
  ];
  const answers = await Promise.all(
    Array.from({ length: 500 }, () => {
      const fields = Array.from({ length: randomInt(5) }, () => `${pick(names)}=${pick(texts)}`);
      return post(pick(paths), fields.join("&"), {
        headers: {
          "Content-Type": pick(types),
          "Accept-Language": pick(["de", "x".repeat(2_000), "*;q=9", "fr-CA;q=0.5,,;"]),
          Origin: pick([server.url, "null", "http://evil.example", "%"]),
        },
        method: pick(["POST", "POST", "POST", "PATCH", "PUT"]),
      });
    }),
  );
  const odd = answers.filter(
    (answer) =>
      ![303, 400, 403, 404, 405].includes(answer.status) || (answer.status !== 303 && !isPage(answer)),
  );
  expect(odd.map(({ status, text }) => [status, text.slice(0, 200)])).toEqual([]);
  expect(new Set(answers.map(({ status }) => status)).size).toBeGreaterThan(3);
  for (const { text } of answers) expect(text).not.toContain("<script>alert");
});

test("the log never has a key, a name, an e-mail address or a referrer", async () => {
  const calendar = await newCalendar();
  const secret = { name: "Canary Wharf", email: "canary4711@example.com" };
  const headers = { "X-Forwarded-For": "9.8.7.6", "User-Agent": "canary-agent" };
  const key = keyOf(await follow(calendar, { app: "apple", ...secret }, { headers }));
  await follow(calendar, { app: "canary", ...secret }, { headers });
  await server.request(`/f/${key}`);
  await server.db.transaction((trx) => trx.raw("alter table subscribers rename to subscribers_away"));
  const broken = await follow(calendar, { app: "apple", ...secret }, { headers });
  const brokenToo = await post(`/f/${key}/unfollow`, "");
  await server.db.transaction((trx) => trx.raw("alter table subscribers_away rename to subscribers"));
  expect([broken.status, brokenToo.status]).toEqual([500, 500]);
  expect(isPage(broken)).toBe(true);
  await post(`/f/${key}/unfollow`, "");
  await post(`/f/${key}/delete`, "");
  await expect.poll(() => server.logText()).toContain("deleteFollower");
  const log = server.logText();
  expect(log).toContain("internal_error");
  for (const text of [key, hashFollowerKey(key), "Canary", "canary", "9.8.7.6", calendar.uniquekey]) {
    expect(log).not.toContain(text);
  }
});
