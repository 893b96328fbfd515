import { newsFr } from "./news.js";
import type { Texts } from "./en.js";
import { portalFr } from "./portal-fr.js";

/** Outlook.com and Microsoft 365 have the same pages. */
const microsoft = {
  next: "Ouvre Outlook dans le navigateur, où vous confirmez.",
  refresh: "Mise à jour toutes les 3 heures environ, parfois après un jour.",
  steps: ["Ouvrez le lien ci-dessous et connectez-vous.", "Vérifiez le nom, puis choisissez « Importer »."],
  otherwise:
    "Ou copiez le lien. Dans Outlook, choisissez Ajouter un calendrier, S’abonner à partir du web, puis collez-le.",
};

export const fr: Texts = {
  language: "fr",
  colon: "\u00a0:",
  apps: {
    apple: {
      name: "Calendrier Apple",
      where: "iPhone, Mac",
      next: "Ouvre Calendrier, qui vous propose de vous abonner.",
      refresh: "Mise à jour au bout d’une heure environ.",
      steps: ["Ouvrez le lien ci-dessous.", "Choisissez « S’abonner », puis « Ajouter » ou « OK »."],
      otherwise:
        "Si rien ne s’ouvre, comme dans certains navigateurs sur iPhone, copiez le lien. Dans Calendrier, choisissez Calendriers, Ajouter un calendrier, Ajouter un calendrier avec abonnement, puis collez-le.",
    },
    google: {
      name: "Google Agenda",
      where: "sur ordinateur",
      next: "Ouvre Google dans le navigateur, qui vous propose de l’ajouter.",
      refresh: "Mise à jour toutes les 4 à 18 heures.",
      steps: [
        "Ouvrez le lien ci-dessous dans un navigateur, pas dans l’application.",
        "Choisissez « Ajouter ». Votre téléphone l’affichera aussi.",
      ],
      otherwise:
        "Si Google ne trouve pas le calendrier, copiez le lien, ouvrez « À partir de l’URL » dans les paramètres de Google, collez-le et choisissez « Ajouter un agenda ».",
    },
    outlookcom: {
      name: "Outlook.com",
      where: "personnel",
      ...microsoft,
    },
    office365: {
      name: "Microsoft 365",
      where: "travail, école",
      ...microsoft,
    },
    outlook: {
      name: "Outlook pour Windows",
      where: "classique",
      next: "Ouvre Outlook, qui vous propose de vous abonner.",
      refresh: "Mise à jour au démarrage, puis environ chaque heure tant qu’il est ouvert.",
      steps: [
        "Ouvrez le lien ci-dessous sur l’ordinateur où Outlook est installé.",
        "Répondez « Oui » à la question d’Outlook.",
      ],
      otherwise:
        "Si un autre programme s’ouvre, copiez le lien. Dans le calendrier d’Outlook, choisissez Ajouter un calendrier, À partir d’Internet, puis collez-le.",
    },
    yahoo: {
      name: "Yahoo Agenda",
      where: "web",
      next: "Vous copiez un lien et le collez dans Yahoo.",
      refresh: "Yahoo ne dit pas à quelle fréquence il se met à jour.",
      steps: [
        "Copiez le lien de votre flux.",
        "Ouvrez Yahoo Agenda sur un ordinateur.",
        "À côté de « Autres », choisissez « Suivre d’autres agendas ».",
        "Collez le lien, donnez un nom et continuez.",
      ],
      otherwise:
        "L’application Yahoo pour téléphone ne peut pas ajouter un agenda par son lien ; elle affiche ce que vous avez ajouté sur le web.",
    },
    ical: {
      name: "Une autre application",
      where: "Thunderbird et autres",
      next: "Vous copiez un lien et le collez dans votre application.",
      refresh: "Mise à jour entre toutes les 30 minutes et toutes les 16 heures, selon l’application.",
      steps: [
        "Copiez le lien de votre flux.",
        "Dans votre application, cherchez « S’abonner à un calendrier », « Ajouter par URL » ou « Sur le réseau ».",
        "Collez le lien.",
      ],
      otherwise:
        "Si votre appareil dispose d’une application qui ouvre les liens de calendrier, utilisez celui-ci.",
    },
  },
  follow: {
    pageTitle: (title) => `${title} · Suivre ce calendrier`,
    metaDescription: (title) =>
      `Suivez « ${title} » et retrouvez ses événements dans votre application de calendrier.`,
    followers: (count, shown) => {
      if (count === 0) return "Personne ne suit encore ce calendrier. Soyez le premier ou la première.";
      return count === 1 ? "1 personne suit ce calendrier" : `${shown} personnes suivent ce calendrier`;
    },
    heading: "Suivre ce calendrier",
    lead: "Les événements nouveaux ou modifiés apparaissent ensuite d’eux-mêmes dans votre calendrier. Vous obtenez une page personnelle où vous pouvez arrêter à tout moment.",
    add: "Ajouter à mon calendrier",
    moreApps: "Autres applications",
    some: "Seulement certains événements",
    aboutYou: "Nom et e-mail (facultatif)",
    aboutYouWhy: "Le propriétaire de ce calendrier voit ainsi qui le suit. Vous ne recevrez aucun e-mail.",
    name: "Votre nom",
    email: "Votre adresse e-mail",
    kept: "Le propriétaire voit quand et avec quelle application vous vous êtes abonné et, si ce service les enregistre, votre adresse IP et le lieu correspondant. Vous pouvez tout effacer vous-même.",
    readMore: "Lire la suite",
    upNext: "Prochain événement",
    next: "Prochains événements",
    noNext:
      "Rien n’est prévu pour le moment. Suivez le calendrier pour recevoir les nouveaux événements dans votre application.",
    zone: (zone) => `Fuseau horaire : ${zone}`,
    organizer: "Organisation",
    month: "Mois",
    previousMonth: (month) => `Mois précédent, ${month}`,
    nextMonth: (month) => `Mois suivant, ${month}`,
    thisMonth: "Aujourd’hui",
    today: "aujourd’hui",
    allDay: "Toute la journée",
    status: { cancelled: "Annulé", tentative: "À confirmer" },
    eventsOnDay: (count) => (count === 1 ? "1 événement" : `${count} événements`),
    statusOnDay: {
      cancelled: (count) => (count === 1 ? "1 annulé" : `${count} annulés`),
      tentative: (count) => `${count} à confirmer`,
    },
    allOfMonth: "Tous les événements du mois",
    noEvents: "Aucun événement ce mois-ci.",
    moreEvents: (date) => `Autres événements, à partir du ${date}`,
    feedOmits: (omitted) => `Ce calendrier est trop volumineux pour un seul flux, qui omet ${omitted}.`,
    feedOmitted: {
      past: "les événements passés les plus anciens",
      upcoming: "les événements les plus lointains",
    },
    share: "Partager ce calendrier",
    otherDevice: "Sur un autre appareil",
    otherDeviceHow: "Dirigez son appareil photo vers le code pour y ouvrir cette page.",
    qrCode: "Code QR du lien vers cette page",
    otherWays: "Sans suivre",
    download: "Télécharger les événements",
    downloadNote: "Une copie qui ne se mettra pas à jour.",
    anonymous: "S’abonner anonymement",
    anonymousNote:
      "Ce lien n’enregistre rien sur vous, et vous n’êtes pas compté parmi les abonnés. Il est mis à jour comme les autres.",
    address: "Lien anonyme du calendrier",
    copy: "Copier",
    copied: "Copié",
    embed: "Intégrer ce calendrier à votre site",
  },
  foot: {
    website: "Site web",
    imprint: "Mentions légales",
    privacy: "Confidentialité",
    poweredBy: "Propulsé par Kalends, logiciel libre pour les calendriers que l’on suit",
  },
  share: {
    now: "Partager",
    mail: "E-mail",
    address: "Lien vers cette page",
  },
  follower: {
    pageTitle: (title) => `Vous suivez ${title}`,
    heading: "Vous suivez ce calendrier",
    keep: "Cette page est personnelle. Conservez son lien et ne le partagez pas : toute personne qui le possède peut lire votre flux et mettre fin à votre abonnement.",
    open: (app) => `Ouvrir ${app}`,
    openOther: "Ouvrir votre application de calendrier",
    add: (app) => `Ajouter à ${app}`,
    addOther: "Ajouter à votre application de calendrier",
    addByUrl: "Ouvrir « À partir de l’URL » dans les paramètres de Google",
    openYahoo: "Ouvrir Yahoo Agenda",
    address: "Lien de votre flux",
    otherApps: "Utiliser une autre application",
    renew: "Changer le lien",
    renewNote:
      "Changez le lien si quelqu’un d’autre le connaît. L’ancien cesse aussitôt de fonctionner. Ajoutez ensuite le nouveau à votre application.",
    renewButton: "Changer le lien",
    stop: "Ne plus suivre",
    stopNote:
      "Votre flux devient vide : les événements disparaissent de votre application à sa prochaine mise à jour. Le propriétaire voit toujours que vous avez suivi ce calendrier.",
    stopButton: "Ne plus suivre",
    erase: "Effacer mes données",
    eraseNote:
      "Supprime tout ce qui est enregistré ici sur vous : nom, adresse e-mail, adresse IP et dates. Votre flux et cette page cessent aussitôt de fonctionner. Retirez ensuite le calendrier de votre application.",
    eraseConfirm: "Voulez-vous vraiment effacer vos données ? Cette action est définitive.",
    eraseButton: "Effacer définitivement mes données",
    stopped: "Vous ne suivez plus ce calendrier",
    stoppedNote:
      "Votre flux est vide à présent. Retirez le calendrier de votre application s’il s’y affiche encore.",
    again: "Suivre à nouveau",
    erased: "Vos données sont effacées. Retirez le calendrier de votre application s’il s’y affiche encore.",
    empty: "Votre flux n’a pas d’événements pour le moment.",
    backToCalendar: "Retour au calendrier",
    backToPage: "Retour à votre page",
  },
  ...portalFr,
  home: {
    version: (version) => `Version ${version}`,
    lead: "Ce serveur héberge des calendriers que l’on suit dans sa propre application de calendrier.",
    followers: "Suivre un calendrier",
    link: "Lien du calendrier",
    open: "Ouvrir",
    wrongLink:
      "Ce n’est pas le lien d’un calendrier. Copiez en entier le lien que vous avez reçu ; il contient « /c/ ».",
    calendars: "Calendriers que tout le monde peut trouver",
    organizers: "Pour les organisateurs",
    console: "Tenez vos calendriers dans le navigateur : événements, abonnés et personnes qui aident.",
    signIn: "Se connecter",
    developers: "Pour le développement",
    reference: "Référence de l’API",
    documents: "Documents OpenAPI",
    source: "Code source",
    back: "Aller à la page d’accueil",
  },
  embed: {
    pageTitle: (title) => `${title} · Pour votre site`,
    heading: "Ce calendrier sur votre site",
    lead: "Copiez l’un de ces cadres et collez-le dans votre site. Il est toujours à jour, ne dépose pas de cookies et ne suit pas vos visiteurs.",
    where: "Comment faire",
    steps: [
      "Choisissez ci-dessous ce qui vous plaît, et appuyez sur « Copier ».",
      "Ouvrez votre site dans son éditeur, et ajoutez l’élément de ce tableau.",
      "Collez, enregistrez, c’est fini. Vous n’aurez plus jamais à y toucher.",
    ],
    builders: [
      ["WordPress", "+ → « HTML personnalisé »"],
      ["Wix", "+ → Intégrer du code → « Intégrer HTML »"],
      ["Jimdo", "+ → « Widget / HTML »"],
      ["Squarespace", "+ → « Code » ou « Intégrer »"],
      ["Autres", "Cherchez « HTML », « Intégrer », « Widget » ou « iframe »"],
    ],
    list: {
      heading: "Les prochains événements",
      note: "Une liste qui convient à tout site. Chaque événement ouvre sa propre page.",
    },
    month: { heading: "Le mois entier", note: "Un mois à feuilleter, avec ses événements en dessous." },
    linkOnly: "Mon site demande un lien, pas du code",
    height: "Toujours la bonne hauteur",
    heightNote:
      "Certains éditeurs acceptent aussi les scripts. Dans ce cas, collez ceci une fois sur la même page : les cadres prennent alors la hauteur qu’il leur faut. Sans cela, ils défilent.",
    component: "Un bouton",
    componentNote:
      "Il mène à la page où l’on suit ce calendrier. Il est clair ou sombre comme votre site, et dans sa langue. L’éditeur doit accepter les scripts.",
    link: "Un lien",
    linkNote:
      "La même chose sans script : il fonctionne partout où l’on peut coller du HTML, aussi dans une lettre d’information.",
    preview: "Aperçu",
    code: "Code à copier",
    button: (title) => `Suivre « ${title} »`,
  },
  event: {
    pageTitle: (title, calendar) => `${title} · ${calendar}`,
    cancelled: "Cet événement est annulé. Il n’aura pas lieu.",
    tentative: "Cet événement n’est pas encore confirmé.",
    draft:
      "Ceci est un brouillon. Seules les personnes qui ont ce lien le voient, et il peut encore changer.",
    when: "Quand",
    where: "Où",
    map: "Plan",
    url: "En savoir plus sur cet événement",
    add: "Ajouter cet événement à votre calendrier",
    addNote: "Une copie qui ne se met pas à jour. Pour voir aussi les changements, suivez le calendrier.",
    file: "Calendrier Apple et autres applications",
    follow: "Suivre tout le calendrier",
    followNote: "Ses événements apparaissent dans votre application de calendrier, les changements aussi.",
    share: "Partager cet événement",
    open: "Ajouter à votre calendrier, partager",
    also: "Aussi le",
    alsoMore: (count) =>
      count === undefined ? "et d’autres" : `et ${count} ${count === 1 ? "autre" : "autres"}`,
    openCancelled: "Page de cet événement",
    deleted: {
      title: "Cet événement a été supprimé",
      text: "Son propriétaire l’a retiré. Si vous l’avez ajouté vous-même à votre calendrier, supprimez-le là aussi.",
    },
  },
  embedList: {
    heading: "Une liste à l’image de votre site",
    note: (kB) =>
      `Un composant web de ${kB} ko. Chaque événement mène à sa page ici. Il reprend la police et la couleur de votre site et la langue de votre page ; limit fixe le nombre d’événements, de 1 à 50.`,
    height:
      "Pour que rien ne bouge pendant le chargement, ajoutez ceci à votre feuille de style, avec votre limit :",
  },
  android: {
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
  },
  categories: {
    label: "Catégories",
    which: "Quels événements ?",
    note: "Un événement apparaît si l’une de ses catégories est cochée, et toujours s’il n’en a aucune. Si toutes les cases sont cochées, les catégories ajoutées plus tard apparaissent aussi.",
    heading: "Ce que vous suivez",
    save: "Enregistrer",
    saved: "Enregistré. Votre application l’affichera à sa prochaine mise à jour.",
  },
  news: newsFr,
  form: {
    title: "Le formulaire contient une erreur",
    app: "Application : choisissez l’un des boutons.",
    name: "Nom : 255 caractères au plus, sur une seule ligne.",
    email: "E-mail : une adresse comme ada@example.com, 254 caractères au plus.",
    calendars: "Calendriers : cochez-en au moins un.",
    back: "Retour au calendrier",
  },
  errors: {
    400: {
      title: "Ce lien n’est pas valide",
      text: "Une partie est illisible. Vérifiez-le, puis réessayez.",
    },
    403: {
      title: "Non accepté",
      text: "Ce formulaire ne peut être envoyé que depuis sa propre page. Revenez, rechargez la page et réessayez.",
    },
    404: {
      title: "Page introuvable",
      text: "Le lien contient peut-être une erreur, ou la page a été supprimée.",
    },
    405: {
      title: "Action impossible ici",
      text: "Ce lien ne peut pas être ouvert directement. Revenez en arrière et utilisez les boutons de la page.",
    },
    410: {
      title: "Ce calendrier a été supprimé",
      text: "Son propriétaire l’a supprimé. Vous pouvez le retirer de votre application.",
    },
    429: {
      title: "Réessayez dans une minute",
      text: "Il y a trop de demandes en ce moment. Veuillez patienter une minute, puis réessayer.",
    },
    500: { title: "Une erreur est survenue", text: "L’erreur vient de notre côté. Réessayez plus tard." },
    503: {
      title: "Temporairement indisponible",
      text: "Le service est très occupé. Réessayez dans quelques secondes.",
    },
    507: {
      title: "Plus d’espace libre",
      text: "Le service n’a plus d’espace de stockage : rien n’a été modifié. Réessayez plus tard.",
    },
  },
  requestId: "Identifiant de la demande",
};
