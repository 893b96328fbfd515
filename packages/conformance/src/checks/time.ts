import { equal } from "../engine/assert.js";
import { number } from "../engine/json.js";
import { bothForms, creates, refusesToCreateEvent } from "./event-kit.js";
import { clock, shows } from "./time-kit.js";
import { starts } from "./time-tables.js";
import { profile } from "../engine/check.js";

const { required, recommended } = profile("time");

export const timeChecks = [
  ...starts.map(({ id, sent, shown, title }) =>
    required(`time.start.${id}`, ["4.6 start_date", "2.4 date", "2.4 time", "2.4 ampm"], title, (kit) =>
      shows(kit, sent, shown),
    ),
  ),
  required(
    "time.clock-is-24-hours",
    "2.4 time",
    "date_start_time and date_end_time count to 23",
    async (kit) => {
      const [made, listed] = await bothForms(kit, {
        start_date: "07/04/2026 01:30 PM",
        end_date: "07/04/2026 11:45 PM",
      });
      for (const event of [made, listed])
        equal(
          [event["date_start_time"], event["date_end_time"]],
          ["13:30:00", "23:45:00"],
          "date_start_time, date_end_time",
        );
    },
  ),
  required("time.ampm", "2.4 ampm", "date_start_ampm and date_end_ampm tell the half of the day", (kit) =>
    creates(
      kit,
      { start_date: "07/04/2026 11:59", end_date: "07/04/2026 12:00" },
      { date_start_ampm: "AM", date_end_ampm: "PM" },
    ),
  ),
  required("time.dates-are-plain", "2.4 date", "date_start and date_end have the form MM/DD/YYYY", (kit) =>
    creates(
      kit,
      { start_date: "01/09/2026 10:00", end_date: "11/02/2026 10:00" },
      { date_start: "01/09/2026", date_end: "11/02/2026" },
    ),
  ),
  required(
    "time.end.default",
    "4.6 end_date",
    "Without end_date an event ends an hour after its start",
    async (kit) => {
      const [made, listed] = await bothForms(kit, { start_date: "07/04/2026 13:30" });
      for (const event of [made, listed]) equal(clock(event, "end"), ["07/04/2026", "14:30:00", "PM"], "end");
      equal(
        number(listed, "date_end_unix") - number(listed, "date_start_unix"),
        3_600,
        "seconds from start to end",
      );
    },
  ),
  required(
    "time.end.empty",
    "4.6 end_date",
    "With an empty end_date an event ends an hour after its start",
    (kit) =>
      creates(
        kit,
        { start_date: "07/04/2026 13:30", end_date: "" },
        { date_end: "07/04/2026", date_end_time: "14:30:00" },
      ),
  ),
  required(
    "time.end.default-crosses-midnight",
    "4.6 end_date",
    "An hour after 23:30 on 31 December is 00:30 on 1 January",
    (kit) =>
      creates(
        kit,
        { start_date: "12/31/2026 23:30" },
        { date_end: "01/01/2027", date_end_time: "00:30:00", date_end_ampm: "AM" },
      ),
  ),
  required("time.end.given", "4.6 end_date", "end_date is kept, in both forms of the clock", async (kit) => {
    await creates(
      kit,
      { start_date: "07/04/2026 13:30", end_date: "07/05/2026 02:15" },
      { date_end: "07/05/2026", date_end_time: "02:15:00", date_end_ampm: "AM" },
    );
    await creates(
      kit,
      { start_date: "07/04/2026 13:30", end_date: "07/04/2026 02:15 PM" },
      { date_end: "07/04/2026", date_end_time: "14:15:00", date_end_ampm: "PM" },
    );
  }),
  recommended("time.end.equal-to-start", "R4.2", "An event may end when it starts", (kit) =>
    creates(
      kit,
      { start_date: "07/04/2026 13:30", end_date: "07/04/2026 13:30" },
      { date_end_time: "13:30:00" },
    ),
  ),
  recommended(
    "time.end.before-start",
    "R4.2",
    "An end before the start is refused and makes nothing",
    (kit) =>
      refusesToCreateEvent(kit, {
        title: "Back",
        start_date: "07/04/2026 13:30",
        end_date: "07/04/2026 13:29",
      }),
  ),
];
