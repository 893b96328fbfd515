import { operations } from "@kalends/spec";
import { newCalendar, nextYear } from "./attacks.js";
import type { Target } from "./target.js";
import { customDataOfManyNames, type Params, worstValues } from "./worst.js";

/** What the requests of the ring are about: rows with the longest texts, and as many of each as a page shows. */
export interface World {
  /** Ids of what is read. */
  readonly read: Params;
  /** Ids of what may be deleted with all that it has. */
  readonly lost: readonly [Params, Params];
  /** Ids of what is written. */
  readonly written: Params;
  /** Ids of what is in the trash. */
  readonly trashed: Params;
  /** For addresses: the public key of the calendar that is read, and a UID in it. */
  readonly address: { readonly uniquekey: string; readonly uid: string };
}

/** Makes the world, by the API alone. */
export async function makeWorld(target: Target, events = 100): Promise<World> {
  const read = await newCalendar(target, worstValues("createCalendar", "title")[0]);
  const sink = await newCalendar(target);
  // All of them, however slow the machine is: a flood ends after some seconds, and a page would have fewer.
  const event = await addWorstEvent(target, read.id, 0);
  for (let index = 1; index < events; index++) await addWorstEvent(target, read.id, index);
  const { event: sunk } = await target.call(operations.addEvent.path, {
    calendar_id: sink.id,
    title: "Written",
    start_date: `${nextYear}-07-04T10:00`,
  });
  const { series, event_ids } = await target.call(operations.createSeries.path, {
    calendar_id: sink.id,
    title: "Series",
    start_date: `${nextYear}-07-04T10:00`,
    rrule: "FREQ=DAILY;COUNT=50",
  });
  const lost = [await newCalendar(target), await newCalendar(target)] as const;
  await target.call(operations.addEvent.path, {
    calendar_id: sink.id,
    title: "In categories",
    categories: "Music,Gigs,Shows",
    start_date: `${nextYear}-07-04T10:00`,
  });
  const { event: removed } = await target.call(operations.addEvent.path, {
    calendar_id: sink.id,
    title: "Removed",
    start_date: `${nextYear}-07-04T10:00`,
  });
  await followerOf(target, read.uniquekey);
  const { subscribers } = await target.call(operations.listSubscribers.path, { calendar_id: read.id });
  const { webhook } = await target.call(operations.createWebhook.path, { url: "https://hooks.example/" });
  const { delivery } = await target.call(operations.testWebhook.path, { webhook_id: webhook.id });
  const others = {
    subscriber_id: String(subscribers[0].id),
    webhook_id: String(webhook.id),
    delivery_id: String(delivery.id),
    person_id: "1",
    ...(await syncAndToken(target, sink.id)),
  };
  const series_id = String(series.id);
  return {
    read: {
      calendar_id: read.id,
      event_id: event.id,
      series_id,
      entry_id: await entryOf(target, event.id),
      ...others,
    },
    lost: [{ calendar_id: lost[0].id }, { calendar_id: lost[1].id }],
    written: {
      calendar_id: sink.id,
      event_id: String(sunk.id),
      entry_id: await entryOf(target, String(sunk.id)),
      removed_event_id: String(removed.id),
      series_event_id: String(event_ids[0]),
      events: event_ids.join(","),
      ...others,
    },
    trashed: await deletedItems(target, sink.id),
    address: { uniquekey: read.uniquekey, uid: event.uid },
  };
}

/** The newest entry of an event. */
async function entryOf(target: Target, event_id: string): Promise<string> {
  return String((await target.call(operations.listHistory.path, { event_id })).history[0].id);
}

/** Deletes two events, a series and a calendar. */
async function deletedItems(target: Target, calendar_id: string): Promise<Params> {
  const fields = { calendar_id, title: "Deleted", start_date: `${nextYear}-07-04T10:00` };
  const { event } = await target.call(operations.addEvent.path, fields);
  const { event: purged } = await target.call(operations.addEvent.path, fields);
  for (const { id } of [event, purged]) await target.call(operations.removeEvent.path, { event_id: id });
  const rrule = "FREQ=DAILY;COUNT=50";
  const { series, event_ids } = await target.call(operations.createSeries.path, { ...fields, rrule });
  await target.call(operations.deleteSeries.path, { event_id: event_ids[0], scope: "all" });
  const calendar = await newCalendar(target);
  await target.call(operations.removeCalendar.path, { calendar_id: calendar.id });
  return {
    calendar_id: calendar.id,
    event_id: String(event.id),
    series_id: String(series.id),
    purged_event_id: String(purged.id),
  };
}

async function syncAndToken(target: Target, calendar_id: string): Promise<Params> {
  const { sync } = await target.call(operations.createSync.path, {
    calendar_id,
    url: "https://host.invalid/",
  });
  const { token } = await target.call(operations.createToken.path, { name: "Revoked" });
  return { sync_id: String(sync.id), token_id: String(token.id) };
}

/** An event with the longest texts in characters of four bytes. */
async function addWorstEvent(
  target: Target,
  calendarId: string,
  index: number,
): Promise<{ readonly id: string; readonly uid: string }> {
  const [description = "", title = "", categories = ""] = ["description", "title", "categories"].map(
    (name) => worstValues("addEvent", name)[0],
  );
  const body = JSON.stringify({
    calendar_id: calendarId,
    title,
    description,
    categories: categories.split(","),
    custom_data: JSON.parse(customDataOfManyNames()),
    start_date: `${nextYear}-07-${String(1 + (index % 28)).padStart(2, "0")}T20:00`,
  });
  const { status, text } = await target.send({
    method: "POST",
    path: operations.addEvent.path,
    headers: { Authorization: `Bearer ${target.attackerToken}`, "Content-Type": "application/json" },
    body,
  });
  if (status !== 200) throw new Error(`the world was not made: ${status} ${text.slice(0, 500)}`);
  const { event } = JSON.parse(text);
  return { id: String(event.id), uid: String(event.uid) };
}

/** Follows a calendar as a browser does. Returns the key of the follower's addresses. */
export async function followerOf(target: Target, uniquekey: string): Promise<string> {
  const { status, headers } = await target.send({
    method: "POST",
    path: `/c/${uniquekey}/follow`,
    headers: { "Content-Type": "application/x-www-form-urlencoded", "Sec-Fetch-Site": "same-origin" },
    body: "app=ical&name=Ada&email=ada%40example.com",
  });
  const [, key] = /\/f\/([^/]+)$/.exec(String(headers.location)) ?? [];
  if (key === undefined) throw new Error(`no one follows: ${status}`);
  return key;
}
