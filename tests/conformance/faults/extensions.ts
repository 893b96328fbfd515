import { anHourAfter, byDefault, eachEvent, param, values, withBefore } from "./changes.js";
import type { Ask, Faults, Planted } from "./proxy.js";

const updateEvent = "x/events/update";
const changes = "x/events/changes";
const events = "x/events/list";
const list = "calendars/events/list";

export const withoutHeader =
  (name: string, path: string): NonNullable<Planted["ask"]> =>
  (ask) => {
    if (ask.path === path) delete ask.headers[name];
  };

/** Removes events that do not match from the lists of the extensions. */
const onlyListed =
  (isKept: (event: ReturnType<typeof JSON.parse>, ask: Ask) => boolean): NonNullable<Planted["answer"]> =>
  (body, ask) => {
    if (ask.path !== events || body.events === undefined) return;
    const kept = body.events.filter((event: unknown) => isKept(event, ask));
    body.calendar.events_count -= body.events.length - kept.length;
    body.events = kept;
  };

const anHourBefore = (text: string): string =>
  text.replace(/T(\d\d)/, (_, hour: string) => `T${String(Number(hour) - 1).padStart(2, "0")}`);

/** Faults of events, series and own data of the extensions, and of what all their operations share. */
export const faults: Faults = {
  X7: {
    clause: "extensions.md X2.2",
    foundBy: "extensions.if-match.save-differs",
    title: "save does not look at If-Match",
    ask: withoutHeader("if-match", "calendars/events/save"),
  },
  X8: {
    clause: "extensions.md X2.2",
    foundBy: "extensions.if-match.delete-differs",
    title: "delete does not look at If-Match",
    ask: withoutHeader("if-match", "calendars/events/delete"),
  },
  X9: {
    clause: "extensions.md X2.2",
    foundBy: "extensions.if-match.update-differs",
    title: "update does not look at If-Match",
    ask: withoutHeader("if-match", updateEvent),
  },
  X10: {
    clause: "extensions.md X2.3",
    foundBy: "extensions.update.sent-only",
    title: "update without end_date shortens the event to an hour",
    instead: withBefore(updateEvent, (params, { start_date }) => {
      if (!params.has("end_date") && !params.has("start_date"))
        params.set("end_date", anHourAfter(start_date));
    }),
  },
  X11: {
    clause: "extensions.md X2.3",
    foundBy: "extensions.update.empty-clears",
    title: "an empty location does not clear it",
    ask: param([updateEvent], "location", (value) => (value === "" ? undefined : value)),
  },
  X12: {
    clause: "extensions.md X2.4",
    foundBy: "extensions.custom-data.filter-value",
    title: "custom_data_value does not filter",
    ask: values(["custom_data_value"], () => ""),
  },
  X13: {
    clause: "extensions.md X2.4",
    foundBy: "extensions.custom-data.longest",
    title: "custom_data may be of any size",
    ask: values(["custom_data"], (value) => (value.length > 4096 ? "{}" : value)),
  },
  X14: {
    clause: "extensions.md X3.1",
    foundBy: "extensions.status.values",
    alsoClauses: ["extensions.md X2.3"],
    title: "any change makes a cancelled event a confirmed one",
    ask: byDefault([updateEvent], "status", "confirmed"),
  },
  X15: {
    clause: "extensions.md X2.5",
    foundBy: "extensions.changes.deleted",
    title: "deleted events are no changes",
    answer: (body, { path }) => {
      if (path === changes)
        body.changes = body.changes.filter(({ change }: { change: string }) => change !== "deleted");
    },
  },
  X16: {
    clause: "extensions.md X2.5",
    foundBy: "extensions.changes.foreign-cursor",
    title: "the cursor of another calendar is accepted",
    instead: async (ask, { pass, memory }) => {
      const answered = await pass(ask);
      if (ask.path !== changes) return answered;
      if (answered.status === 200) memory.set(JSON.parse(answered.body).cursor, true);
      if (answered.status !== 400 || !memory.has(ask.params.get("since") ?? "")) return answered;
      ask.params.delete("since");
      return pass(ask);
    },
  },
  X17: {
    clause: "extensions.md X3.1",
    foundBy: "extensions.status.listed",
    title: "the contract's list leaves out cancelled events",
    answer: (body, { path, params }, { memory }) => {
      if (path === updateEvent && params.get("status") === "cancelled") memory.set(body.event.id, true);
      if (path === list) body.events = body.events.filter(({ id }: { id: string }) => !memory.has(id));
    },
  },
  X18: {
    clause: "extensions.md X1.2",
    foundBy: "extensions.writes.get",
    title: "GET writes",
    instead: async (ask, { pass }) => {
      const answered = await pass(ask);
      if (ask.method !== "GET" || answered.status !== 405) return answered;
      const [target = ""] = ask.target.split("?");
      const headers = { ...ask.headers, "content-type": "application/x-www-form-urlencoded" };
      return pass({ ...ask, method: "POST", target, headers, sent: "" });
    },
  },
  X19: {
    clause: "extensions.md X1.3",
    foundBy: "extensions.shape.times",
    title: "start_at is the wall clock",
    answer: eachEvent((event) => (event.start_at = `${event.start_date}:00Z`)),
  },
  X21: {
    clause: "extensions.md X2.5",
    foundBy: "extensions.changes.start",
    title: "changes begin from the start each time",
    ask: param([changes], "since", () => undefined),
  },
  X22: {
    clause: "extensions.md X2.3",
    foundBy: "extensions.calendars.update",
    title: "a changed calendar falls back to the default time zone",
    ask: byDefault(["x/calendars/update"], "timezone", "America/Los_Angeles"),
  },
  X37: {
    clause: "extensions.md X1.3",
    foundBy: "extensions.shape.categories",
    title: "another change removes the categories",
    ask: ({ path, params }) =>
      void (path === updateEvent && !params.has("categories") && params.set("categories", "")),
  },
  X50: {
    clause: "extensions.md X8.1",
    foundBy: "extensions.lists.range",
    title: "a list with from leaves out what has begun before",
    answer: onlyListed((event, { params }) => !params.has("from") || event.title !== "Into"),
  },
  X51: {
    clause: "extensions.md X8.1",
    foundBy: "extensions.lists.all-day",
    title: "an all-day event ends with the beginning of its last day",
    ask: param([events], "from", (value) => value.replace(/T12:00$/, "T23:59:59Z")),
    answer: onlyListed((event, { params }) => !(event.all_day_event && params.has("from"))),
  },
  X52: {
    clause: "extensions.md X8.1",
    foundBy: "extensions.lists.search",
    title: "accents matter to a search",
    answer: onlyListed(
      (event, { params }) => params.get("q") !== "zurich" || event.title.toLowerCase().includes("zurich"),
    ),
  },
  X53: {
    clause: "extensions.md X8.1",
    foundBy: "extensions.lists.search",
    title: "a search looks into titles alone",
    answer: onlyListed(
      (event, { params }) => !/grosse|frei/.test(params.get("q") ?? "") || event.title.includes("frei"),
    ),
  },
  X54: {
    clause: "extensions.md X8.1",
    foundBy: "extensions.lists.filters",
    title: "category does not filter",
    ask: param([events], "category", () => undefined),
  },
  X55: {
    clause: "extensions.md X8.1",
    foundBy: "extensions.lists.calendars",
    title: "of several calendars the first is listed",
    ask: param([events], "calendar_ids", () => undefined),
  },
  X56: {
    clause: "extensions.md X8.1",
    foundBy: "extensions.lists.wall",
    title: "shown times are those of the event's zone",
    answer: eachEvent((event) => {
      if (event.shown_start !== undefined) event.shown_start = event.start_date;
    }),
  },
  X40: {
    clause: "extensions.md X5.1",
    foundBy: "extensions.series.dates",
    title: "exdate leaves nothing out",
    ask: param(["x/events/series/create"], "exdate", () => undefined),
  },
  X41: {
    clause: "extensions.md X5.2",
    foundBy: "extensions.series.clock",
    title: "a series repeats by 24 hours, not on the wall clock",
    answer: eachEvent((event) => {
      // Summer time ends on 25 October 2026: what stays at the hour of UTC is an hour earlier on the wall.
      if (event.series_id === "" || event.start_date < "2026-10-25") return;
      for (const name of ["start_date", "end_date", "start_at", "end_at"])
        event[name] = anHourBefore(event[name]);
    }),
  },
  X42: {
    clause: "extensions.md X5.3",
    foundBy: "extensions.series.following",
    title: "following changes all",
    ask: param(["x/events/series/update"], "scope", (value) => (value === "following" ? "all" : value)),
  },
  X43: {
    clause: "extensions.md X5.3",
    foundBy: "extensions.series.keeps",
    title: "a change of all takes the place of each event from the one that is named",
    instead: withBefore("x/events/series/update", (params, { location }) => {
      if (params.get("scope") === "all" && !params.has("location")) params.set("location", location);
    }),
  },
  X44: {
    clause: "extensions.md X5.3",
    foundBy: "extensions.series.delete",
    title: "delete deletes this event, whatever the scope",
    ask: param(["x/events/series/delete"], "scope", () => "this"),
  },
  X60: {
    clause: "extensions.md X6.1",
    foundBy: "extensions.import.twice",
    title: "a file that is imported again makes its events again",
    ask: ({ path, params }, { memory }) => {
      if (path !== "x/calendars/import") return;
      const turn = Number(memory.get("turn") ?? 0) + 1;
      memory.set("turn", turn);
      params.set("ics", (params.get("ics") ?? "").replaceAll("UID:", `UID:${turn}-`));
    },
  },
  X61: {
    clause: "extensions.md X6.1",
    foundBy: "extensions.import.dry-run",
    title: "a dry run imports",
    ask: param(["x/calendars/import"], "dry_run", () => undefined),
  },
  X140: {
    clause: "extensions.md X8.2",
    foundBy: "extensions.import.series",
    title: "a series of a file is imported as its first event",
    ask: param(["x/calendars/import"], "ics", (ics) => ics?.replaceAll(/^RRULE:.*\r\n/gm, "")),
  },
  X141: {
    clause: "extensions.md X8.2",
    foundBy: "extensions.import.series",
    title: "an import keeps the rule that a series has",
    ask: param(["x/calendars/import"], "ics", (ics) => ics?.replace("COUNT=3", "COUNT=2")),
  },
  X70: {
    clause: "extensions.md X8.6",
    foundBy: "extensions.organizers.calendars",
    title: "a calendar is created without its description",
    ask: param(["x/calendars/create"], "description", () => undefined),
  },
  X71: {
    clause: "extensions.md X8.6",
    foundBy: "extensions.organizers.events",
    title: "events/delete does not look at If-Match",
    ask: withoutHeader("if-match", "x/events/delete"),
  },
  X72: {
    clause: "extensions.md X8.6",
    foundBy: "extensions.organizers.subscribers",
    title: "the list of blocked subscribers has all",
    ask: param(["x/subscribers/list"], "only", (value) => (value === "blocked" ? undefined : value)),
  },
  X73: {
    clause: "extensions.md X8.6",
    foundBy: "extensions.organizers.palettes",
    title: "palettes have a colour too many",
    answer: (body, { path }) => {
      if (path === "x/palettes/list") for (const { colors } of body.palettes) colors.push("#000000");
    },
  },
  X74: {
    clause: "extensions.md X8.6",
    foundBy: "extensions.organizers.zones",
    title: "the time zones of the extensions lack one",
    answer: (body, { path }) => void (path === "x/timezones/list" && body.timezones?.pop()),
  },
  X75: {
    clause: "extensions.md X8.6",
    foundBy: "extensions.tokens.scope",
    title: "a token has the scope write by default",
    ask: byDefault(["x/tokens/create"], "scope", "write"),
  },
  X76: {
    clause: "extensions.md X8.6",
    foundBy: "extensions.tokens.expiry",
    title: "a token outlasts the one that makes it",
    answer: (body, { path, params }) => {
      if (path === "x/tokens/create" && body.token !== undefined && !params.has("expires_in_days"))
        body.token.date_expires = "";
    },
  },
  X77: {
    clause: "extensions.md X8.6",
    foundBy: "extensions.tokens.repeat",
    title: "a repeated answer shows the token again",
    answer: (body, { path, headers }, { memory }) => {
      const key = headers["idempotency-key"];
      if (path !== "x/tokens/create" || typeof key !== "string" || body.secret === undefined) return;
      if (body.secret === "") body.secret = memory.get(key);
      else memory.set(key, body.secret);
    },
  },
  X78: {
    clause: "extensions.md X8.6",
    foundBy: "extensions.syncs.changes",
    title: "the list of syncs has those of all calendars, and one too many",
    answer: (body, { path }, { memory }) => {
      if (path === "x/syncs/create" && body.sync !== undefined) memory.set("sync", body.sync);
      if (path === "x/syncs/list" && memory.has("sync")) body.syncs?.push(memory.get("sync"));
    },
  },
  X79: {
    clause: "extensions.md X8.6",
    foundBy: "extensions.organizers.categories",
    title: "a merge leaves out the first category",
    ask: param(["x/categories/merge"], "categories", (value) => value.replace(/^[^,]*,/, "")),
  },
  X80: {
    clause: "extensions.md X8.8",
    foundBy: "extensions.codes",
    title: "too long a text has no limit in its error",
    answer: (body) => {
      for (const failed of body.meta?.errors ?? []) if (failed.code === "too_long") delete failed.limit;
    },
  },
  X81: {
    clause: "extensions.md X8.8",
    foundBy: "extensions.codes.contract",
    title: "errors of the contract's operations have codes of parameters",
    answer: (body, { path }) => {
      if (!path.startsWith("x/")) for (const failed of body.meta?.errors ?? []) failed.code = "malformed";
    },
  },
};
