import { newsDe } from "./news.js";
import type { Texts } from "./en.js";
import { portalDe } from "./portal-de.js";

/** Outlook.com and Microsoft 365 have the same pages. */
const microsoft = {
  next: "Öffnet Outlook im Browser, wo Sie bestätigen.",
  refresh: "Aktualisiert etwa alle 3 Stunden, manchmal erst nach einem Tag.",
  steps: [
    "Öffnen Sie den Link unten und melden Sie sich an.",
    "Prüfen Sie den Namen und wählen Sie „Importieren“.",
  ],
  otherwise:
    "Oder kopieren Sie den Link. Wählen Sie in Outlook: Kalender hinzufügen, Aus dem Internet abonnieren, und fügen Sie ihn ein.",
};

export const de: Texts = {
  language: "de",
  colon: ":",
  apps: {
    apple: {
      name: "Apple Kalender",
      where: "iPhone, Mac",
      next: "Öffnet Kalender und fragt, ob Sie abonnieren möchten.",
      refresh: "Aktualisiert etwa jede Stunde.",
      steps: ["Öffnen Sie den Link unten.", "Wählen Sie „Abonnieren“, dann „Hinzufügen“ oder „OK“."],
      otherwise:
        "Wenn sich nichts öffnet, etwa in manchen Browsern auf dem iPhone, kopieren Sie den Link. Wählen Sie in Kalender: Kalender, Kalender hinzufügen, Kalenderabonnement hinzufügen, und fügen Sie ihn ein.",
    },
    google: {
      name: "Google Kalender",
      where: "am Computer",
      next: "Öffnet Google im Browser und fragt, ob Sie ihn hinzufügen möchten.",
      refresh: "Aktualisiert alle 4 bis 18 Stunden.",
      steps: [
        "Öffnen Sie den Link unten in einem Browser, nicht in der App.",
        "Wählen Sie „Hinzufügen“. Ihr Telefon zeigt ihn dann auch.",
      ],
      otherwise:
        "Wenn Google den Kalender nicht findet, kopieren Sie den Link, öffnen Sie „Per URL“ in Googles Einstellungen, fügen Sie ihn ein und wählen Sie „Kalender hinzufügen“.",
    },
    outlookcom: {
      name: "Outlook.com",
      where: "privat",
      ...microsoft,
    },
    office365: {
      name: "Microsoft 365",
      where: "Arbeit, Schule",
      ...microsoft,
    },
    outlook: {
      name: "Outlook für Windows",
      where: "klassisch",
      next: "Öffnet Outlook und fragt, ob Sie abonnieren möchten.",
      refresh: "Aktualisiert beim Start, danach etwa jede Stunde, solange es offen ist.",
      steps: [
        "Öffnen Sie den Link unten auf dem Computer mit Outlook.",
        "Beantworten Sie die Frage von Outlook mit „Ja“.",
      ],
      otherwise:
        "Wenn sich ein anderes Programm öffnet, kopieren Sie den Link. Wählen Sie im Kalender von Outlook: Kalender hinzufügen, Aus dem Internet, und fügen Sie ihn ein.",
    },
    yahoo: {
      name: "Yahoo Kalender",
      where: "Web",
      next: "Sie kopieren einen Link und fügen ihn bei Yahoo ein.",
      refresh: "Yahoo sagt nicht, wie oft es aktualisiert.",
      steps: [
        "Kopieren Sie den Link Ihres Feeds.",
        "Öffnen Sie Yahoo Kalender an einem Computer.",
        "Wählen Sie neben „Andere“ den Punkt „Anderen Kalendern folgen“.",
        "Fügen Sie den Link ein, geben Sie einen Namen an und fahren Sie fort.",
      ],
      otherwise:
        "Yahoos App für Telefone kann keinen Kalender über seinen Link hinzufügen; sie zeigt, was Sie im Web hinzugefügt haben.",
    },
    ical: {
      name: "Eine andere App",
      where: "Thunderbird und andere",
      next: "Sie kopieren einen Link und fügen ihn in Ihrer App ein.",
      refresh: "Aktualisiert je nach App jede halbe Stunde bis alle 16 Stunden.",
      steps: [
        "Kopieren Sie den Link Ihres Feeds.",
        "Suchen Sie in Ihrer App nach „Kalender abonnieren“, „Per URL hinzufügen“ oder „Im Netzwerk“.",
        "Fügen Sie den Link ein.",
      ],
      otherwise: "Wenn Ihr Gerät eine App hat, die Kalenderlinks öffnet, verwenden Sie diesen Link.",
    },
  },
  follow: {
    pageTitle: (title) => `${title} · Diesem Kalender folgen`,
    metaDescription: (title) =>
      `Folgen Sie „${title}“ und sehen Sie die Termine in Ihrer eigenen Kalender-App.`,
    followers: (count, shown) => {
      if (count === 0) return "Noch folgt niemand. Machen Sie den Anfang.";
      return count === 1 ? "1 Person folgt" : `${shown} Personen folgen`;
    },
    heading: "Diesem Kalender folgen",
    lead: "Neue und geänderte Termine erscheinen dann von selbst in Ihrem Kalender. Sie erhalten eine persönliche Seite, auf der Sie jederzeit aufhören können.",
    add: "In meinen Kalender",
    moreApps: "Andere Apps",
    some: "Nur bestimmte Termine",
    aboutYou: "Name und E-Mail (freiwillig)",
    aboutYouWhy:
      "Damit sieht die Person, der dieser Kalender gehört, wer ihm folgt. Sie erhalten keine E-Mails.",
    name: "Ihr Name",
    email: "Ihre E-Mail-Adresse",
    kept: "Wem der Kalender gehört, sieht, seit wann und mit welcher App Sie folgen, und, falls dieser Dienst sie speichert, Ihre IP-Adresse und deren Ort. Sie können alles selbst löschen.",
    readMore: "Weiterlesen",
    upNext: "Als Nächstes",
    next: "Nächste Termine",
    noNext: "Zurzeit ist nichts geplant. Folgen Sie dem Kalender, um neue Termine in Ihrer App zu sehen.",
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
    allOfMonth: "Alle Termine dieses Monats",
    noEvents: "Keine Termine in diesem Monat.",
    moreEvents: (date) => `Weitere Termine, ab ${date}`,
    feedOmits: (omitted) => `Dieser Kalender ist zu groß für ein Abonnement, in dem ${omitted} fehlen.`,
    feedOmitted: {
      past: "die ältesten vergangenen Termine",
      upcoming: "die am weitesten entfernten Termine",
    },
    share: "Diesen Kalender teilen",
    otherDevice: "Auf einem anderen Gerät",
    otherDeviceHow: "Richten Sie dessen Kamera auf den Code, um diese Seite dort zu öffnen.",
    qrCode: "QR-Code mit dem Link zu dieser Seite",
    otherWays: "Ohne zu folgen",
    download: "Termine herunterladen",
    downloadNote: "Eine Kopie, die sich nicht aktualisiert.",
    anonymous: "Anonym abonnieren",
    anonymousNote:
      "Über diesen Link wird nichts über Sie gespeichert, und Sie werden nicht mitgezählt. Er wird genauso aktualisiert wie die anderen.",
    address: "Anonymer Link des Kalenders",
    copy: "Kopieren",
    copied: "Kopiert",
    embed: "Diesen Kalender in Ihre Website einbauen",
  },
  foot: {
    website: "Website",
    imprint: "Impressum",
    privacy: "Datenschutz",
    poweredBy: "Läuft mit Kalends, freier Software für Kalender, denen man folgen kann",
  },
  share: {
    now: "Teilen",
    mail: "E-Mail",
    address: "Link zu dieser Seite",
  },
  follower: {
    pageTitle: (title) => `Sie folgen ${title}`,
    heading: "Sie folgen diesem Kalender",
    keep: "Diese Seite ist nur für Sie. Bewahren Sie ihren Link auf und geben Sie ihn nicht weiter: Wer ihn hat, kann Ihren Feed lesen und Ihr Abo beenden.",
    open: (app) => `${app} öffnen`,
    openOther: "Ihre Kalender-App öffnen",
    add: (app) => `Zu ${app} hinzufügen`,
    addOther: "Zu Ihrer Kalender-App hinzufügen",
    addByUrl: "„Per URL“ in Googles Einstellungen öffnen",
    openYahoo: "Yahoo Kalender öffnen",
    address: "Link Ihres Feeds",
    otherApps: "Eine andere App nehmen",
    renew: "Link ändern",
    renewNote:
      "Ersetzen Sie den Link, wenn jemand anderes ihn kennt. Der alte funktioniert sofort nicht mehr. Fügen Sie dann den neuen in Ihrer App hinzu.",
    renewButton: "Link ändern",
    stop: "Nicht mehr folgen",
    stopNote:
      "Ihr Feed wird leer, sodass die Termine mit der nächsten Aktualisierung aus Ihrer App verschwinden. Wem der Kalender gehört, sieht weiterhin, dass Sie einmal gefolgt sind.",
    stopButton: "Nicht mehr folgen",
    erase: "Meine Daten löschen",
    eraseNote:
      "Löscht alles, was hier über Sie gespeichert ist: Name, E-Mail-Adresse, IP-Adresse und Zeiten. Ihr Feed und diese Seite funktionieren sofort nicht mehr. Entfernen Sie den Kalender dann aus Ihrer App.",
    eraseConfirm: "Möchten Sie Ihre Daten wirklich löschen? Das lässt sich nicht rückgängig machen.",
    eraseButton: "Meine Daten endgültig löschen",
    stopped: "Sie folgen diesem Kalender nicht mehr",
    stoppedNote:
      "Ihr Feed ist jetzt leer. Entfernen Sie den Kalender aus Ihrer App, falls er noch zu sehen ist.",
    again: "Wieder folgen",
    erased: "Ihre Daten sind gelöscht. Entfernen Sie den Kalender aus Ihrer App, falls er noch zu sehen ist.",
    empty: "Ihr Feed enthält zurzeit keine Termine.",
    backToCalendar: "Zurück zum Kalender",
    backToPage: "Zurück zu Ihrer Seite",
  },
  ...portalDe,
  home: {
    version: (version) => `Version ${version}`,
    lead: "Dieser Server stellt Kalender bereit, denen man in der eigenen Kalender-App folgen kann.",
    followers: "Einem Kalender folgen",
    link: "Link des Kalenders",
    open: "Öffnen",
    wrongLink:
      "Das ist kein Link eines Kalenders. Kopieren Sie den ganzen Link, den Sie bekommen haben; er enthält „/c/“.",
    calendars: "Kalender, die alle finden dürfen",
    organizers: "Für Veranstalter",
    console: "Führen Sie Kalender im Browser: Termine, wer ihnen folgt, und wer Ihnen hilft.",
    signIn: "Anmelden",
    developers: "Für die Entwicklung",
    reference: "API-Referenz",
    documents: "OpenAPI-Dokumente",
    source: "Quellcode",
    back: "Zur Startseite",
  },
  embed: {
    pageTitle: (title) => `${title} · Für Ihre Website`,
    heading: "Dieser Kalender auf Ihrer Website",
    lead: "Kopieren Sie einen dieser Kästen und fügen Sie ihn in Ihre Website ein. Er ist immer aktuell, setzt keine Cookies und verrät nicht, wer Ihre Website besucht.",
    where: "So geht es",
    steps: [
      "Unten auswählen, was Ihnen gefällt, und auf „Kopieren“ drücken.",
      "Die eigene Website im Editor öffnen und das Element aus dieser Tabelle hinzufügen.",
      "Einfügen, speichern, fertig. Danach müssen Sie nie wieder etwas daran tun.",
    ],
    builders: [
      ["WordPress", "+ → „Individuelles HTML“"],
      ["Wix", "+ → Code einbetten → „HTML einbetten“"],
      ["Jimdo", "+ → „Widget / HTML“"],
      ["Squarespace", "+ → „Code“ oder „Einbetten“"],
      ["Andere", "Suchen Sie nach „HTML“, „Einbetten“, „Widget“ oder „iframe“"],
    ],
    list: {
      heading: "Die nächsten Termine",
      note: "Eine Liste, die auf jede Website passt. Jeder Termin öffnet seine eigene Seite.",
    },
    month: { heading: "Der ganze Monat", note: "Ein Monat zum Blättern, darunter seine Termine." },
    linkOnly: "Meine Website will einen Link statt Code",
    height: "Immer die richtige Höhe",
    heightNote:
      "Manche Baukästen erlauben auch Skripte. Dann fügen Sie dies einmal auf derselben Seite ein: Die Kästen werden so hoch, wie sie sein müssen. Ohne es haben sie einen Rollbalken.",
    component: "Ein Knopf",
    componentNote:
      "Führt zu der Seite, auf der man diesem Kalender folgt. Er ist hell oder dunkel wie Ihre Website und spricht ihre Sprache. Der Baukasten muss Skripte erlauben.",
    link: "Ein Link",
    linkNote:
      "Dasselbe ohne Skript: Es funktioniert, wo immer Sie HTML einfügen können, auch in Rundbriefen.",
    preview: "Vorschau",
    code: "Code zum Kopieren",
    button: (title) => `„${title}“ folgen`,
  },
  event: {
    pageTitle: (title, calendar) => `${title} · ${calendar}`,
    cancelled: "Dieser Termin ist abgesagt. Er findet nicht statt.",
    tentative: "Dieser Termin steht noch nicht fest.",
    draft: "Dies ist ein Entwurf. Nur wer diesen Link hat, sieht ihn, und er kann sich noch ändern.",
    when: "Wann",
    where: "Wo",
    map: "Karte",
    url: "Mehr über diesen Termin",
    add: "Diesen Termin in Ihren Kalender eintragen",
    addNote: "Eine Kopie, die sich nicht aktualisiert. Um auch Änderungen zu sehen, folgen Sie dem Kalender.",
    file: "Apple Kalender und andere Apps",
    follow: "Dem ganzen Kalender folgen",
    followNote: "Seine Termine erscheinen in Ihrer Kalender-App, und Änderungen auch.",
    share: "Diesen Termin teilen",
    open: "Eintragen, teilen",
    also: "Auch am",
    alsoMore: (count) =>
      count === undefined ? "und weitere" : `und ${count} ${count === 1 ? "weiterer" : "weitere"}`,
    openCancelled: "Seite dieses Termins",
    deleted: {
      title: "Dieser Termin wurde gelöscht",
      text: "Der Besitzer hat ihn entfernt. Wenn Sie ihn selbst in Ihren Kalender eingetragen haben, entfernen Sie ihn auch dort.",
    },
  },
  embedList: {
    heading: "Eine Liste im Aussehen Ihrer Website",
    note: (kB) =>
      `Eine Webkomponente von ${kB} kB. Jeder Termin führt zu seiner Seite hier. Sie übernimmt Schrift und Farbe Ihrer Website und die Sprache Ihrer Seite; limit bestimmt, wie viele Termine sie zeigt, von 1 bis 50.`,
    height: "Damit sich beim Laden nichts verschiebt, ergänzen Sie Ihr Stylesheet hierum, mit Ihrem limit:",
  },
  android: {
    next: "Braucht einmal einen Computer: Auf Android kann Google keinen Kalender abonnieren. Danach zeigt ihn auch Ihr Telefon.",
    instead:
      "Ohne Computer: Abonnieren Sie mit einer anderen App, etwa ICSx⁵, oder tragen Sie einzelne Termine bei Google ein.",
    heading: "Google auf Android braucht einmal einen Computer",
    why: "Googles App kann keinen Kalender abonnieren, und der Link dafür scheitert auf Telefonen und Tablets mit Android. Jeder dieser Wege geht:",
    steps: [
      "Schicken Sie sich den Link Ihres Feeds und öffnen Sie calendar.google.com an einem Computer mit demselben Google-Konto.",
      "Wählen Sie neben „Weitere Kalender“ das +, dann „Per URL“, fügen Sie den Link ein und wählen Sie „Kalender hinzufügen“.",
      "Ihr Telefon zeigt ihn nach einer Weile. Wenn nicht, schalten Sie in den Einstellungen der App die Synchronisierung für ihn ein.",
    ],
    otherApp:
      "Oder installieren Sie eine App, die auf dem Telefon selbst abonniert, etwa ICSx⁵, und öffnen Sie sie mit diesem Link. Ihre Kalender-App zeigt die Termine.",
    openOther: "Andere App öffnen",
    single:
      "Oder tragen Sie einzelne Termine ein: Jeder hat eine Seite mit einem Knopf für Google. Sie aktualisieren sich nicht.",
    openEvents: "Termine ansehen",
  },
  categories: {
    label: "Kategorien",
    which: "Welche Termine?",
    note: "Ein Termin kommt, wenn eine seiner Kategorien angekreuzt ist, und immer, wenn er keine hat. Sind alle angekreuzt, kommen auch Kategorien, die es erst später gibt.",
    heading: "Was Sie abonniert haben",
    save: "Speichern",
    saved: "Gespeichert. Ihre App zeigt es nach ihrer nächsten Aktualisierung.",
  },
  news: newsDe,
  form: {
    title: "Bitte prüfen Sie das Formular",
    app: "App: Wählen Sie einen der Knöpfe.",
    name: "Name: höchstens 255 Zeichen, in einer Zeile.",
    email: "E-Mail: eine Adresse wie ada@example.com, höchstens 254 Zeichen.",
    calendars: "Kalender: Kreuzen Sie mindestens einen an.",
    back: "Zurück zum Kalender",
  },
  errors: {
    400: {
      title: "Dieser Link ist ungültig",
      text: "Ein Teil davon ist nicht lesbar. Prüfen Sie ihn und versuchen Sie es noch einmal.",
    },
    403: {
      title: "Nicht angenommen",
      text: "Dieses Formular lässt sich nur von seiner eigenen Seite senden. Gehen Sie zurück, laden Sie die Seite neu und versuchen Sie es noch einmal.",
    },
    404: {
      title: "Seite nicht gefunden",
      text: "Vielleicht enthält der Link einen Tippfehler, oder die Seite wurde entfernt.",
    },
    405: {
      title: "Das geht hier nicht",
      text: "Dieser Link lässt sich nicht direkt öffnen. Gehen Sie zurück und verwenden Sie die Schaltflächen der Seite.",
    },
    410: {
      title: "Diesen Kalender gibt es nicht mehr",
      text: "Er wurde gelöscht. Sie können ihn aus Ihrer Kalender-App entfernen.",
    },
    429: {
      title: "Bitte gleich noch einmal",
      text: "Im Moment kommen zu viele Anfragen an. Bitte warten Sie eine Minute und versuchen Sie es dann noch einmal.",
    },
    500: {
      title: "Etwas ist schiefgegangen",
      text: "Der Fehler liegt bei uns. Versuchen Sie es später noch einmal.",
    },
    503: {
      title: "Vorübergehend nicht verfügbar",
      text: "Der Dienst ist gerade ausgelastet. Versuchen Sie es in ein paar Sekunden noch einmal.",
    },
    507: {
      title: "Kein Speicher frei",
      text: "Der Dienst hat keinen freien Speicher, deshalb wurde nichts geändert. Bitte später noch einmal versuchen.",
    },
  },
  requestId: "Anfrage-ID",
};
