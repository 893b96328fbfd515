import { pageTexts } from "./page-texts.js";
import type { Texts } from "./texts.js";

export const de: Texts = {
  language: "de",
  ...pageTexts.de,
  apps: {
    apple: {
      name: "Apple Kalender",
      where: "iPhone, Mac",
      next: "Öffnet Kalender und fragt, ob du abonnieren möchtest.",
      refresh: "Aktualisiert etwa jede Stunde.",
      steps: ["Öffne den Link unten.", "Wähle „Abonnieren“, dann „Hinzufügen“ oder „OK“."],
      otherwise:
        "Wenn sich nichts öffnet, etwa in manchen Browsern auf dem iPhone, kopiere die Adresse. Wähle in Kalender: Kalender, Kalender hinzufügen, Kalenderabonnement hinzufügen, und füge sie ein.",
    },
    google: {
      name: "Google Kalender",
      where: "Android",
      next: "Öffnet Google im Browser und fragt, ob du ihn hinzufügen möchtest.",
      refresh: "Aktualisiert alle 4 bis 18 Stunden.",
      steps: [
        "Öffne den Link unten in einem Browser, nicht in der App.",
        "Wähle „Hinzufügen“. Dein Telefon zeigt ihn dann auch.",
      ],
      otherwise:
        "Wenn Google den Kalender nicht findet, kopiere die Adresse, öffne „Per URL“ in Googles Einstellungen, füge sie ein und wähle „Kalender hinzufügen“.",
    },
    outlookcom: {
      name: "Outlook.com",
      where: "privat",
      next: "Öffnet Outlook im Browser, wo du bestätigst.",
      refresh: "Aktualisiert etwa alle 3 Stunden, manchmal erst nach einem Tag.",
      steps: ["Öffne den Link unten und melde dich an.", "Prüfe den Namen und wähle „Importieren“."],
      otherwise:
        "Oder kopiere die Adresse. Wähle in Outlook: Kalender hinzufügen, Aus dem Internet abonnieren, und füge sie ein.",
    },
    office365: {
      name: "Microsoft 365",
      where: "Arbeit, Schule",
      next: "Öffnet Outlook im Browser, wo du bestätigst.",
      refresh: "Aktualisiert etwa alle 3 Stunden, manchmal erst nach einem Tag.",
      steps: ["Öffne den Link unten und melde dich an.", "Prüfe den Namen und wähle „Importieren“."],
      otherwise:
        "Oder kopiere die Adresse. Wähle in Outlook: Kalender hinzufügen, Aus dem Internet abonnieren, und füge sie ein.",
    },
    outlook: {
      name: "Outlook für Windows",
      where: "klassisch",
      next: "Öffnet Outlook und fragt, ob du abonnieren möchtest.",
      refresh: "Aktualisiert beim Start, danach etwa jede Stunde, solange es offen ist.",
      steps: [
        "Öffne den Link unten auf dem Computer mit Outlook.",
        "Beantworte die Frage von Outlook mit „Ja“.",
      ],
      otherwise:
        "Wenn sich ein anderes Programm öffnet, kopiere die Adresse. Wähle im Kalender von Outlook: Kalender hinzufügen, Aus dem Internet, und füge sie ein.",
    },
    yahoo: {
      name: "Yahoo Kalender",
      where: "Web",
      next: "Du kopierst eine Adresse und fügst sie bei Yahoo ein.",
      refresh: "Yahoo sagt nicht, wie oft es aktualisiert.",
      steps: [
        "Kopiere die Adresse deines Feeds.",
        "Öffne Yahoo Kalender an einem Computer.",
        "Wähle neben „Andere“ den Punkt „Anderen Kalendern folgen“.",
        "Füge die Adresse ein, gib einen Namen an und fahre fort.",
      ],
      otherwise:
        "Yahoos App für Telefone kann keinen Kalender über seine Adresse hinzufügen; sie zeigt, was du im Web hinzugefügt hast.",
    },
    ical: {
      name: "Eine andere App",
      where: "Thunderbird und andere",
      next: "Du kopierst eine Adresse und fügst sie in deiner App ein.",
      refresh: "Aktualisiert je nach App jede halbe Stunde bis alle 16 Stunden.",
      steps: [
        "Kopiere die Adresse deines Feeds.",
        "Suche in deiner App nach „Kalender abonnieren“, „Per URL hinzufügen“ oder „Im Netzwerk“.",
        "Füge die Adresse ein.",
      ],
      otherwise: "Wenn dein Gerät eine App hat, die Kalenderlinks öffnet, nimm diesen Link.",
    },
  },
  follow: {
    pageTitle: (title) => `${title} · Diesem Kalender folgen`,
    metaDescription: (title) => `Folge „${title}“ und sieh die Termine in deiner eigenen Kalender-App.`,
    followers: (count, shown) => {
      if (count === 0) return "Noch folgt niemand. Mach den Anfang.";
      return count === 1 ? "1 Person folgt" : `${shown} Personen folgen`;
    },
    heading: "Diesem Kalender folgen",
    lead: "Wähle deine Kalender-App. Neue und geänderte Termine erscheinen dort automatisch. Du erhältst eine persönliche Seite, auf der du das Abo jederzeit beenden kannst.",
    moreApps: "Andere Kalender-Apps",
    aboutYou: "Name oder E-Mail angeben (freiwillig)",
    aboutYouWhy:
      "Damit sieht die Person, der dieser Kalender gehört, wer ihm folgt. Du erhältst keine E-Mails. Fülle die Felder aus, bevor du deine App wählst.",
    name: "Dein Name",
    email: "Deine E-Mail-Adresse",
    kept: "Wem der Kalender gehört, sieht, seit wann und mit welcher App du folgst, und, falls dieser Dienst sie speichert, deine IP-Adresse und deren Ort. Du kannst alles selbst löschen.",
    readMore: "Weiterlesen",
    next: "Nächste Termine",
    noNext: "Zurzeit ist nichts geplant. Folge dem Kalender, um neue Termine in deiner App zu sehen.",
    zone: (zone) => `Zeitzone: ${zone}`,
    organizer: "Veranstaltet von",
    month: "Monat",
    previousMonth: (month) => `Voriger Monat, ${month}`,
    nextMonth: (month) => `Nächster Monat, ${month}`,
    thisMonth: "Heute",
    today: "heute",
    allDay: "Ganztägig",
    status: { cancelled: "Abgesagt", tentative: "Unter Vorbehalt" },
    eventsOnDay: (count) => (count === 1 ? "1 Termin" : `${count} Termine`),
    statusOnDay: {
      cancelled: (count) => `${count} abgesagt`,
      tentative: (count) => `${count} unter Vorbehalt`,
    },
    noEvents: "Keine Termine in diesem Monat.",
    moreEvents: (date) => `Weitere Termine, ab ${date}`,
    feedOmits: (omitted) => `Dieser Kalender ist zu groß für ein Abonnement, in dem ${omitted} fehlen.`,
    feedOmitted: {
      past: "die ältesten vergangenen Termine",
      upcoming: "die am weitesten entfernten Termine",
    },
    otherDevice: "Auf einem anderen Gerät",
    otherDeviceHow: "Richte dessen Kamera auf den Code, um diese Seite dort zu öffnen.",
    qrCode: "QR-Code der Adresse dieser Seite",
    otherWays: "Ohne zu folgen",
    download: "Termine herunterladen",
    downloadNote: "Eine Kopie, die sich nicht aktualisiert.",
    anonymous: "Anonym abonnieren",
    anonymousNote:
      "Über diese Adresse wird nichts über dich gespeichert, und du wirst nicht mitgezählt. Sie wird genauso aktualisiert wie die anderen.",
    address: "Anonyme Adresse des Kalenders",
    copy: "Kopieren",
    copied: "Kopiert",
    embed: "Diesen Kalender in deine Website einbauen",
    poweredBy: "Läuft mit Kalends, freier Software für Kalender, denen man folgen kann",
  },
  follower: {
    pageTitle: (title) => `Du folgst ${title}`,
    heading: "Du folgst diesem Kalender",
    keep: "Diese Seite ist nur für dich. Bewahre ihre Adresse auf und gib sie nicht weiter: Wer sie hat, kann deinen Feed lesen und dein Abo beenden.",
    open: (app) => `${app} öffnen`,
    openOther: "Deine Kalender-App öffnen",
    add: (app) => `Zu ${app} hinzufügen`,
    addOther: "Zu deiner Kalender-App hinzufügen",
    addByUrl: "„Per URL“ in Googles Einstellungen öffnen",
    openYahoo: "Yahoo Kalender öffnen",
    address: "Adresse deines Feeds",
    otherApps: "Eine andere App nehmen",
    renew: "Adresse ändern",
    renewNote:
      "Ersetze die Adresse, wenn jemand anderes sie kennt. Die alte funktioniert sofort nicht mehr. Füge dann die neue in deiner App hinzu.",
    renewButton: "Adresse ändern",
    stop: "Nicht mehr folgen",
    stopNote:
      "Dein Feed wird leer, sodass die Termine mit der nächsten Aktualisierung aus deiner App verschwinden. Wem der Kalender gehört, sieht weiterhin, dass du einmal gefolgt bist.",
    stopButton: "Nicht mehr folgen",
    erase: "Meine Daten löschen",
    eraseNote:
      "Löscht alles, was hier über dich gespeichert ist: Name, E-Mail-Adresse, IP-Adresse und Zeiten. Dein Feed und diese Seite funktionieren sofort nicht mehr. Entferne den Kalender dann aus deiner App.",
    eraseConfirm: "Möchtest du deine Daten wirklich löschen? Das lässt sich nicht rückgängig machen.",
    eraseButton: "Meine Daten endgültig löschen",
    stopped: "Du folgst diesem Kalender nicht mehr",
    stoppedNote:
      "Dein Feed ist jetzt leer. Entferne den Kalender aus deiner App, falls er noch zu sehen ist.",
    again: "Wieder folgen",
    erased: "Deine Daten sind gelöscht. Entferne den Kalender aus deiner App, falls er noch zu sehen ist.",
    empty: "Dein Feed enthält zurzeit keine Termine.",
    backToCalendar: "Zurück zum Kalender",
    backToPage: "Zurück zu deiner Seite",
  },
  home: {
    version: (version) => `Version ${version}`,
    lead: "Dieser Server stellt Kalender bereit, denen man in der eigenen Kalender-App folgen kann.",
    follow: "Um einem Kalender zu folgen, öffne den Link, den du dafür bekommen hast.",
    calendars: "Kalender",
    developers: "Für die Entwicklung",
    reference: "API-Referenz",
    source: "Quellcode",
    back: "Zur Startseite",
  },
  embed: {
    pageTitle: (title) => `${title} · Für deine Website`,
    heading: "Dieser Kalender auf deiner Website",
    lead: "Alles hier führt zu den Seiten dieses Kalenders. Nichts davon setzt Cookies oder verrät, wer deine Website besucht.",
    link: "Ein Link",
    linkNote: "Reines HTML ohne Skript. Es funktioniert, wo immer du HTML einfügen kannst.",
    component: "Ein Knopf",
    componentNote:
      "Eine Webkomponente von 3 kB. Die Stile deiner Website wirken sich nicht auf sie aus. Sie unterstützt helle und dunkle Darstellung und nutzt die Sprache deiner Seite. Bis sie geladen ist, ist der Link darin zu sehen.",
    preview: "Vorschau",
    code: "Code zum Kopieren",
    button: (title) => `„${title}“ folgen`,
  },
  form: {
    title: "Bitte prüfe das Formular",
    app: "App: Wähle einen der Knöpfe.",
    name: "Name: höchstens 255 Zeichen, in einer Zeile.",
    email: "E-Mail: eine Adresse wie ada@example.com, höchstens 254 Zeichen.",
    back: "Zurück zum Kalender",
  },
  errors: {
    400: {
      title: "Diese Adresse ist ungültig",
      text: "Ein Teil davon ist nicht lesbar. Prüfe den Link und versuche es noch einmal.",
    },
    403: {
      title: "Nicht angenommen",
      text: "Dieses Formular lässt sich nur von seiner eigenen Seite senden. Geh zurück, lade die Seite neu und versuche es noch einmal.",
    },
    404: {
      title: "Seite nicht gefunden",
      text: "Vielleicht enthält die Adresse einen Tippfehler, oder die Seite wurde entfernt.",
    },
    405: {
      title: "Das geht hier nicht",
      text: "Diese Adresse lässt sich nicht direkt öffnen. Geh zurück und verwende die Schaltflächen der Seite.",
    },
    410: {
      title: "Diesen Kalender gibt es nicht mehr",
      text: "Er wurde gelöscht. Du kannst ihn aus deiner Kalender-App entfernen.",
    },
    429: {
      title: "Bitte gleich noch einmal",
      text: "Im Moment kommen zu viele Anfragen an. Bitte warte eine Minute und versuche es dann noch einmal.",
    },
    500: {
      title: "Etwas ist schiefgegangen",
      text: "Der Fehler liegt bei uns. Versuche es später noch einmal.",
    },
    503: {
      title: "Vorübergehend nicht verfügbar",
      text: "Der Dienst ist gerade ausgelastet. Versuche es in ein paar Sekunden noch einmal.",
    },
    507: {
      title: "Kein Speicher frei",
      text: "Der Dienst hat keinen freien Speicher, deshalb wurde nichts geändert. Bitte später noch einmal versuchen.",
    },
  },
  requestId: "Anfrage-ID",
};
