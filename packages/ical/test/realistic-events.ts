import type { FeedCalendar, FeedEvent } from "../src/index.js";

export const calendar: FeedCalendar = {
  prodId: "-//Kalends//Kalends 1.0//EN",
  name: "Stadtpark: Konzerte & Filme",
  description: "Everything in the park, day and night; free entry, unless told otherwise.",
  timezone: "Europe/Berlin",
  modifiedAt: 1_795_258_000,
  refreshSeconds: 3600,
  color: "4682b4",
};

const titles = [
  "Opening night",
  "Größe & Glück – ein Abend für alle 🎉",
  "東京フィルハーモニー交響楽団 演奏会",
  "Workshop: Brot backen, Teil 2",
  "حفل موسيقي في الحديقة",
  "Team lunch 👩‍👩‍👧‍👦 + board games; bring friends",
  "Cinéma en plein air : « Le ciel est à nous »",
  "Quarterly release, code freeze at noon",
];

const places = [
  "Stadtpark, Große Wiese, 10115 Berlin",
  "Room 4.12",
  "渋谷区道玄坂1-2-3, 東京",
  "12 rue de l’Église; Lyon",
];

const paragraphs = [
  "Doors open half an hour before the start. Tickets at the entrance, cards welcome; children under 12 are free.",
  "Bitte früh kommen: Die Plätze sind knapp, und bei Regen ziehen wir in die Große Halle um ☔.",
  "終演は21時頃の予定です。未就学児の入場はご遠慮ください。",
  "More at https://example.org/events?ref=feed&lang=en, or ask at the desk.",
  "Line-up:\r\n- Jane Doe (piano)\r\n- Søren Ærø (bass)\r\n- Zoë “Zed” Müller (drums) 🥁",
];

const organizers = ["Jane Doe", 'Zoë "Zed" Müller', "Parks; Events", "株式会社イベント"];

/** Events like those of a busy calendar, always the same: one in five whole days, every second with an alarm. */
export function realisticEvents(count: number): readonly FeedEvent[] {
  return Array.from({ length: count }, (_, index) => {
    const modifiedAt = 1_795_000_000 + index * 7919;
    const startAt = 1_796_000_000 + index * 5400;
    const day = { year: 2027, month: 1 + (index % 12), day: 1 + (index % 28) };
    return {
      uid: `5f2c3a1e-0000-4000-8000-${String(index).padStart(12, "0")}`,
      createdAt: modifiedAt - 86_400 * (index % 30),
      modifiedAt,
      sequence: index % 7,
      when: index % 5 === 0 ? { firstDay: day, lastDay: day } : { startAt, endAt: startAt + 5400 },
      status: "confirmed",
      title: `${titles[index % titles.length]} #${index}`,
      description: [0, 1, 2].map((step) => paragraphs[(index + step) % paragraphs.length]).join("\r\n"),
      location: `${places[index % places.length]}`,
      organizer: `${organizers[index % organizers.length]}`,
      organizerEmail: index % 3 === 0 ? "" : `desk${index % 40}@example.org`,
      color: ["", "4682b4", "d62728", "2ca02c"][index % 4] ?? "",
      reminderMinutes: index % 2 === 0 ? 15 : undefined,
    };
  });
}
