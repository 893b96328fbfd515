import { expect, test } from "vitest";
import { testServer } from "../../test/harness.js";

// The link of an event (extensions X11.4).

const server = await testServer();
const owner = await server.account();
const { id: calendar_id, uniquekey } = (await owner.call("createCalendar", { title: "One" })).body.calendar;
const event = { calendar_id, title: "Ball", start_date: "2026-08-04T20:00" };

test.each([
  "http://tickets.example",
  "javascript:alert(1)",
  "//tickets.example",
  "https://",
  "https://user@tickets.example",
  "https://tickets.example/a b",
  "https://tickets.example/<script>",
  `https://tickets.example/${"a".repeat(1_000)}`,
])("%j is no url of an event", async (url) => {
  const { body } = await owner.call("eventsCreate", { ...event, url });
  expect(body.meta.errors).toMatchObject([{ parameter: "url" }]);
});

test("the url of an event is in the changes, in its series and its copies, and in a feed that has no page to link to", async () => {
  const url = "https://tickets.example/ball?seat=7#row";
  const series = { ...event, url, rrule: "FREQ=DAILY;COUNT=2" };
  const [first] = (await owner.call("eventsSeriesCreate", series)).body.event_ids;
  const copies = (await owner.call("eventsCopy", { event_id: first, start_dates: "2026-09-04T20:00" })).body;
  const { changes } = (await owner.call("eventsChanges", { calendar_id })).body;
  expect(changes).toHaveLength(3);
  for (const change of changes) expect(change.event.url).toBe(url);
  await owner.call("eventsBatch", { events: copies.event_ids.join(), url: "" });
  const { text } = await server.request(`/c/${uniquekey}/one.ics`);
  expect(text.match(/^URL:.*$/gm)).toEqual([`URL:${url}`, `URL:${url}`]);
});
