import { expect, test } from "vitest";
import { testServer } from "../../test/harness.js";

// The colours of followers' pages, which are those of the console (docs/extensions.md: Categories). It is 2 July 2026.

const server = await testServer({ PUBLIC_URL: "https://calendars.example.com" });
const owner = await server.account();
await owner.call("accountUpdate", { key: "colours" });

async function newCalendar(palette_id: string) {
  const fields = { title: "Club", timezone: "Europe/Berlin", listed: "true", palette_id };
  const { calendar } = (await owner.call("calendarsCreate", fields)).body;
  const add = async (title: string, more: Readonly<Record<string, string>>): Promise<void> => {
    const day = { start_date: "2026-07-09T19:30", end_date: "2026-07-09T21:00" };
    const { status } = await owner.call("eventsCreate", { calendar_id: calendar.id, title, ...day, ...more });
    expect(status).toBe(200);
  };
  return { page: `/c/${calendar.unique_key ?? calendar.uniquekey}`, add };
}

/** Returns the class of what shows an event in a page, and of the dots of its day. */
const colorsOf = (text: string): readonly string[] => [
  ...new Set([...text.matchAll(/class="[^"]*\b(p\d+-\d+|plain)\b/g)].map(([, name = ""]) => name)),
];

test("an event without a colour has that of its first category on each page that shows colours", async () => {
  const { page, add } = await newCalendar("2");
  await add("Konzert", { categories: "Probe,Konzerte" });
  expect(colorsOf((await server.request(page)).text)).toEqual(["p2-1"]);
  for (const path of [`${page}/print?month=2026-07`, `${page}?month=2026-07`, "/o/colours?month=2026-07"])
    expect([path, colorsOf((await server.request(path)).text)]).toEqual([path, ["p2-1"]]);
  await add("Aufbau", { categories: "Probe" });
  expect(colorsOf((await server.request(page)).text).toSorted()).toEqual(["p2-1", "p2-3"]);
});

test("a colour of its own counts first; without category and colour an event is plain", async () => {
  const { page, add } = await newCalendar("5");
  await add("Konzert", { categories: "Konzerte", color_id: "4" });
  await add("Treffen", {});
  expect(colorsOf((await server.request(page)).text).toSorted()).toEqual(["p5-4", "plain"]);
});

test("dark devices have lighter ones of the colours that would not stand out there", async () => {
  const { text: home } = await server.request("/o/colours");
  const { text } = await server.request(/href="([^"]*style[^"]*\.css)"/.exec(home)?.[1] ?? "");
  const [light, dark] = [...text.matchAll(/\.p2-1\{--color:(#\w+)\}/g)].map(([, color]) => color);
  expect(light).toBe("#000000");
  expect(dark).not.toBe("#000000");
});
