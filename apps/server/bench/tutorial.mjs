// The server of a competent tutorial: Express, Knex, sqlite3 or pg, luxon, ical-generator; an index for each list, WAL and
// synchronous=FULL, hashed tokens. No log, no validation. DATABASE_URL=sqlite:FILE|postgres:… node bench/tutorial.mjs
/* oxlint-disable oxc/no-async-endpoint-handlers -- Express 5 forwards rejected promises */
import { createHash, randomUUID } from "node:crypto";
import compression from "compression";
import express from "express";
import { ICalCalendar } from "ical-generator";
import knex from "knex";
import { DateTime } from "luxon";
import pg from "pg";

const url = process.env.DATABASE_URL;
const pragmas = (connection, done) =>
  connection.exec("PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA foreign_keys=ON", (error) =>
    done(error, connection),
  );
pg.types.setTypeParser(pg.types.builtins.INT8, Number);
const db = url.startsWith("sqlite:")
  ? knex({
      client: "sqlite3",
      connection: { filename: url.slice("sqlite:".length) },
      useNullAsDefault: true,
      pool: { min: 1, max: 1, afterCreate: pragmas },
    })
  : knex({ client: "pg", connection: url, pool: { min: 2, max: 10 } });
const pageSize = 100;
const app = express();
app.use(compression());

const when = (seconds, zone, name) => {
  const time = DateTime.fromSeconds(seconds, { zone });
  return {
    [name]: time.toFormat("MM/dd/yyyy"),
    [`${name}_time`]: time.toFormat("HH:mm:ss"),
    [`${name}_ampm`]: time.toFormat("a"),
  };
};
const wire = (row) => ({
  title: row.title,
  description: row.description,
  location: row.location,
  organizer: row.organizer,
  organizer_email: row.organizer_email,
  ...when(row.start_at, row.timezone, "date_start"),
  ...when(row.end_at, row.timezone, "date_end"),
  all_day_event: row.all_day === 1 ? "true" : "false",
  date_format: "MM/DD/YYYY",
  timezone: row.timezone,
  reminder: row.reminder,
  date_create: row.created_at,
  date_modified: row.modified_at,
  updated_times: String(row.updated_times),
});
const listed = (row) => ({
  id: String(row.id),
  ...wire(row),
  date_start_unix: row.start_at,
  date_end_unix: row.end_at,
  color: row.color_id,
});
const saved = (row) => ({
  id: row.id,
  calendar: String(row.calendar_id),
  ...wire(row),
  color_id: row.color_id,
});
const seconds = (text, zone) => DateTime.fromFormat(text, "MM/dd/yyyy HH:mm", { zone }).toUnixInteger();
const paging = (req, page, total) => {
  const address = new URL(req.originalUrl, `http://${req.headers.host}`);
  const to = (number) => (address.searchParams.set("page", number), address.href);
  return { previous: page > 1 ? to(page - 1) : "", next: page * pageSize < total ? to(page + 1) : "" };
};

app.get("/api/v1/timezones", (_req, res) => {
  const data = Intl.supportedValuesOf("timeZone").map((label) => ({
    label,
    offset: DateTime.now().setZone(label).toFormat("ZZ"),
  }));
  res.json({ meta: { code: 200 }, data });
});

app.use("/api/v1/calendars", async (req, res, next) => {
  const token_hash = createHash("sha256")
    .update(req.query.token ?? "")
    .digest("hex");
  req.account = await db("accounts").where({ token_hash }).first();
  if (req.account) return next();
  return res.status(401).json({ meta: { code: "401" } });
});

const calendarOf = async (req, id) => db("calendars").where({ id, account_id: req.account.id }).first();
const missing = (res) => res.status(404).json({ meta: { code: "404" } });

app.get("/api/v1/calendars/list/", async (req, res) => {
  const page = Number(req.query.page ?? 1);
  const mine = db("calendars").where({ account_id: req.account.id });
  const columns = [
    "id",
    "uniquekey",
    "title",
    "calendarname",
    "description",
    "timezone",
    "created_at",
    "modified_at",
  ];
  const [{ total }] = await mine.clone().count({ total: "*" });
  const rows = await mine
    .select(columns)
    .orderBy("modified_at", "desc")
    .limit(pageSize)
    .offset((page - 1) * pageSize);
  const counts = await db("events")
    .whereIn(
      "calendar_id",
      rows.map(({ id }) => id),
    )
    .groupBy("calendar_id")
    .select("calendar_id")
    .count({ total: "*" });
  const totals = new Map(counts.map((row) => [row.calendar_id, row.total]));
  const calendars = rows.map(({ id, created_at, modified_at, ...row }) => ({
    id: String(id),
    ...row,
    followers_active: "0",
    followers_total: "0",
    events_total: String(totals.get(id) ?? 0),
    palette_id: "1",
    date_create: created_at,
    date_modified: modified_at,
  }));
  res.json({ meta: { code: "200" }, calendars, paging: paging(req, page, Number(total)) });
});

app.get("/api/v1/calendars/events/list/", async (req, res) => {
  const calendar = await calendarOf(req, req.query.calendar_id);
  if (!calendar) return missing(res);
  const { month, year, upcoming, page = "1" } = req.query;
  const query = db("events").where({ calendar_id: calendar.id });
  if (month && year) {
    const start = DateTime.fromObject(
      { year: Number(year), month: Number(month) },
      { zone: calendar.timezone },
    );
    query.where("start_at", ">=", start.toUnixInteger());
    query.where("start_at", "<", start.plus({ months: 1 }).toUnixInteger());
  }
  if (upcoming) query.where("start_at", ">=", DateTime.now().toUnixInteger());
  const [{ total }] = await query.clone().count({ total: "*" });
  const rows = await query
    .orderBy(upcoming ? "start_at" : "id", upcoming ? "asc" : "desc")
    .limit(pageSize)
    .offset((Number(page) - 1) * pageSize);
  return res.json({
    meta: { code: "200" },
    calendar: { id: String(calendar.id), events_count: Number(total) },
    events: rows.map(listed),
    paging: paging(req, Number(page), Number(total)),
  });
});

const fieldsOf = ({ query }, calendar) => {
  const timezone = query.timezone ?? calendar.timezone;
  const start_at = seconds(query.start_date, timezone);
  const end_at = query.end_date ? seconds(query.end_date, timezone) : start_at + 3600;
  const { title, description = "", location = "", organizer = "", organizer_email = "" } = query;
  const modified_at = DateTime.now().toUnixInteger();
  return {
    title,
    description,
    location,
    organizer,
    organizer_email,
    timezone,
    start_at,
    end_at,
    modified_at,
  };
};

app.get("/api/v1/calendars/events/create/", async (req, res) => {
  const calendar = await calendarOf(req, req.query.calendar_id);
  if (!calendar) return missing(res);
  const fields = fieldsOf(req, calendar);
  const event = { ...fields, calendar_id: calendar.id, uid: randomUUID(), created_at: fields.modified_at };
  const [row] = await db("events").insert(event).returning("*");
  return res.json({ meta: { code: "200" }, event: saved(row) });
});

app.get("/api/v1/calendars/events/save/", async (req, res) => {
  const event = await db("events").where({ id: req.query.event_id }).first();
  const calendar = event && (await calendarOf(req, event.calendar_id));
  if (!calendar) return missing(res);
  const change = { ...fieldsOf(req, calendar), updated_times: db.raw("updated_times + 1") };
  const [row] = await db("events").where({ id: event.id }).update(change).returning("*");
  return res.json({ meta: { code: "200" }, event: saved(row) });
});

app.get("/c/:uniquekey/calendar.ics", async (req, res) => {
  const calendar = await db("calendars").where({ uniquekey: req.params.uniquekey }).first();
  if (!calendar) return missing(res);
  const rows = await db("events").where({ calendar_id: calendar.id }).orderBy("start_at");
  const feed = new ICalCalendar({
    name: calendar.title,
    description: calendar.description,
    timezone: calendar.timezone,
  });
  for (const row of rows) {
    feed.createEvent({
      id: row.uid,
      start: DateTime.fromSeconds(row.start_at, { zone: row.timezone }),
      end: DateTime.fromSeconds(row.end_at, { zone: row.timezone }),
      stamp: DateTime.fromSeconds(row.modified_at), // the current time would change the ETag each second
      summary: row.title,
      description: row.description,
      location: row.location,
      sequence: row.updated_times,
    });
  }
  return res.type("text/calendar").send(feed.toString());
});

const server = app.listen(Number(process.env.PORT ?? 0), "127.0.0.1", () =>
  console.log(`Listening on http://127.0.0.1:${server.address().port}`),
);
process.once("SIGTERM", () => process.exit(0));
