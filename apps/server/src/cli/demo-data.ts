import type { Params } from "@kalends/spec";
import type { NewSubscriber } from "../subscribers/queries.js";

type DemoEvent = Omit<Params<"createEvent">, "calendar_id">;
type DemoCalendar = Params<"createCalendar"> & { readonly events: readonly DemoEvent[] };

/** Returns an eclipse as an event; its start is the greatest phase, in UTC. */
function eclipse(title: string, start_date: string, location: string, color_id: string): DemoEvent {
  return { title, start_date, location, color_id, description: "The time is that of the greatest phase." };
}

/** Returns an international day of the United Nations as an all-day event. */
function day(title: string, date: string): DemoEvent {
  return { title, start_date: `${date}/2027 00:00`, all_day_event: "true", organizer: "United Nations" };
}

const sun = "4";
const moon = "6";

export const demoCalendars: readonly DemoCalendar[] = [
  {
    title: "Eclipses",
    description: "A selection of the solar and lunar eclipses from 2027 to 2030.",
    timezone: "Etc/UTC",
    palette_id: "2",
    events: [
      eclipse("Annular solar eclipse", "02/06/2027 16:00", "South Atlantic, Chile, Argentina", sun),
      eclipse("Total solar eclipse", "08/02/2027 10:07", "Spain, North Africa, Arabia", sun),
      eclipse("Partial lunar eclipse", "01/12/2028 04:14", "Americas, Europe, Africa", moon),
      eclipse("Annular solar eclipse", "01/26/2028 15:08", "Galapagos, Brazil, Spain", sun),
      eclipse("Partial lunar eclipse", "07/06/2028 18:20", "Africa, Asia, Australia", moon),
      eclipse("Total solar eclipse", "07/22/2028 02:56", "Australia, New Zealand", sun),
      eclipse("Total lunar eclipse", "12/31/2028 16:53", "Europe, Asia, Australia", moon),
      eclipse("Partial solar eclipse", "01/14/2029 17:13", "North America", sun),
      eclipse("Total lunar eclipse", "06/26/2029 03:23", "Americas, Europe, Africa", moon),
      eclipse("Total lunar eclipse", "12/20/2029 22:43", "Americas, Europe, Africa, Asia", moon),
      eclipse("Annular solar eclipse", "06/01/2030 06:29", "Algeria, Greece, Turkey, Russia, Japan", sun),
      eclipse("Total solar eclipse", "11/25/2030 06:52", "Southern Africa, Australia", sun),
    ],
  },
  {
    title: "International days 2027",
    description: "A selection of the international days that the United Nations observe.",
    timezone: "America/New_York",
    events: [
      day("International Day of Education", "01/24"),
      day("International Mother Language Day", "02/21"),
      day("International Women's Day", "03/08"),
      day("World Water Day", "03/22"),
      day("World Health Day", "04/07"),
      day("World Book and Copyright Day", "04/23"),
      day("World Environment Day", "06/05"),
      day("World Oceans Day", "06/08"),
      day("International Day of Friendship", "07/30"),
      day("International Youth Day", "08/12"),
      day("International Day of Peace", "09/21"),
      day("United Nations Day", "10/24"),
      day("World Children's Day", "11/20"),
      day("Human Rights Day", "12/10"),
    ],
  },
];

type DemoSubscriber = Omit<NewSubscriber, "account_id" | "calendar_id" | "subscribed_at">;

/** Fictional people: domain names of RFC 2606 and addresses of RFC 5737. */
export const demoSubscribers: readonly DemoSubscriber[] = [
  subscriber("Ada Byron", "ada", "203.0.113.7", { city: "London", country: "GB", calendar_type: "apple" }),
  subscriber("Jean Meeus", "jean", "198.51.100.24", {
    city: "Brussels",
    country: "BE",
    calendar_type: "google",
    active: 0,
  }),
  subscriber("Sam Blocked", "sam", "192.0.2.66", {
    city: null,
    country: null,
    calendar_type: "ical",
    blocked: 1,
  }),
];

function subscriber(
  name: string,
  mailbox: string,
  ip: string,
  rest: Partial<DemoSubscriber> & Pick<DemoSubscriber, "calendar_type">,
): DemoSubscriber {
  return {
    name,
    email: `${mailbox}@example.com`,
    ip,
    postal: null,
    city: null,
    state: null,
    country: null,
    active: 1,
    blocked: 0,
    ...rest,
  };
}
