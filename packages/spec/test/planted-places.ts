/** Where a document has what the breaks are planted in. */
export interface Places {
  /** A path with a GET that lists calendars, and what it is without its final slash. */
  readonly calendars: { readonly path: string; readonly bare: string; readonly id: string };
  /** A path with a GET that lists events, with the shared parameters. */
  readonly events: { readonly path: string; readonly id: string };
  /** A path with a POST that creates an event. */
  readonly create: { readonly path: string; readonly id: string; readonly form: string };
  /** A calendar of an answer, and an integer and a closed set of an answer. */
  readonly calendar: string;
  readonly integer: { readonly at: string; readonly property: string };
  readonly closedSet: {
    readonly at: string;
    readonly id: string;
    readonly property: string;
    readonly values: string;
  };
}

export const placesOfContract: Places = {
  calendars: { path: "/api/v1/calendars/list/", bare: "/api/v1/calendars/list", id: "listCalendars" },
  events: { path: "/api/v1/calendars/events/list/", id: "listEvents" },
  create: { path: "/api/v1/calendars/events/create/", id: "createEvent", form: "CreateEventForm" },
  calendar: "Calendar",
  integer: { at: "Calendar properties date_create", property: "200 calendars[].date_create" },
  closedSet: {
    at: "Subscriber properties active",
    id: "getSubscriber",
    property: "200 subscribers[].active",
    values: '["true","false"]',
  },
};

export const placesOfExtensions: Places = {
  calendars: {
    path: "/api/kalends/v1/calendars/list/",
    bare: "/api/kalends/v1/calendars/list",
    id: "findCalendars",
  },
  events: { path: "/api/kalends/v1/events/list/", id: "findEvents" },
  create: { path: "/api/kalends/v1/events/create/", id: "addEvent", form: "AddEventForm" },
  calendar: "CalendarDetails",
  integer: { at: "CalendarDetails properties events_total", property: "200 calendars[].events_total" },
  closedSet: {
    at: "CalendarDetails properties feed_omits",
    id: "findCalendars",
    property: "200 calendars[].feed_omits",
    values: '["nothing","past","upcoming"]',
  },
};
