import type { NewsTexts } from "./en-news.js";

const followers = (count: number): string => (count < 2 ? `${count} abonné` : `${count} abonnés`);

export const news: NewsTexts = {
  tell: (count) =>
    count === 1 ? "1 abonné sera prévenu par e-mail" : `${count} abonnés seront prévenus par e-mail`,
  tellThem: "Les abonnés seront prévenus par e-mail",
  tellHint:
    "Pour les 14 prochains jours. L’e-mail part après cinq minutes, avec tout ce que vous changez d’ici là.",
  note: "Une phrase pour eux",
  noteHint: "Ils la lisent dans l’e-mail, par exemple\u00a0: Rendez-vous salle 2.",
  removeText:
    "Il disparaît de toutes les pages et de tous les calendriers. Vous le trouvez dans la corbeille.",
  title: "Écrire aux abonnés",
  lead: (count) =>
    count === 0
      ? "Le message figure sur la page du calendrier. Aucun abonné n’a encore confirmé d’adresse e-mail\u00a0: personne ne le reçoit par e-mail."
      : `Le message part par e-mail à ${followers(count)} et figure sur la page du calendrier.`,
  subject: "Objet",
  text: "Texte du message",
  shown: "Sur la page pendant",
  days: { "1": "1 jour", "3": "3 jours", "7": "1 semaine", "28": "4 semaines" },
  send: "Envoyer …",
  sure: (count) =>
    count === 0
      ? "Il figure aussitôt sur la page du calendrier."
      : `${followers(count)} ${count === 1 ? "le recevra" : "le recevront"} par e-mail. Ce qui est envoyé ne peut pas être repris.`,
  sureTitle: "Envoyer le message\u00a0?",
  sureSend: "Envoyer",
  sent: (count) => (count === 0 ? "Le message est sur la page." : `Le message part à ${followers(count)}.`),
  limit: "Ce calendrier a déjà eu 5 messages en 24 heures. Envoyez le suivant plus tard.",
  preview: "Aperçu",
  onPage: "Sur la page",
  asMail: "En e-mail",
  open: "Ouvrir le calendrier",
  why: (calendar) =>
    `Vous recevez ce message parce que vous suivez «\u00a0${calendar}\u00a0» et avez confirmé votre adresse e-mail.`,
  stop: "Arrêter ces e-mails",
  list: "Messages envoyés",
  none: "Aucun message pour le moment.",
  counted: (sent, receivers, failed) =>
    `Envoyé à ${sent} sur ${receivers}${failed === 0 ? "" : `, ${failed} sans succès`}`,
  until: (when) => `Sur la page jusqu’au ${when}`,
  ended: "N’est plus sur la page",
  back: "Retiré",
  takeBack: "Retirer",
  takeBackSure:
    "Il disparaît de la page, et qui n’a pas encore reçu l’e-mail ne le reçoit pas. Les e-mails envoyés restent.",
  takenBack: "Le message est retiré.",
};
