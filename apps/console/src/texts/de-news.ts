import type { NewsTexts } from "./en-news.js";

const people = (count: number): string => (count === 1 ? "1 Person" : `${count} Personen`);

export const news: NewsTexts = {
  tell: (count) =>
    count === 1 ? "1 Person erfährt es per E-Mail" : `${count} Personen erfahren es per E-Mail`,
  tellThem: "Alle, die folgen, erfahren es per E-Mail",
  tellHint:
    "Für die nächsten 14 Tage. Die E-Mail geht nach fünf Minuten ab, mit allem, was Sie bis dahin noch ändern.",
  note: "Ein Satz dazu",
  noteHint: "Er steht in der E-Mail, zum Beispiel: Wir treffen uns in Halle 2.",
  removeText: "Er verschwindet von allen Seiten und aus allen Kalendern. Sie finden ihn im Papierkorb.",
  title: "Allen schreiben, die folgen",
  lead: (count) =>
    count === 0
      ? "Die Nachricht steht auf der Seite des Kalenders. Noch hat niemand eine E-Mail-Adresse bestätigt, deshalb bekommt sie niemand per E-Mail."
      : `Die Nachricht geht per E-Mail an ${people(count)} und steht auf der Seite des Kalenders.`,
  subject: "Betreff",
  text: "Nachricht",
  shown: "Auf der Seite",
  days: { "1": "1 Tag lang", "3": "3 Tage lang", "7": "1 Woche lang", "28": "4 Wochen lang" },
  send: "Senden …",
  sure: (count) =>
    count === 0
      ? "Sie steht sofort auf der Seite des Kalenders."
      : `${people(count)} ${count === 1 ? "bekommt" : "bekommen"} sie per E-Mail. Was gesendet ist, lässt sich nicht zurückholen.`,
  sureTitle: "Nachricht senden?",
  sureSend: "Senden",
  sent: (count) =>
    count === 0 ? "Die Nachricht steht auf der Seite." : `Die Nachricht geht an ${people(count)}.`,
  limit: "Dieser Kalender hatte in 24 Stunden schon 5 Nachrichten. Senden Sie die nächste später.",
  preview: "Vorschau",
  onPage: "Auf der Seite",
  asMail: "Als E-Mail",
  open: "Kalender öffnen",
  why: (calendar) =>
    `Sie erhalten dies, weil Sie „${calendar}“ folgen und Ihre E-Mail-Adresse bestätigt haben.`,
  stop: "Diese E-Mails beenden",
  list: "Gesendete Nachrichten",
  none: "Noch keine Nachrichten.",
  counted: (sent, receivers, failed) =>
    `An ${sent} von ${receivers} gesendet${failed === 0 ? "" : `, ${failed} nicht zustellbar`}`,
  until: (when) => `Auf der Seite bis ${when}`,
  ended: "Nicht mehr auf der Seite",
  back: "Zurückgenommen",
  takeBack: "Zurücknehmen",
  takeBackSure:
    "Sie verschwindet von der Seite, und wer die E-Mail noch nicht hat, bekommt sie nicht. Gesendete E-Mails bleiben.",
  takenBack: "Die Nachricht ist zurückgenommen.",
};
