import { allOperations } from "@kalends/spec";
import { flood, newCalendar, nextYear } from "./attacks.js";
import type { Target } from "./target.js";
import { customDataOfManyNames, type Params, worstValues } from "./worst.js";

/** What the requests of the ring are about: rows with the longest texts, and as many of each as a page shows. */
export interface World {
  /** Ids of what is read. */
  readonly read: Params;
  /** Ids of what is written. */
  readonly written: Params;
  /** For addresses: the public key of the calendar that is read, a UID in it, and the key of a follower. */
  readonly address: { readonly uniquekey: string; readonly uid: string; readonly key: string };
}

/** Makes the world, by the API alone. */
export async function makeWorld(target: Target, events = 100): Promise<World> {
  const read = await newCalendar(target, worstValues("createCalendar", "title")[0]);
  const sink = await newCalendar(target);
  await flood(events, 4, (index) => addWorstEvent(target, read.id, index));
  const { events: listed } = await target.call(allOperations.findEvents.path, { calendar_id: sink.id });
  if (listed.length > 0) throw new Error("the calendar is not new");
  const { changes } = await target.call(allOperations.listEventChanges.path, { calendar_id: read.id });
  const [{ event }] = changes;
  const { event: sunk } = await target.call(allOperations.addEvent.path, {
    calendar_id: sink.id,
    title: "Written",
    start_date: `${nextYear}-07-04T10:00`,
  });
  const { event_ids } = await target.call(allOperations.createSeries.path, {
    calendar_id: sink.id,
    title: "Series",
    start_date: `${nextYear}-07-04T10:00`,
    rrule: "FREQ=DAILY;COUNT=50",
  });
  const key = await followerOf(target, read.uniquekey);
  const { subscribers } = await target.call(allOperations.listSubscribers.path, { calendar_id: read.id });
  const { webhook } = await target.call(allOperations.createWebhook.path, { url: "https://hooks.example/" });
  const { delivery } = await target.call(allOperations.testWebhook.path, { webhook_id: webhook.id });
  const others = {
    subscriber_id: String(subscribers[0].id),
    webhook_id: String(webhook.id),
    delivery_id: String(delivery.id),
  };
  return {
    read: { calendar_id: read.id, event_id: String(event.id), ...others },
    written: {
      calendar_id: sink.id,
      event_id: String(sunk.id),
      series_event_id: String(event_ids[0]),
      ...others,
    },
    address: { uniquekey: read.uniquekey, uid: String(event.uid), key },
  };
}

/** An event with the longest texts in characters of four bytes. */
async function addWorstEvent(target: Target, calendarId: string, index: number): Promise<void> {
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
    path: allOperations.addEvent.path,
    headers: { Authorization: `Bearer ${target.attackerToken}`, "Content-Type": "application/json" },
    body,
  });
  if (status !== 200) throw new Error(`the world was not made: ${status} ${text.slice(0, 500)}`);
}

/** Follows a calendar as a browser does. Returns the key of the follower's addresses. */
async function followerOf(target: Target, uniquekey: string): Promise<string> {
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
