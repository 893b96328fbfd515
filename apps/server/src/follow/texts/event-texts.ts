/** The words of the page of one event. */
export interface EventTexts {
  readonly pageTitle: (title: string, calendar: string) => string;
  readonly cancelled: string;
  readonly tentative: string;
  readonly when: string;
  readonly where: string;
  readonly add: string;
  readonly addNote: string;
  /** The link to the file, for every app without a link of its own. */
  readonly file: string;
  readonly follow: string;
  readonly followNote: string;
  readonly share: string;
  readonly address: string;
  /** Leads to the page, from the list of the calendar's page. */
  readonly open: string;
  /** The same of an event that does not take place. */
  readonly openCancelled: string;
  /** Before the other dates of a series. */
  readonly also: string;
  readonly deleted: { readonly title: string; readonly text: string };
}

const en: EventTexts = {
  pageTitle: (title, calendar) => `${title} · ${calendar}`,
  cancelled: "This event is cancelled. It does not take place.",
  tentative: "This event is not certain yet.",
  when: "When",
  where: "Where",
  add: "Add this event to your calendar",
  addNote: "A copy that will not update. To see changes too, follow the calendar.",
  file: "Apple Calendar and other apps",
  follow: "Follow the whole calendar",
  followNote: "Its events appear in your calendar app, and so do changes.",
  share: "Share this event",
  address: "Link to this event",
  open: "Add to your calendar, share",
  also: "Also on",
  openCancelled: "Page of this event",
  deleted: {
    title: "This event was deleted",
    text: "Its owner removed it. If you added it to your calendar by hand, remove it there too.",
  },
};

const de: EventTexts = {
  pageTitle: (title, calendar) => `${title} · ${calendar}`,
  cancelled: "Dieser Termin ist abgesagt. Er findet nicht statt.",
  tentative: "Dieser Termin steht noch nicht fest.",
  when: "Wann",
  where: "Wo",
  add: "Diesen Termin in Ihren Kalender eintragen",
  addNote: "Eine Kopie, die sich nicht aktualisiert. Um auch Änderungen zu sehen, folgen Sie dem Kalender.",
  file: "Apple Kalender und andere Apps",
  follow: "Dem ganzen Kalender folgen",
  followNote: "Seine Termine erscheinen in Ihrer Kalender-App, und Änderungen auch.",
  share: "Diesen Termin teilen",
  address: "Link dieses Termins",
  open: "Eintragen, teilen",
  also: "Auch am",
  openCancelled: "Seite dieses Termins",
  deleted: {
    title: "Dieser Termin wurde gelöscht",
    text: "Der Besitzer hat ihn entfernt. Wenn Sie ihn selbst in Ihren Kalender eingetragen haben, entfernen Sie ihn auch dort.",
  },
};

const fr: EventTexts = {
  pageTitle: (title, calendar) => `${title} · ${calendar}`,
  cancelled: "Cet événement est annulé. Il n’aura pas lieu.",
  tentative: "Cet événement n’est pas encore confirmé.",
  when: "Quand",
  where: "Où",
  add: "Ajouter cet événement à votre calendrier",
  addNote: "Une copie qui ne se met pas à jour. Pour voir aussi les changements, suivez le calendrier.",
  file: "Calendrier Apple et autres applications",
  follow: "Suivre tout le calendrier",
  followNote: "Ses événements apparaissent dans votre application de calendrier, les changements aussi.",
  share: "Partager cet événement",
  address: "Lien de cet événement",
  open: "Ajouter à votre calendrier, partager",
  also: "Aussi le",
  openCancelled: "Page de cet événement",
  deleted: {
    title: "Cet événement a été supprimé",
    text: "Son propriétaire l’a retiré. Si vous l’avez ajouté vous-même à votre calendrier, supprimez-le là aussi.",
  },
};

const es: EventTexts = {
  pageTitle: (title, calendar) => `${title} · ${calendar}`,
  cancelled: "Este evento está cancelado. No se celebrará.",
  tentative: "Este evento aún no está confirmado.",
  when: "Cuándo",
  where: "Dónde",
  add: "Añadir este evento a tu calendario",
  addNote: "Una copia que no se actualiza. Para ver también los cambios, sigue el calendario.",
  file: "Calendario de Apple y otras aplicaciones",
  follow: "Seguir todo el calendario",
  followNote: "Sus eventos aparecerán en tu aplicación de calendario, y los cambios también.",
  share: "Compartir este evento",
  address: "Enlace de este evento",
  open: "Añadir a tu calendario, compartir",
  also: "También el",
  openCancelled: "Página de este evento",
  deleted: {
    title: "Este evento se ha eliminado",
    text: "Su propietario lo ha quitado. Si lo añadiste tú a tu calendario, bórralo también allí.",
  },
};

export const eventTexts = { en, de, fr, es } as const;
