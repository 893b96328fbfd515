import { idOf, isItem, list } from "../engine/json.js";
import { hasNext } from "../engine/lists.js";
import { reads, outcome, calendar, show } from "./observed-kit.js";
import { profile } from "../engine/check.js";

const { observed } = profile("observed");

export const httpObservations = [
  observed(
    "http.observed.https",
    "1.3 codes",
    "Whether the base address is HTTPS",
    async (kit) => {
      await kit.call("listTimeZones");
      kit.observe(kit.session.target.baseUrl.protocol.replace(":", ""));
    },
    reads,
  ),
  observed(
    "lists.observed.page-size",
    "2.2 page",
    "How many items a page holds",
    async (kit) => {
      const { body } = await kit.ok("listCalendars");
      const { length } = list(body, "calendars");
      kit.observe(hasNext(body) ? `${length} items` : `${length} items or more`);
    },
    reads,
  ),
  observed(
    "lists.observed.page-zero",
    "2.2 page",
    "What page=0 and page=abc answer",
    async (kit) => {
      for (const page of ["0", "abc"])
        kit.observe(`page=${page}: ${outcome(await kit.call("listCalendars", { page }))}`);
    },
    reads,
  ),
  observed(
    "lists.observed.past-the-end",
    "2.2 page",
    "What a page past the end answers",
    async (kit) => {
      kit.observe(outcome(await kit.call("listCalendars", { page: "99999" })));
    },
    reads,
  ),
  observed(
    "lists.observed.unknown-order",
    "4.5 order_by",
    "What an unknown order_by answers",
    async (kit) => {
      kit.observe(
        outcome(
          await kit.call("listEvents", { calendar_id: idOf(await calendar(kit)), order_by: "sideways" }),
        ),
      );
    },
  ),
  observed("lists.observed.month-alone", "4.5 month", "What month without year answers", async (kit) => {
    kit.observe(
      outcome(await kit.call("listEvents", { calendar_id: idOf(await calendar(kit)), month: "02" })),
    );
  }),
  observed("http.observed.post", "4 query", "Whether writes and reads answer POST", async (kit) => {
    const { body, ...rest } = await kit.call(
      "createCalendar",
      { title: kit.name(), timezone: "Europe/Paris" },
      { method: "POST" },
    );
    kit.observe(
      `create: ${outcome({ ...rest, body })}; list: ${outcome(await kit.call("listCalendars", {}, { method: "POST" }))}`,
    );
  }),
  observed("http.observed.form", "4 query", "Whether writes take a form and JSON", async (kit) => {
    for (const send of ["form", "json"] as const)
      kit.observe(
        `${send}: ${outcome(await kit.call("createCalendar", { title: kit.name(), timezone: "Europe/Paris" }, { send }))}`,
      );
  }),
  observed(
    "http.observed.slash",
    "4 query",
    "What a path without its final slash answers",
    async (kit) => {
      kit.observe(outcome(await kit.call("listCalendars", {}, { path: "/api/v1/calendars/list" })));
    },
    reads,
  ),
  observed(
    "http.observed.head",
    "4 query",
    "What HEAD, OPTIONS and PUT answer",
    async (kit) => {
      for (const method of ["HEAD", "OPTIONS", "PUT"])
        kit.observe(`${method}: ${outcome(await kit.call("listCalendars", {}, { method }))}`);
    },
    reads,
  ),
  observed(
    "http.observed.rate-limit",
    "1.3 codes",
    "Which headers tell of a rate limit",
    async (kit) => {
      const { headers } = await kit.call("listCalendars");
      const names = Object.keys(headers).filter((name) => /rate-?limit|retry-after/.test(name));
      kit.observe(names.length === 0 ? "none" : names.join(", "));
    },
    reads,
  ),
  observed(
    "http.observed.repeated",
    "4 query",
    "What a repeated parameter answers",
    async (kit) => {
      kit.observe(outcome(await kit.call("listCalendars", { page: "1" }, { rawQuery: "page=1" })));
    },
    reads,
  ),
  observed(
    "http.observed.unknown-parameter",
    "4 query",
    "What an unknown parameter answers",
    async (kit) => {
      kit.observe(outcome(await kit.call("listCalendars", { x_unknown: "1" })));
    },
    reads,
  ),
  observed("http.observed.plus", "1.4 encoding", "What a plus sign in a query means", async (kit) => {
    const answer = await kit.call(
      "createCalendar",
      { timezone: "Europe/Paris", description: kit.name() },
      { rawQuery: "title=a+b" },
    );
    kit.observe(
      isItem(answer.body)
        ? show(isItem(answer.body["calendar"]) ? answer.body["calendar"] : {}, "title")
        : outcome(answer),
    );
  }),
  observed(
    "auth.observed.bearer",
    "5.2 account",
    "Whether the token may come as Authorization: Bearer",
    async (kit) => {
      const headers = { Authorization: `Bearer ${kit.session.target.token}` };
      kit.observe(outcome(await kit.call("listCalendars", {}, { as: "none", headers })));
    },
    reads,
  ),
  observed(
    "auth.observed.statuses",
    "7.1 errors",
    "What no token, a wrong token and an absent id answer",
    async (kit) => {
      kit.observe(`no token: ${outcome(await kit.call("listCalendars", {}, { as: "none" }))}`);
      kit.observe(
        `wrong token: ${outcome(await kit.call("listCalendars", {}, { as: { token: "kalconf-wrong" } }))}`,
      );
      kit.observe(`absent id: ${outcome(await kit.call("listEvents", { calendar_id: "999999999999" }))}`);
    },
    reads,
  ),
];
