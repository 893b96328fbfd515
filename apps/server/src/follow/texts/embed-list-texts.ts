/** The words about the list of next events for other sites, on the embed page. */
export interface EmbedListTexts {
  readonly heading: string;
  /** @param kB size of the script */
  readonly note: (kB: number) => string;
  /** About the rule for the site's own stylesheet. */
  readonly height: string;
}

export const embedListTexts = {
  en: {
    heading: "A list of the next events",
    note: (kB) =>
      `A web component of ${kB} kB. Each event leads to its page here. It takes the font and the colour of your site and the language of your page; limit sets how many events it shows, from 1 to 50.`,
    height: "So that nothing moves while it loads, add this to your stylesheet, with your limit:",
  },
  de: {
    heading: "Eine Liste der nächsten Termine",
    note: (kB) =>
      `Eine Webkomponente von ${kB} kB. Jeder Termin führt zu seiner Seite hier. Sie übernimmt Schrift und Farbe Ihrer Website und die Sprache Ihrer Seite; limit bestimmt, wie viele Termine sie zeigt, von 1 bis 50.`,
    height: "Damit sich beim Laden nichts verschiebt, ergänzen Sie Ihr Stylesheet hierum, mit Ihrem limit:",
  },
  fr: {
    heading: "Une liste des prochains événements",
    note: (kB) =>
      `Un composant web de ${kB} ko. Chaque événement mène à sa page ici. Il reprend la police et la couleur de votre site et la langue de votre page ; limit fixe le nombre d’événements, de 1 à 50.`,
    height:
      "Pour que rien ne bouge pendant le chargement, ajoutez ceci à votre feuille de style, avec votre limit :",
  },
  es: {
    heading: "Una lista de los próximos eventos",
    note: (kB) =>
      `Un componente web de ${kB} kB. Cada evento lleva a su página aquí. Usa la tipografía y el color de tu sitio y el idioma de tu página; limit indica cuántos eventos muestra, de 1 a 50.`,
    height: "Para que nada se mueva mientras carga, añade esto a tu hoja de estilos, con tu limit:",
  },
} as const satisfies Readonly<Record<string, EmbedListTexts>>;
