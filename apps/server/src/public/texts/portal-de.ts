import type { Texts } from "./en.js";

export const portalDe: Pick<Texts, "portal" | "paper"> = {
  portal: {
    heading: "Termine",
    metaDescription: (name) => `Die Termine von ${name}, zum Nachsehen und für die eigene Kalender-App.`,
    allOf: (name) => `Alle Kalender: ${name}`,
    search: "Termin oder Ort suchen",
    find: "Suchen",
    all: "Alle",
    found: (count) => (count === 1 ? "1 Termin gefunden" : `${count} Termine gefunden`),
    foundMany: "Gefundene Termine",
    nothingFound: "Kein kommender Termin passt dazu.",
    clear: "Alle Termine zeigen",
    none: "Zurzeit ist nichts geplant.",
    noCalendars: "Hier gibt es noch keinen Kalender.",
    follow: "In den eigenen Kalender",
    followLead:
      "Kreuzen Sie an, was Sie interessiert, und wählen Sie Ihre App. Sie bekommen einen persönlichen Link für alles zusammen und können die Auswahl jederzeit ändern.",
    which: "Kalender",
    page: "Ansehen",
    pageOf: (title) => `„${title}“ ansehen`,
    follows: (count) => (count === 1 ? "Sie folgen 1 Kalender" : `Sie folgen ${count} Kalendern`),
    followsNone: "Sie folgen keinem Kalender",
    followsNoneNote: "Ihr Feed ist leer. Kreuzen Sie unten Kalender an, um ihnen wieder zu folgen.",
    back: "Zurück zu allen Kalendern",
  },
  paper: {
    heading: "Auf Papier",
    month: "Monat",
    season: "Saison",
    poster: "Aushang",
    print: "Drucken",
    asOf: (date) => `Stand: ${date}`,
    more: "Es gibt noch mehr Termine. Die Seite des Kalenders hat sie alle.",
    scan: "Termine aufs Handy",
    scanHow:
      "Code mit der Kamera des Handys scannen: Neue und geänderte Termine stehen dann von selbst in Ihrem Kalender.",
  },
};
