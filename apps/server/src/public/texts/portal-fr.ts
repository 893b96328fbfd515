import type { Texts } from "./en.js";

export const portalFr: Pick<Texts, "portal" | "paper"> = {
  portal: {
    heading: "Agenda",
    metaDescription: (name) =>
      `Les événements de ${name}, à consulter et à suivre dans votre application de calendrier.`,
    allOf: (name) => `Tous les calendriers : ${name}`,
    search: "Chercher un événement ou un lieu",
    find: "Chercher",
    all: "Tout",
    found: (count) => (count <= 1 ? `${count} événement trouvé` : `${count} événements trouvés`),
    foundMany: "Événements trouvés",
    nothingFound: "Aucun événement à venir ne correspond.",
    clear: "Afficher tous les événements",
    none: "Rien n’est prévu pour le moment.",
    noCalendars: "Il n’y a pas encore de calendrier ici.",
    follow: "Dans votre calendrier",
    followLead:
      "Cochez ce qui vous intéresse, puis choisissez votre application. Vous recevez un seul lien personnel pour le tout, et pouvez changer votre choix à tout moment.",
    which: "Calendriers",
    page: "Voir",
    pageOf: (title) => `Voir « ${title} »`,
    follows: (count) => (count === 1 ? "Vous suivez 1 calendrier" : `Vous suivez ${count} calendriers`),
    followsNone: "Vous ne suivez aucun calendrier",
    followsNoneNote: "Votre flux est vide. Cochez des calendriers ci-dessous pour les suivre à nouveau.",
    back: "Retour à tous les calendriers",
  },
  paper: {
    heading: "Sur papier",
    month: "Mois",
    season: "Saison",
    poster: "Affiche",
    print: "Imprimer",
    asOf: (date) => `Au ${date}`,
    more: "Il y a d’autres événements. La page du calendrier les contient tous.",
    scan: "Dans votre calendrier",
    scanHow:
      "Scannez le code avec l’appareil photo de votre téléphone. Les événements nouveaux et modifiés s’affichent alors d’eux-mêmes.",
  },
};
