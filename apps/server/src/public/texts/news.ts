import type { NewsChange } from "../../events/news-changes.js";

// The words of news by e-mail (extensions X12), of messages and of the pages about them.

interface NewsTexts {
  /** The kinds of changes, before the title of an event. */
  readonly kinds: Readonly<Record<NewsChange["kind"], string>>;
  readonly [name: string]: unknown;
}

export const newsEn = {
  kinds: { added: "New", moved: "Moved", changed: "Changed", cancelled: "Cancelled" },
  /** In the form of the follow page. */
  aboutYou: "Be told of changes by e-mail (optional)",
  aboutYouWhy:
    "Leave your e-mail address to be told within minutes when something is moved or cancelled. You first get a message with a link to confirm it. Name and e-mail show the owner who follows. Fill them in before you choose your app.",
  heading: "News by e-mail",
  lead: "When an event of the next 14 days is added, moved or cancelled, you are told within minutes. Calendar apps can take hours.",
  field: "Your e-mail address",
  set: "Send me a link to confirm it",
  change: "Change",
  remove: "Remove my e-mail address",
  asked: (address: string) =>
    `A link was sent to the e-mail address ${address}. Open it to confirm. It is valid for 7 days; look into the spam folder too.`,
  confirmed: (address: string) => `News goes to the e-mail address ${address}.`,
  wrong: "This is not an e-mail address such as ada@example.com.",
  notice: "From the organizer",
  confirmTitle: "Confirm your e-mail address",
  confirmLead: (calendar: string) => `Press the button to get news of “${calendar}” by e-mail.`,
  confirmButton: "Confirm",
  isConfirmed: "Your e-mail address is confirmed.",
  stopTitle: "No more news by e-mail?",
  stopLead: (calendar: string) =>
    `Press the button to get no more e-mail about “${calendar}”. Your e-mail address is removed. The calendar stays in your app.`,
  stopButton: "Stop the e-mails",
  isStopped: "You get no more e-mail about this calendar. Your e-mail address is removed.",
  gone: "This link is no longer valid. It was replaced, has expired, or the data was deleted.",
  confirmSubject: (calendar: string) => `Confirm: news of ${calendar}`,
  confirmText: (calendar: string) =>
    `Someone, probably you, wants news of the calendar “${calendar}” sent here. Open the link and press the button there.`,
  confirmNot: "If it was not you, do nothing: you get no further message.",
  sentBy: (host: string) => `This message is from the calendar service at ${host}.`,
  subject: (calendar: string, count: number) =>
    count === 1 ? `${calendar}: 1 change` : `${calendar}: ${count} changes`,
  many: (count: number) =>
    count === 1
      ? "1 event of the next 14 days was added, moved or cancelled."
      : `${count} events of the next 14 days were added, moved or cancelled.`,
  before: "Before",
  open: "Open the calendar",
  why: (calendar: string) =>
    `You get this because you follow “${calendar}” and have confirmed your e-mail address.`,
  stopLink: "Stop these e-mails",
  signInSubject: "Your link to sign in",
  joinSubject: "Your invitation to Kalends",
  signInText: (account: string) => `With this link you sign in to “${account}”. It works once.`,
  signInUntil: (time: string) => `It is valid until ${time} (UTC). Do not pass it on.`,
  signInButton: "Sign in",
  feedTitle: (calendar: string) => `${calendar} · News`,
} satisfies NewsTexts;

type Words = typeof newsEn;

export const newsDe: Words = {
  kinds: { added: "Neu", moved: "Verschoben", changed: "Geändert", cancelled: "Abgesagt" },
  aboutYou: "Änderungen per E-Mail erfahren (freiwillig)",
  aboutYouWhy:
    "Geben Sie Ihre E-Mail-Adresse an, um binnen Minuten zu erfahren, wenn etwas verlegt oder abgesagt wird. Zuerst erhalten Sie eine Nachricht mit einem Link zum Bestätigen. Name und E-Mail zeigen dem Besitzer, wer folgt. Füllen Sie sie aus, bevor Sie Ihre App wählen.",
  heading: "Neuigkeiten per E-Mail",
  lead: "Kommt in den nächsten 14 Tagen ein Termin dazu, wird verschoben oder abgesagt, erfahren Sie es binnen Minuten. Kalender-Apps brauchen oft Stunden.",
  field: "Ihre E-Mail-Adresse",
  set: "Link zum Bestätigen senden",
  change: "Ändern",
  remove: "Meine E-Mail-Adresse entfernen",
  asked: (address) =>
    `An die E-Mail-Adresse ${address} wurde ein Link gesendet. Öffnen Sie ihn zum Bestätigen. Er gilt 7 Tage; sehen Sie auch im Spam-Ordner nach.`,
  confirmed: (address) => `Neuigkeiten gehen an die E-Mail-Adresse ${address}.`,
  wrong: "Das ist keine E-Mail-Adresse wie ada@example.com.",
  notice: "Vom Veranstalter",
  confirmTitle: "E-Mail-Adresse bestätigen",
  confirmLead: (calendar) =>
    `Drücken Sie den Knopf, um Neuigkeiten von „${calendar}“ per E-Mail zu erhalten.`,
  confirmButton: "Bestätigen",
  isConfirmed: "Ihre E-Mail-Adresse ist bestätigt.",
  stopTitle: "Keine Neuigkeiten per E-Mail mehr?",
  stopLead: (calendar) =>
    `Drücken Sie den Knopf, um keine E-Mails über „${calendar}“ mehr zu erhalten. Ihre E-Mail-Adresse wird entfernt. Der Kalender bleibt in Ihrer App.`,
  stopButton: "E-Mails beenden",
  isStopped: "Sie erhalten keine E-Mails über diesen Kalender mehr. Ihre E-Mail-Adresse ist entfernt.",
  gone: "Dieser Link gilt nicht mehr. Er wurde ersetzt, ist abgelaufen, oder die Daten wurden gelöscht.",
  confirmSubject: (calendar) => `Bestätigen: Neuigkeiten von ${calendar}`,
  confirmText: (calendar) =>
    `Jemand, vermutlich Sie, möchte Neuigkeiten des Kalenders „${calendar}“ hierher erhalten. Öffnen Sie den Link und drücken Sie dort den Knopf.`,
  confirmNot: "Waren Sie es nicht, brauchen Sie nichts zu tun: Es kommt keine weitere Nachricht.",
  sentBy: (host) => `Diese Nachricht kommt vom Kalenderdienst unter ${host}.`,
  subject: (calendar, count) =>
    count === 1 ? `${calendar}: 1 Änderung` : `${calendar}: ${count} Änderungen`,
  many: (count) =>
    count === 1
      ? "1 Termin der nächsten 14 Tage kam dazu, wurde verschoben oder abgesagt."
      : `${count} Termine der nächsten 14 Tage kamen dazu, wurden verschoben oder abgesagt.`,
  before: "Vorher",
  open: "Kalender öffnen",
  why: (calendar) =>
    `Sie erhalten dies, weil Sie „${calendar}“ folgen und Ihre E-Mail-Adresse bestätigt haben.`,
  stopLink: "Diese E-Mails beenden",
  signInSubject: "Ihr Link zum Anmelden",
  joinSubject: "Ihre Einladung zu Kalends",
  signInText: (account) => `Mit diesem Link melden Sie sich bei „${account}“ an. Er gilt einmal.`,
  signInUntil: (time) => `Er gilt bis ${time} (UTC). Geben Sie ihn nicht weiter.`,
  signInButton: "Anmelden",
  feedTitle: (calendar) => `${calendar} · Neuigkeiten`,
};

export const newsFr: Words = {
  kinds: { added: "Nouveau", moved: "Déplacé", changed: "Modifié", cancelled: "Annulé" },
  aboutYou: "Être prévenu des changements par e-mail (facultatif)",
  aboutYouWhy:
    "Laissez votre adresse e-mail pour être prévenu en quelques minutes quand un événement est déplacé ou annulé. Vous recevez d’abord un message avec un lien de confirmation. Le nom et l’e-mail montrent au propriétaire qui suit. Remplissez-les avant de choisir votre application.",
  heading: "Nouvelles par e-mail",
  lead: "Quand un événement des 14 prochains jours est ajouté, déplacé ou annulé, vous êtes prévenu en quelques minutes. Les applications de calendrier mettent parfois des heures.",
  field: "Votre adresse e-mail",
  set: "Envoyez-moi un lien de confirmation",
  change: "Modifier",
  remove: "Supprimer mon adresse e-mail",
  asked: (address) =>
    `Un lien a été envoyé à l’adresse e-mail ${address}. Ouvrez-le pour confirmer. Il est valable 7 jours\u00a0; regardez aussi dans les indésirables.`,
  confirmed: (address) => `Les nouvelles sont envoyées à l’adresse e-mail ${address}.`,
  wrong: "Ce n’est pas une adresse e-mail comme ada@example.com.",
  notice: "De l’organisateur",
  confirmTitle: "Confirmer votre adresse e-mail",
  confirmLead: (calendar) =>
    `Appuyez sur le bouton pour recevoir les nouvelles de «\u00a0${calendar}\u00a0» par e-mail.`,
  confirmButton: "Confirmer",
  isConfirmed: "Votre adresse e-mail est confirmée.",
  stopTitle: "Ne plus recevoir de nouvelles par e-mail\u00a0?",
  stopLead: (calendar) =>
    `Appuyez sur le bouton pour ne plus recevoir d’e-mails sur «\u00a0${calendar}\u00a0». Votre adresse e-mail est supprimée. Le calendrier reste dans votre application.`,
  stopButton: "Arrêter les e-mails",
  isStopped: "Vous ne recevez plus d’e-mails sur ce calendrier. Votre adresse e-mail est supprimée.",
  gone: "Ce lien n’est plus valable. Il a été remplacé, a expiré, ou les données ont été supprimées.",
  confirmSubject: (calendar) => `À confirmer\u00a0: nouvelles de ${calendar}`,
  confirmText: (calendar) =>
    `Quelqu’un, sans doute vous, souhaite recevoir ici les nouvelles du calendrier «\u00a0${calendar}\u00a0». Ouvrez le lien et appuyez sur le bouton.`,
  confirmNot: "Si ce n’était pas vous, ne faites rien\u00a0: vous ne recevrez aucun autre message.",
  sentBy: (host) => `Ce message vient du service de calendriers ${host}.`,
  subject: (calendar, count) =>
    count === 1 ? `${calendar}\u00a0: 1 changement` : `${calendar}\u00a0: ${count} changements`,
  many: (count) =>
    count === 1
      ? "1 événement des 14 prochains jours a été ajouté, déplacé ou annulé."
      : `${count} événements des 14 prochains jours ont été ajoutés, déplacés ou annulés.`,
  before: "Avant",
  open: "Ouvrir le calendrier",
  why: (calendar) =>
    `Vous recevez ce message parce que vous suivez «\u00a0${calendar}\u00a0» et avez confirmé votre adresse e-mail.`,
  stopLink: "Arrêter ces e-mails",
  signInSubject: "Votre lien de connexion",
  joinSubject: "Votre invitation à Kalends",
  signInText: (account) => `Ce lien vous connecte à «\u00a0${account}\u00a0». Il fonctionne une seule fois.`,
  signInUntil: (time) => `Il est valable jusqu’au ${time} (UTC). Ne le transmettez pas.`,
  signInButton: "Se connecter",
  feedTitle: (calendar) => `${calendar} · Nouvelles`,
};

export const newsEs: Words = {
  kinds: { added: "Nuevo", moved: "Trasladado", changed: "Modificado", cancelled: "Cancelado" },
  aboutYou: "Recibe los cambios por correo (opcional)",
  aboutYouWhy:
    "Deja tu dirección de correo para saber en minutos si algo se traslada o se cancela. Primero recibes un mensaje con un enlace para confirmarla. El nombre y el correo muestran al propietario quién sigue. Rellénalos antes de elegir tu aplicación.",
  heading: "Novedades por correo",
  lead: "Cuando se añade, traslada o cancela un evento de los próximos 14 días, lo sabes en minutos. Las aplicaciones de calendario pueden tardar horas.",
  field: "Tu dirección de correo",
  set: "Envíame un enlace para confirmarla",
  change: "Cambiar",
  remove: "Quitar mi dirección de correo",
  asked: (address) =>
    `Se ha enviado un enlace a la dirección de correo ${address}. Ábrelo para confirmarla. Vale 7 días; mira también en el correo no deseado.`,
  confirmed: (address) => `Las novedades van a la dirección de correo ${address}.`,
  wrong: "No es una dirección de correo como ada@example.com.",
  notice: "Del organizador",
  confirmTitle: "Confirma tu dirección de correo",
  confirmLead: (calendar) => `Pulsa el botón para recibir por correo las novedades de «${calendar}».`,
  confirmButton: "Confirmar",
  isConfirmed: "Tu dirección de correo está confirmada.",
  stopTitle: "¿No quieres más novedades por correo?",
  stopLead: (calendar) =>
    `Pulsa el botón para no recibir más correos sobre «${calendar}». Se quita tu dirección de correo. El calendario sigue en tu aplicación.`,
  stopButton: "No enviar más correos",
  isStopped: "Ya no recibes correos sobre este calendario. Tu dirección de correo se ha quitado.",
  gone: "Este enlace ya no vale. Se sustituyó, ha caducado o se borraron los datos.",
  confirmSubject: (calendar) => `Confirma: novedades de ${calendar}`,
  confirmText: (calendar) =>
    `Alguien, probablemente tú, quiere recibir aquí las novedades del calendario «${calendar}». Abre el enlace y pulsa allí el botón.`,
  confirmNot: "Si no fuiste tú, no hagas nada: no recibirás más mensajes.",
  sentBy: (host) => `Este mensaje viene del servicio de calendarios en ${host}.`,
  subject: (calendar, count) => (count === 1 ? `${calendar}: 1 cambio` : `${calendar}: ${count} cambios`),
  many: (count) =>
    count === 1
      ? "Se añadió, trasladó o canceló 1 evento de los próximos 14 días."
      : `Se añadieron, trasladaron o cancelaron ${count} eventos de los próximos 14 días.`,
  before: "Antes",
  open: "Abrir el calendario",
  why: (calendar) => `Recibes esto porque sigues «${calendar}» y has confirmado tu dirección de correo.`,
  stopLink: "No recibir más estos correos",
  signInSubject: "Tu enlace para entrar",
  joinSubject: "Tu invitación a Kalends",
  signInText: (account) => `Con este enlace entras en «${account}». Funciona una vez.`,
  signInUntil: (time) => `Vale hasta el ${time} (UTC). No lo compartas.`,
  signInButton: "Entrar",
  feedTitle: (calendar) => `${calendar} · Novedades`,
};
