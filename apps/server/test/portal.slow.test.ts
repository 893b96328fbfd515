import { describe, expect, test } from "vitest";
import { onPostgres } from "./databases.js";
import { startTestServer, type TestAccount, testServer, type TestServer } from "./harness.js";

// The portal of an account, and the feed of several calendars (extensions X11.3).

const server = await testServer({ PUBLIC_URL: "https://calendars.example.com" });

interface Club {
  readonly account: TestAccount;
  readonly portal: string;
  /** Keys of the listed calendars: of training, of concerts. */
  readonly training: string;
  readonly concerts: string;
  readonly ids: readonly string[];
}

let clubs = 0;

const at = (days: number): string => {
  const [year, month, day] = new Date((server.now + days * 86_400) * 1_000)
    .toISOString()
    .slice(0, 10)
    .split("-");
  return `${month}/${day}/${year}`;
};

async function newCalendar(account: TestAccount, fields: Readonly<Record<string, string>>) {
  const params = { timezone: "Europe/Berlin", listed: "true", ...fields };
  const { calendar } = (await account.call("calendarsCreate", params)).body;
  return { id: String(calendar.id), key: String(calendar.unique_key ?? calendar.uniquekey) };
}

async function newClub(on: TestServer = server): Promise<Club> {
  const account = await on.account();
  const key = `club-${++clubs}`;
  await account.call("accountUpdate", { name: "TSV Bergholz", key });
  const training = await newCalendar(account, { title: "Training U12" });
  const concerts = await newCalendar(account, { title: "Konzerte", timezone: "America/New_York" });
  const hidden = await newCalendar(account, { title: "Vorstand", listed: "false" });
  const event = (calendar_id: string, title: string, more: Readonly<Record<string, string>> = {}) =>
    account.call("createEvent", {
      calendar_id,
      title,
      start_date: `${at(3)} 18:00`,
      end_date: `${at(3)} 19:00`,
      ...more,
    });
  await event(training.id, "Hallentraining", { location: "Turnhalle Süd" });
  await event(concerts.id, "Sommerkonzert", { description: "Mit Blaskapelle" });
  await event(hidden.id, "Sitzung");
  const ids = [training.id, concerts.id, hidden.id];
  return { account, portal: `/o/${key}`, training: training.key, concerts: concerts.key, ids };
}

const post = (path: string, fields: readonly (readonly [string, string])[]) =>
  server.request(path, {
    method: "POST",
    body: new URLSearchParams(fields.map(([name, value]): [string, string] => [name, value])),
    redirect: "manual",
  });

/** Follows calendars by the form of the portal; gives the path of the person's page. */
async function followAll(...keys: readonly string[]): Promise<string> {
  const calendars = keys.map((key) => ["calendar", key] as const);
  const { status, headers } = await post("/follow", [
    ["app", "apple"],
    ["name", "Ada"],
    ["email", ""],
    ...calendars,
  ]);
  expect(status).toBe(303);
  return headers.get("Location") ?? "";
}

const feedOf = (page: string) => server.request(`${page}/club.ics`);
const followersOf = async ({ account, ids }: Club) =>
  Promise.all(
    ids.map(async (calendar_id) => {
      const { body } = await account.call("listSubscribers", { calendar_id });
      return body.subscribers.map(({ name, active }: Record<string, unknown>) => [name, active]);
    }),
  );

describe("the portal", () => {
  test("shows what is next in all listed calendars, and nothing of the others", async () => {
    const { portal, training, concerts } = await newClub();
    const { status, text, headers } = await server.request(portal);
    expect(status).toBe(200);
    expect(headers.get("X-Robots-Tag")).toBe("noindex");
    for (const shown of ["TSV Bergholz", "Hallentraining", "Turnhalle Süd", "Sommerkonzert", "Training U12"])
      expect(text).toContain(shown);
    for (const page of [`/c/${training}`, `/c/${concerts}`]) expect(text).toContain(`href="${page}"`);
    expect(text).not.toMatch(/Vorstand|Sitzung/);
  });

  test("says whose clock its times are of: the zone of all calendars, or the offset beside each time", async () => {
    const { portal, account, ids } = await newClub();
    const notes = async (path: string) =>
      [
        ...(await server.request(path)).text.matchAll(/<(?:p|span) class="(\w+)" data-zone hidden>([^<]*)</g),
      ].map(([, kind, text]) => `${kind}: ${text}`);
    // In the list of the next events, and in that of the month.
    const offsets = ["offset: UTC+02:00", "offset: UTC−04:00"];
    expect((await notes(portal)).toSorted()).toEqual([...offsets, ...offsets].toSorted());
    await account.call("calendarsUpdate", { calendar_id: ids[1] ?? "", listed: "false" });
    expect(await notes(portal)).toEqual(["note: Time zone: Europe/Berlin (UTC+02:00)"]);
  });

  test("finds events by words in their texts whatever their case and accents, and by a category", async () => {
    const { portal, account, ids } = await newClub();
    const [calendar_id = ""] = ids;
    await account.call("eventsCreate", {
      calendar_id,
      title: "Turnier",
      start_date: "2026-07-09",
      end_date: "2026-07-09",
      all_day_event: "true",
      categories: "U12,Wettkampf",
    });
    const found = async (query: string) => {
      const { text } = await server.request(`${portal}?${query}`);
      return ["Hallentraining", "Sommerkonzert", "Turnier"].filter((title) => text.includes(`>${title}<`));
    };
    expect(await found("q=BLASKAPELLE")).toEqual(["Sommerkonzert"]);
    expect(await found("q=turnhalle+sud")).toEqual(["Hallentraining"]);
    expect(await found("category=Wettkampf")).toEqual(["Turnier"]);
    expect(await found("q=halle&category=Wettkampf")).toEqual([]);
    expect(await found("")).toHaveLength(3);
  });

  test("says no number of a search that finds more than it shows, and leads to the rest, narrowed too", async () => {
    const { portal, account, ids } = await newClub();
    const [calendar_id = ""] = ids;
    const hall = { calendar_id, location: "Hall 1" };
    for (const [title, start_date] of [
      ["Judo", "2026-07-06T17:00"],
      ["Ballet", "2026-07-07T17:00"],
      ["Chess", "2026-07-08T17:00"],
    ] as const)
      await account.call("eventsSeriesCreate", { ...hall, title, start_date, rrule: "FREQ=WEEKLY;COUNT=52" });
    await account.call("eventsCreate", { ...hall, title: "Tournament", start_date: "2026-12-12T10:00" });
    const nextOf = async (query: string) => {
      const { text } = await server.request(`${portal}?${query}`);
      const [next = ""] = /<section class="next"[^]*?<\/section>/.exec(text) ?? [];
      const heading = /<h2 id="next-title">([^<]*)</.exec(next)?.[1];
      const more = /class="more-events"\s+href="\?([^"#]*)/.exec(next)?.[1]?.replaceAll("&amp;", "&");
      return { heading, more };
    };
    expect(await nextOf("q=tournament")).toEqual({ heading: "1 event found", more: undefined });
    const { heading, more = "" } = await nextOf("q=hall+1");
    expect([heading, more]).toEqual(["Events found", "q=hall+1&month=2026-10&day=27"]);
    const { text: rest } = await server.request(`${portal}?${more}`);
    expect(rest).toMatch(/class="agenda-title"[^>]*>Chess</);
    expect(rest).not.toMatch(/class="agenda-title"[^>]*>(?:Hallentraining|Sommerkonzert)</);
    const { text: december } = await server.request(`${portal}?q=hall+1&month=2026-12`);
    expect(december).toMatch(/class="agenda-title"[^>]*>Tournament</);
    // Without a search too, where there are more entries than ten, or more dates than are read.
    expect(await nextOf("")).toMatchObject({
      heading: "Next events",
      more: expect.stringMatching(/^month=/),
    });
  });

  test.each(["month=2026-13", "q=a&q=b", "q=%00", `q=${"a".repeat(101)}`, "day=3"])(
    "refuses ?%s",
    async (query) => {
      const { portal } = await newClub();
      expect((await server.request(`${portal}?${query}`)).status).toBe(400);
    },
  );

  test("is at its new address after a change of the key, for a year", async () => {
    const { account, portal } = await newClub();
    const key = `moved-${clubs}`;
    await account.call("accountUpdate", { key });
    const { status, headers } = await server.request(`${portal}?month=2026-11`, { redirect: "manual" });
    expect([status, headers.get("Location")]).toEqual([302, `/o/${key}?month=2026-11`]);
    expect((await server.request(`/o/${key}`)).status).toBe(200);
    await account.call("accountUpdate", { key: "" });
    expect((await server.request(portal)).status).toBe(404);
    for (const path of ["/o", "/o/", "/o/no-such-club", "/o/AB", "/o/a%00b"])
      expect((await server.request(path)).status).toBe(404);
  });

  test("says so when no calendar is listed", async () => {
    const account = await server.account();
    await account.call("accountUpdate", { key: "empty-club" });
    const { status, text } = await server.request("/o/empty-club");
    expect([status, text.includes("There is no calendar here yet.")]).toEqual([200, true]);
  });
});

describe("the start page", () => {
  const html = { headers: { Accept: "text/html" } };
  const isPortal = async (on: TestServer) => (await on.request("/", html)).text.includes("TSV Bergholz");

  test("is the portal of the only account with a listed calendar, and the service's own page as soon as there are two", async () => {
    const own = await startTestServer();
    try {
      expect(await isPortal(own)).toBe(false);
      const { account, ids } = await newClub(own);
      await account.call("accountUpdate", { key: "" });
      expect(await isPortal(own)).toBe(true);
      // A link of a calendar is opened there as before.
      expect((await own.request("/?link=nothing", html)).status).toBe(400);
      const second = await newClub(own);
      expect(await isPortal(own)).toBe(false);
      for (const id of second.ids) await second.account.call("deleteCalendar", { calendar_id: id });
      expect(await isPortal(own)).toBe(true);
      for (const id of ids) await account.call("calendarsUpdate", { calendar_id: id, listed: "false" });
      expect(await isPortal(own)).toBe(false);
    } finally {
      await own.stop();
    }
  });

  test("is what HOME_PAGE says", async () => {
    for (const [HOME_PAGE, expected] of [
      ["door", false],
      [`/o/club-${clubs + 2}`, true],
      ["/o/no-such-club", false],
    ] as const) {
      const own = await startTestServer({ HOME_PAGE });
      try {
        await newClub(own);
        expect(await isPortal(own)).toBe(expected);
      } finally {
        await own.stop();
      }
    }
  });
});

describe("the feed of several calendars", () => {
  test("has the events of those that were ticked, and counts as a follower of each", async () => {
    const club = await newClub();
    const page = await followAll(club.training, club.concerts);
    const feed = await feedOf(page);
    expect([feed.status, feed.headers.get("Content-Type")]).toEqual([200, "text/calendar; charset=utf-8"]);
    expect(feed.text).toContain("X-WR-CALNAME:TSV Bergholz");
    expect(feed.text).toContain("SUMMARY:Hallentraining");
    expect(feed.text).toContain("CATEGORIES:Konzerte");
    expect(feed.text).not.toContain("Sitzung");
    const ada = ["Ada", "true"];
    expect(await followersOf(club)).toEqual([[ada], [ada], []]);
    const unchanged = await server.request(`${page}/club.ics`, {
      headers: { "If-None-Match": feed.headers.get("ETag") ?? "" },
    });
    expect(unchanged.status).toBe(304);
    await club.account.call("createEvent", {
      calendar_id: club.ids[1] ?? "",
      title: "Zugabe",
      start_date: at(9),
      all_day_event: "true",
    });
    expect((await feedOf(page)).text).toContain("SUMMARY:Zugabe");
  });

  test("can be changed on the person's page, which is followed again as the same follower", async () => {
    const club = await newClub();
    const page = await followAll(club.training);
    const choose = async (...keys: readonly string[]) => {
      const { headers } = await post(
        `${page}/calendars`,
        keys.map((key) => ["calendar", key] as const),
      );
      expect(headers.get("Location")).toBe(`${page}?chosen=1`);
      const { text } = await feedOf(page);
      return ["Hallentraining", "Sommerkonzert"].filter((title) => text.includes(`SUMMARY:${title}`));
    };
    expect(await choose(club.concerts)).toEqual(["Sommerkonzert"]);
    expect(await choose(club.training, club.concerts)).toEqual(["Hallentraining", "Sommerkonzert"]);
    expect(await choose()).toEqual([]);
    const { text } = await server.request(page);
    expect(text).toContain("You follow no calendar");
    expect(await choose(club.training)).toEqual(["Hallentraining"]);
    const [training = [], concerts = []] = await followersOf(club);
    expect([training.length, concerts.length]).toEqual([1, 1]);
    const { body } = await club.account.call("listInactiveSubscribers", { calendar_id: club.ids[1] ?? "" });
    expect(body.subscribers).toHaveLength(1);
  });

  test("a calendar of another account, or one that is not listed, cannot be ticked", async () => {
    const [club, other] = [await newClub(), await newClub()];
    const page = await followAll(club.training, other.concerts);
    await post(`${page}/calendars`, [
      ["calendar", other.concerts],
      ["calendar", club.training],
    ]);
    expect((await feedOf(page)).text).not.toContain("Sommerkonzert");
    const { status, text } = await post("/follow", [["app", "apple"]]);
    expect(status).toBe(400);
    expect(text).toContain("tick at least one");
  });

  test("one whom an owner blocks, or whose calendar is deleted, keeps the events of the others", async () => {
    const club = await newClub();
    const page = await followAll(club.training, club.concerts);
    const [calendar_id = "", second = ""] = club.ids;
    const { subscribers } = (await club.account.call("listSubscribers", { calendar_id })).body;
    await club.account.call("subscribersBlock", { subscriber_id: String(subscribers[0].id) });
    const { text } = await feedOf(page);
    expect(text).toContain("Sommerkonzert");
    expect(text).not.toContain("Hallentraining");
    await club.account.call("deleteCalendar", { calendar_id: second });
    expect((await feedOf(page)).text).not.toContain("BEGIN:VEVENT");
    await club.account.call("deleteCalendar", { calendar_id });
    expect((await feedOf(page)).status).toBe(410);
  });

  test("its link can be changed, and it ends and is deleted with all that is stored", async () => {
    const club = await newClub();
    const first = await followAll(club.training, club.concerts);
    const { headers } = await post(`${first}/renew`, []);
    const page = headers.get("Location") ?? "";
    expect((await feedOf(first)).status).toBe(404);
    expect((await server.request(first)).status).toBe(404);
    expect((await feedOf(page)).text).toContain("Hallentraining");
    await post(`${page}/unfollow`, []);
    expect((await feedOf(page)).text).not.toContain("BEGIN:VEVENT");
    const deleted = await post(`${page}/delete`, []);
    expect(deleted.headers.get("Location")).toBe(`${club.portal}?left=1`);
    expect((await feedOf(page)).status).toBe(404);
    expect(await followersOf(club)).toEqual([[], [], []]);
    expect((await server.request(`${club.portal}?left=1`)).text).toContain("Your data is deleted");
  });

  test("with more than fits, each calendar has its part", async () => {
    const club = await newClub();
    const [calendar_id = ""] = club.ids;
    const description = "Ausführliche Beschreibung. ".repeat(300);
    for (let day = 1; day <= 150; day++)
      await club.account.call("createEvent", {
        calendar_id,
        title: `Tag ${day}`,
        description,
        start_date: at(day),
        all_day_event: "true",
      });
    const { text } = await feedOf(await followAll(club.training, club.concerts));
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(1_000_000);
    expect(text).toContain("SUMMARY:Tag 1\r\n");
    expect(text).not.toContain("SUMMARY:Tag 150\r\n");
    expect(text).toContain("SUMMARY:Sommerkonzert");
  });
});

test.skipIf(onPostgres)(
  "an address is looked up at once while lists have all their connections",
  async () => {
    const { portal } = await newClub();
    const ends: (() => void)[] = [];
    const lists: Promise<void>[] = [];
    const hold = (began: () => void): Promise<void> =>
      server.db.snapshot(async (trx) => {
        await trx.raw("select 1");
        began();
        await new Promise<void>((resolve) => void ends.push(resolve));
      });
    for (let list = 0; list < 4; list++) await new Promise<void>((began) => void lists.push(hold(began)));
    const answer = await server.request("/o/nobody-at-all");
    for (const end of ends) end();
    await Promise.all(lists);
    expect(answer.status).toBe(404);
    expect((await server.request(portal)).status).toBe(200);
  },
);
