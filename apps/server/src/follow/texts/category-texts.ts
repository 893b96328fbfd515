/** Texts of what followers pick from. */
export interface CategoryTexts {
  /** Before those of an event. */
  readonly label: string;
  /** Over the boxes of the follow page. */
  readonly which: string;
  /** Below the boxes, on both pages. */
  readonly note: string;
  /** The heading on the follower's own page. */
  readonly heading: string;
  readonly save: string;
  readonly saved: string;
}

export const categoryTexts = {
  en: {
    label: "Categories",
    which: "Which events?",
    note: "Events without a category are always included. With every box ticked, so are categories that are added later.",
    heading: "What you follow",
    save: "Save",
    saved: "Saved. Your app shows it at its next update.",
  },
  de: {
    label: "Kategorien",
    which: "Welche Termine?",
    note: "Termine ohne Kategorie sind immer dabei. Sind alle Kästchen angekreuzt, dann auch Kategorien, die später dazukommen.",
    heading: "Was Sie abonniert haben",
    save: "Speichern",
    saved: "Gespeichert. Ihre App zeigt es nach ihrer nächsten Aktualisierung.",
  },
  es: {
    label: "Categorías",
    which: "¿Qué eventos?",
    note: "Los eventos sin categoría se incluyen siempre. Con todas las casillas marcadas, también las categorías que se añadan después.",
    heading: "Lo que sigues",
    save: "Guardar",
    saved: "Guardado. Tu aplicación lo mostrará en su próxima actualización.",
  },
  fr: {
    label: "Catégories",
    which: "Quels événements ?",
    note: "Les événements sans catégorie sont toujours inclus. Si toutes les cases sont cochées, les catégories ajoutées plus tard aussi.",
    heading: "Ce que vous suivez",
    save: "Enregistrer",
    saved: "Enregistré. Votre application l’affichera à sa prochaine mise à jour.",
  },
} as const satisfies Record<string, CategoryTexts>;
