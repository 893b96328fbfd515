// What the week and the dragging of events say: a part of the texts of a language.

import type { WeekTexts } from "./en-week.js";

export const week: WeekTexts = {
  week: {
    week: "Semana",
    days: "3 días",
    earlier: (days) => `Antes: ${days}`,
    later: (days) => `Después: ${days}`,
    clockChange: "Cambio de hora",
    keys: "Las flechas van de evento en evento y de día en día, Re Pág y Av Pág de semana en semana.",
  },
  drag: {
    hint: "Los eventos se pueden arrastrar a otra fecha u hora, y también su final.",
    move: (title) => `¿Mover «${title}»?`,
    end: (title) => `¿Cambiar el final de «${title}»?`,
    was: (when) => `Hasta ahora: ${when}`,
    followed: (count) =>
      count === 1 ? "1 persona sigue este calendario." : `${count} personas siguen este calendario.`,
  },
  adding: {
    which: "¿En qué calendario?",
  },
};
