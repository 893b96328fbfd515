/** What people read whose Google Calendar runs on Android, where it cannot add a calendar by its address. */
export interface AndroidTexts {
  /** Beside the button of the follow page. */
  readonly next: string;
  /** Below the buttons: what works without a computer. */
  readonly instead: string;
  /** On the follower's own page. */
  readonly heading: string;
  readonly why: string;
  /** On a computer. */
  readonly steps: readonly string[];
  readonly otherApp: string;
  /** The link to another app. */
  readonly openOther: string;
  readonly single: string;
  /** The link to the events of the calendar. */
  readonly openEvents: string;
}

const en: AndroidTexts = {
  next: "Needs a computer once: on Android, Google cannot subscribe to a calendar. Then your phone shows it too.",
  instead: "Without a computer: subscribe with another app, such as ICSx⁵, or add single events to Google.",
  heading: "Google on Android needs a computer once",
  why: "Google’s app cannot subscribe to a calendar, and its link fails on phones and tablets with Android. Any of these works:",
  steps: [
    "Send yourself the link to your feed, and open calendar.google.com on a computer with the same Google account.",
    "Beside “Other calendars” choose +, then “From URL”, paste the link and choose “Add calendar”.",
    "Your phone shows it after a while. If not, turn on Sync for it in the app’s settings.",
  ],
  otherApp:
    "Or install an app that subscribes on the phone itself, such as ICSx⁵, then open it with this link. Your calendar app shows the events.",
  openOther: "Open another app",
  single: "Or add single events: each has a page with a button for Google. They will not update.",
  openEvents: "See the events",
};

const de: AndroidTexts = {
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
};

const fr: AndroidTexts = {
  next: "Un ordinateur est nécessaire une fois : sur Android, Google ne peut pas s’abonner à un calendrier. Votre téléphone l’affiche ensuite aussi.",
  instead:
    "Sans ordinateur : abonnez-vous avec une autre application, comme ICSx⁵, ou ajoutez des événements à Google un par un.",
  heading: "Google sur Android : un ordinateur est nécessaire une fois",
  why: "L’application de Google ne peut pas s’abonner à un calendrier, et son lien échoue sur les téléphones et tablettes Android. Chacune de ces solutions fonctionne :",
  steps: [
    "Envoyez-vous le lien de votre flux et ouvrez calendar.google.com sur un ordinateur, avec le même compte Google.",
    "À côté de « Autres agendas », choisissez +, puis « À partir de l’URL », collez le lien et choisissez « Ajouter un agenda ».",
    "Votre téléphone l’affiche après un moment. Sinon, activez sa synchronisation dans les paramètres de l’application.",
  ],
  otherApp:
    "Ou installez une application qui s’abonne sur le téléphone même, comme ICSx⁵, puis ouvrez-la par ce lien. Votre application de calendrier affiche les événements.",
  openOther: "Ouvrir une autre application",
  single:
    "Ou ajoutez des événements un par un : chacun a une page avec un bouton pour Google. Ils ne se mettent pas à jour.",
  openEvents: "Voir les événements",
};

const es: AndroidTexts = {
  next: "Hace falta un ordenador una vez: en Android, Google no puede suscribirse a un calendario. Después tu teléfono también lo muestra.",
  instead: "Sin ordenador: suscríbete con otra aplicación, como ICSx⁵, o añade a Google eventos sueltos.",
  heading: "Google en Android necesita un ordenador una vez",
  why: "La aplicación de Google no puede suscribirse a un calendario, y su enlace falla en teléfonos y tabletas Android. Cualquiera de estas opciones funciona:",
  steps: [
    "Envíate el enlace de tu canal y abre calendar.google.com en un ordenador con la misma cuenta de Google.",
    "Junto a «Otros calendarios» elige +, luego «Desde URL», pega el enlace y elige «Añadir calendario».",
    "Tu teléfono lo mostrará al cabo de un rato. Si no, activa su sincronización en los ajustes de la aplicación.",
  ],
  otherApp:
    "O instala una aplicación que se suscriba en el propio teléfono, como ICSx⁵, y ábrela con este enlace. Tu aplicación de calendario mostrará los eventos.",
  openOther: "Abrir otra aplicación",
  single: "O añade eventos sueltos: cada uno tiene una página con un botón para Google. No se actualizan.",
  openEvents: "Ver los eventos",
};

export const androidTexts = { en, de, fr, es } as const;
