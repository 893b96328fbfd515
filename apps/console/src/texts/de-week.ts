// What the week and the dragging of events say: a part of the texts of a language.

import type { WeekTexts } from "./en-week.js";

export const week: WeekTexts = {
  week: {
    week: "Woche",
    days: "3 Tage",
    earlier: (days) => `Früher: ${days}`,
    later: (days) => `Später: ${days}`,
    clockChange: "Zeitumstellung",
    keys: "Pfeiltasten führen von Termin zu Termin und von Tag zu Tag, Bild auf und Bild ab von Woche zu Woche.",
  },
  drag: {
    hint: "Termine lassen sich auf ein anderes Datum oder eine andere Uhrzeit ziehen, ihr Ende auch.",
    move: (title) => `„${title}“ verschieben?`,
    end: (title) => `Ende von „${title}“ ändern?`,
    was: (when) => `Bisher: ${when}`,
    followed: (count) =>
      count === 1 ? "1 Person folgt diesem Kalender." : `${count} Personen folgen diesem Kalender.`,
  },
  adding: {
    which: "In welchen Kalender?",
  },
};
