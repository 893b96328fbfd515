// What the week and the dragging of events say: a part of the texts of a language.

import type { WeekTexts } from "./en-week.js";

export const week: WeekTexts = {
  week: {
    week: "Semaine",
    days: "3 jours",
    earlier: (days) => `Avant : ${days}`,
    later: (days) => `Après : ${days}`,
    clockChange: "Changement d’heure",
    keys: "Les flèches vont d’un événement à l’autre et d’un jour à l’autre, Page précédente et Page suivante d’une semaine à l’autre.",
  },
  drag: {
    hint: "Faites glisser un événement vers une autre date ou une autre heure, ou seulement sa fin.",
    move: (title) => `Déplacer « ${title} » ?`,
    end: (title) => `Changer la fin de « ${title} » ?`,
    was: (when) => `Jusqu’ici : ${when}`,
    followed: (count) =>
      count === 1 ? "1 personne suit ce calendrier." : `${count} personnes suivent ce calendrier.`,
  },
  adding: {
    which: "Dans quel calendrier ?",
  },
};
