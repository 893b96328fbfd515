import ICAL from "ical.js";
import generator, {
  ICalAlarmType,
  ICalEventClass,
  ICalEventStatus,
  ICalEventTransparency,
} from "ical-generator";
import { generateIcsCalendar, type IcsEvent } from "ts-ics";
import { calendarText, type Day, type FeedEvent } from "../src/index.js";
import { calendar } from "./events.js";

/** Writes the events, in chunks or at once. */
export type Writer = (events: readonly FeedEvent[]) => Iterable<string>;

// Each library as its documentation shows it, from the same events, with the same properties as far as it has them:
// ts-ics and ical-generator have no COLOR of an event, which is in their favour.
export const writers = {
  "@kalends/ical": (events) => calendarText(calendar, events),

  "ts-ics": (events) => [
    generateIcsCalendar({
      version: "2.0",
      prodId: calendar.prodId,
      name: calendar.name,
      nonStandard: { wrTimezone: calendar.timezone, publishedTtl: "PT1H" },
      events: events.map(tsIcsEvent),
    }),
  ],

  "ical.js": (events) => {
    const component = new ICAL.Component(["vcalendar", [], []]);
    component.updatePropertyWithValue("version", "2.0");
    component.updatePropertyWithValue("prodid", calendar.prodId);
    component.updatePropertyWithValue("name", calendar.name);
    component.updatePropertyWithValue("x-wr-calname", calendar.name);
    component.updatePropertyWithValue("x-wr-timezone", calendar.timezone);
    component.updatePropertyWithValue("x-published-ttl", "PT1H");
    for (const event of events) component.addSubcomponent(icalJsEvent(event));
    return [component.toString()];
  },

  "ical-generator": (events) => {
    const written = generator({
      name: calendar.name,
      description: calendar.description,
      prodId: { company: "Kalends", product: "Kalends 1.0" },
      ttl: calendar.refreshSeconds,
      x: { "X-WR-TIMEZONE": calendar.timezone },
    });
    for (const event of events) written.createEvent(generatorEvent(event));
    return [written.toString()];
  },
} satisfies Record<string, Writer>;

function tsIcsEvent(event: FeedEvent): IcsEvent {
  const { start, end, isAllDay } = dates(event);
  const type = isAllDay ? "DATE" : "DATE-TIME";
  const hasOrganizer = event.organizerEmail !== "";
  return {
    uid: event.uid,
    stamp: { date: date(event.modifiedAt) },
    created: { date: date(event.createdAt) },
    lastModified: { date: date(event.modifiedAt) },
    sequence: event.sequence,
    start: { date: start, type },
    end: { date: end, type },
    summary: event.title,
    description: event.description,
    location: event.location,
    ...(hasOrganizer ? { organizer: { name: event.organizer, email: event.organizerEmail } } : {}),
    status: "CONFIRMED",
    timeTransparent: isAllDay ? "TRANSPARENT" : "OPAQUE",
    class: "PUBLIC",
    ...(event.reminderMinutes === undefined ? {} : { alarms: [tsIcsAlarm(event, event.reminderMinutes)] }),
  };
}

function tsIcsAlarm(event: FeedEvent, minutes: number): NonNullable<IcsEvent["alarms"]>[number] {
  return {
    action: "DISPLAY",
    trigger: { type: "relative", value: { before: true, minutes } },
    description: event.title,
  };
}

function icalJsEvent(event: FeedEvent): InstanceType<typeof ICAL.Component> {
  const { start, end, isAllDay } = dates(event);
  const component = new ICAL.Component("vevent");
  const add = (name: string, value: unknown): unknown => component.addPropertyWithValue(name, value);
  const time = (from: Date): InstanceType<typeof ICAL.Time> => ICAL.Time.fromJSDate(from, true);
  const startTime = time(start);
  const endTime = time(end);
  startTime.isDate = isAllDay;
  endTime.isDate = isAllDay;
  add("uid", event.uid);
  add("dtstamp", time(date(event.modifiedAt)));
  add("created", time(date(event.createdAt)));
  add("last-modified", time(date(event.modifiedAt)));
  add("sequence", event.sequence);
  add("dtstart", startTime);
  add("dtend", endTime);
  add("summary", event.title);
  add("description", event.description);
  add("location", event.location);
  if (event.organizerEmail === "") add("contact", event.organizer);
  else {
    const organizer = component.addPropertyWithValue("organizer", `mailto:${event.organizerEmail}`);
    organizer.setParameter("cn", event.organizer);
  }
  add("status", "CONFIRMED");
  add("transp", isAllDay ? "TRANSPARENT" : "OPAQUE");
  add("class", "PUBLIC");
  if (event.color !== "") add("color", "steelblue");
  if (event.reminderMinutes === undefined) return component;
  const alarm = new ICAL.Component("valarm");
  alarm.addPropertyWithValue("action", "DISPLAY");
  alarm.addPropertyWithValue(
    "trigger",
    ICAL.Duration.fromData({ isNegative: true, minutes: event.reminderMinutes }),
  );
  alarm.addPropertyWithValue("description", event.title);
  component.addSubcomponent(alarm);
  return component;
}

type GeneratorEvent = Parameters<ReturnType<typeof generator>["createEvent"]>[0];

function generatorEvent(event: FeedEvent): GeneratorEvent {
  const { start, end, isAllDay } = dates(event);
  return {
    id: event.uid,
    stamp: date(event.modifiedAt),
    created: date(event.createdAt),
    lastModified: date(event.modifiedAt),
    sequence: event.sequence,
    start,
    end,
    allDay: isAllDay,
    summary: event.title,
    description: event.description,
    location: event.location,
    organizer: event.organizerEmail === "" ? null : { name: event.organizer, email: event.organizerEmail },
    status: ICalEventStatus.CONFIRMED,
    transparency: isAllDay ? ICalEventTransparency.TRANSPARENT : ICalEventTransparency.OPAQUE,
    class: ICalEventClass.PUBLIC,
    alarms:
      event.reminderMinutes === undefined
        ? []
        : [
            {
              type: ICalAlarmType.display,
              triggerBefore: event.reminderMinutes * 60,
              description: event.title,
            },
          ],
  };
}

function dates({ when }: FeedEvent): {
  readonly start: Date;
  readonly end: Date;
  readonly isAllDay: boolean;
} {
  if ("startAt" in when) return { start: date(when.startAt), end: date(when.endAt), isAllDay: false };
  return { start: midnight(when.firstDay, 0), end: midnight(when.lastDay, 1), isAllDay: true };
}

function date(unixSeconds: number): Date {
  return new Date(unixSeconds * 1000);
}

function midnight({ year, month, day }: Day, daysLater: number): Date {
  return new Date(Date.UTC(year, month - 1, day + daysLater));
}
