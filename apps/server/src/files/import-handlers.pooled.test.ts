import { describe, expect, test } from "vitest";
import { calendarFile, importFile, vevent } from "../../test/calendar-files.js";
import { testServer } from "../../test/harness.js";

const server = await testServer();
const account = await server.account();

async function newCalendar(timezone = "Europe/Berlin"): Promise<string> {
  const { body } = await account.call("createCalendar", { title: "Town", timezone });
  return body.calendar.id;
}

async function eventsOf(calendar_id: string) {
  const { body } = await account.call("eventsList", { calendar_id, order_by: "id-asc" });
  return body.events;
}

const results = (body: { events: readonly { result: string }[] }) => body.events.map(({ result }) => result);

describe("an import", () => {
  test("leaves out what its CLASS says is private, unless all classes are asked for", async () => {
    const id = await newCalendar();
    const file = calendarFile(vevent("CLASS:CONFIDENTIAL"), vevent("UID:two", "SUMMARY:Two"));
    const first = await importFile(server, account, id, file);
    expect(first.body.import).toMatchObject({ created: 1, skipped: 1 });
    expect(first.body.events).toContainEqual(
      expect.objectContaining({
        title: "One",
        result: "skipped",
        reason: "it is private, as its CLASS says",
      }),
    );
    expect((await importFile(server, account, id, file, { query: "&classes=private" })).status).toBe(400);
    const all = await importFile(server, account, id, file, { query: "&classes=all" });
    expect(all.body.import).toMatchObject({ created: 1, unchanged: 1, skipped: 0 });
  });

  test("creates the events of a file, and changes nothing the second time", async () => {
    const id = await newCalendar();
    const file = calendarFile(
      vevent(
        "UID:a",
        "SUMMARY:Concert",
        "DTSTART;TZID=America/New_York:20260704T200000",
        "DURATION:PT2H",
        "LOCATION:Park",
      ),
      vevent("UID:b", "SUMMARY:Fair", "DTSTART;VALUE=DATE:20260705", "DTEND;VALUE=DATE:20260708"),
    );
    const first = await importFile(server, account, id, file);
    expect(first.body).toMatchObject({
      import: { calendar_id: id, created: 2, changed: 0, unchanged: 0, skipped: 0 },
    });
    const before = await eventsOf(id);
    expect(before).toMatchObject([
      {
        title: "Concert",
        timezone: "America/New_York",
        start_date: "2026-07-04T20:00",
        end_at: "2026-07-05T02:00:00Z",
        location: "Park",
      },
      {
        title: "Fair",
        all_day_event: true,
        start_date: "2026-07-05T00:00",
        end_date: "2026-07-07T00:00",
        timezone: "Europe/Berlin",
      },
    ]);
    const version = async () =>
      (await server.db.read("calendars").where({ id }).first("feed_version")).feed_version;
    const versionBefore = await version();
    const second = await importFile(server, account, id, file);
    expect(results(second.body)).toEqual(["unchanged", "unchanged"]);
    expect(await eventsOf(id)).toEqual(before);
    expect(await version()).toBe(versionBefore);
  });

  test("changes what the file changes, and no more", async () => {
    const id = await newCalendar();
    await importFile(server, account, id, calendarFile(vevent("DESCRIPTION:Old"), vevent("UID:two")));
    const [before] = await eventsOf(id);
    await account.call("eventsUpdate", { event_id: before.id, color_id: "4", custom_data: '{"room":"2"}' });
    const { body } = await importFile(
      server,
      account,
      id,
      calendarFile(vevent("DESCRIPTION:New\\nlines", "STATUS:CANCELLED"), vevent("UID:two")),
    );
    expect(results(body)).toEqual(["changed", "unchanged"]);
    const [after] = await eventsOf(id);
    expect(after).toMatchObject({
      ...before,
      description: "New\r\nlines",
      status: "cancelled",
      color_id: "4",
      custom_data: { room: "2" },
      updated_times: 2,
      date_modified: expect.anything(),
    });
  });

  test("of a dry run is the report of what it would do, and does nothing", async () => {
    const id = await newCalendar();
    const file = calendarFile(
      vevent("LOCATION:Hall", "STATUS:CANCELLED"),
      vevent("UID:fair", "DTSTART;VALUE=DATE:20261107", "DTEND;VALUE=DATE:20261109"),
      vevent("UID:own", "CLASS:PRIVATE"),
    );
    const { body } = await importFile(server, account, id, file, { query: "&dry_run=true" });
    expect(body.import).toMatchObject({ dry_run: true, created: 2, skipped: 1 });
    const shown = { event_id: "", location: "Hall", status: "cancelled" };
    expect(body.events).toMatchObject([
      { result: "skipped", start_date: "", end_date: "", location: "", status: "confirmed" },
      { result: "created", ...shown, start_date: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d$/) },
      { result: "created", start_date: "2026-11-07", end_date: "2026-11-08", status: "confirmed" },
    ]);
    expect(await eventsOf(id)).toEqual([]);
  });

  test("takes the file as a parameter too", async () => {
    const id = await newCalendar();
    const { body } = await account.call("calendarsImport", { calendar_id: id, ics: calendarFile(vevent()) });
    expect(results(body)).toEqual(["created"]);
  });

  test("expands series with RDATE, EXDATE and changed dates", async () => {
    const id = await newCalendar();
    const series = (...more: readonly string[]) =>
      calendarFile(
        vevent(
          "UID:s",
          "DTSTART;TZID=Europe/Berlin:20261019T180000",
          "DTEND;TZID=Europe/Berlin:20261019T190000",
          "RRULE:FREQ=WEEKLY;COUNT=4",
          "EXDATE;TZID=Europe/Berlin:20261102T180000",
          "RDATE;TZID=Europe/Berlin:20261104T180000",
        ),
        vevent(
          "UID:s",
          "RECURRENCE-ID;TZID=Europe/Berlin:20261026T180000",
          "DTSTART;TZID=Europe/Berlin:20261027T200000",
          "DTEND;TZID=Europe/Berlin:20261027T210000",
          "SUMMARY:Moved",
        ),
        ...more,
      );
    const { body } = await importFile(server, account, id, series());
    expect(body.events.map(({ recurrence_id }: { recurrence_id: string }) => recurrence_id)).toEqual([
      "20261019T160000Z",
      "20261026T170000Z",
      "20261104T170000Z",
      "20261109T170000Z",
    ]);
    const events = await eventsOf(id);
    expect(
      events.map(({ start_date, title }: { start_date: string; title: string }) => `${start_date} ${title}`),
    ).toEqual([
      "2026-10-19T18:00 One",
      "2026-10-27T20:00 Moved",
      "2026-11-04T18:00 One",
      "2026-11-09T18:00 One",
    ]);
    expect(results((await importFile(server, account, id, series())).body)).toEqual(
      Array(4).fill("unchanged"),
    );
  });

  test("knows an event that becomes a series by its first date", async () => {
    const id = await newCalendar();
    await importFile(server, account, id, calendarFile(vevent()));
    const { body } = await importFile(server, account, id, calendarFile(vevent("RRULE:FREQ=DAILY;COUNT=2")));
    expect(results(body)).toEqual(["changed", "created"]); // it has a series_id now
    const again = await importFile(server, account, id, calendarFile(vevent("RRULE:FREQ=DAILY;COUNT=2")));
    expect(results(again.body)).toEqual(["unchanged", "unchanged"]);
    const back = await importFile(server, account, id, calendarFile(vevent()));
    expect(results(back.body)).toEqual(["changed"]);
    expect((await eventsOf(id))[0]).toMatchObject({ series_id: "" });
  });

  test("announces each event to webhooks once, and not those that stay", async () => {
    const id = await newCalendar();
    await account.call("webhooksCreate", { url: "https://localhost/k", calendar_id: id });
    await importFile(server, account, id, calendarFile(vevent("UID:a"), vevent("UID:b")));
    await importFile(server, account, id, calendarFile(vevent("UID:a", "SUMMARY:Else"), vevent("UID:b")));
    const rows = await server.db
      .read("webhook_deliveries")
      .where({ calendar_id: id })
      .orderBy("id")
      .select("type");
    expect(rows.map(({ type }: { type: string }) => type)).toEqual([
      "event.created",
      "event.created",
      "event.saved",
    ]);
  });

  test("is one transaction, and its changes are found by the cursor", async () => {
    const id = await newCalendar();
    const { body: before } = await account.call("eventsChanges", { calendar_id: id });
    await importFile(
      server,
      account,
      id,
      calendarFile(...Array.from({ length: 300 }, (_, n) => vevent(`UID:${n}`))),
    );
    const found: string[] = [];
    for (let since = before.cursor, more = true; more;) {
      const { body } = await account.call("eventsChanges", { calendar_id: id, since });
      found.push(...body.changes.map(({ event_id }: { event_id: string }) => event_id));
      [since, more] = [body.cursor, body.has_more];
    }
    expect(new Set(found).size).toBe(300);
    const { body } = await account.call("calendarsDetails", { calendar_id: id });
    expect(body.calendar.events_total).toBe(300);
  });

  test("is done once for an idempotency key, and refused for another file", async () => {
    const id = await newCalendar();
    const headers = { "Idempotency-Key": `import-${id}` };
    const first = await importFile(server, account, id, calendarFile(vevent()), { headers });
    const again = await importFile(server, account, id, calendarFile(vevent()), { headers });
    expect(again.headers.get("Idempotency-Replayed")).toBe("true");
    expect(again.body).toEqual(first.body);
    const other = await importFile(server, account, id, calendarFile(vevent("UID:else")), { headers });
    expect(other.body.meta.error_type).toBe("idempotency_key_reused");
  });

  test("refuses what is no calendar file, and another account's calendar", async () => {
    const id = await newCalendar();
    const { status, body } = await importFile(server, account, id, "<html>Not found</html>");
    expect([status, body.meta.error_type]).toEqual([400, "parameter_invalid"]);
    expect(body.meta.error_message).toContain("BEGIN:VCALENDAR");
    const half = await importFile(server, account, id, calendarFile(vevent()).slice(0, -30));
    expect([half.status, half.body.meta.error_type]).toEqual([400, "calendar_file_invalid"]);
    expect(half.body.meta.error_message).toBe("ics: The file ends within a VEVENT: a part of it is missing.");
    const stranger = await server.account();
    expect((await importFile(server, stranger, id, calendarFile(vevent()))).body.meta.error_type).toBe(
      "calendar_not_found",
    );
  });
});
