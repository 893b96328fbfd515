import type { Texts } from "./en.js";

export const portalEs: Pick<Texts, "portal" | "paper"> = {
  portal: {
    heading: "Agenda",
    metaDescription: (name) =>
      `Los eventos de ${name}, para consultarlos y seguirlos en tu aplicación de calendario.`,
    allOf: (name) => `Todos los calendarios: ${name}`,
    search: "Buscar un evento o un lugar",
    find: "Buscar",
    all: "Todo",
    found: (count) => (count === 1 ? "1 evento encontrado" : `${count} eventos encontrados`),
    foundMany: "Eventos encontrados",
    nothingFound: "Ningún evento próximo coincide.",
    clear: "Mostrar todos los eventos",
    none: "Por ahora no hay nada previsto.",
    noCalendars: "Aquí todavía no hay ningún calendario.",
    follow: "En tu calendario",
    followLead:
      "Marca lo que te interesa y elige tu aplicación. Recibes un solo enlace personal para todo, y puedes cambiar tu elección en cualquier momento.",
    which: "Calendarios",
    page: "Ver",
    pageOf: (title) => `Ver «${title}»`,
    follows: (count) => (count === 1 ? "Sigues 1 calendario" : `Sigues ${count} calendarios`),
    followsNone: "No sigues ningún calendario",
    followsNoneNote: "Tu feed está vacío. Marca calendarios abajo para volver a seguirlos.",
    back: "Volver a todos los calendarios",
  },
  paper: {
    heading: "En papel",
    month: "Mes",
    season: "Temporada",
    poster: "Cartel",
    print: "Imprimir",
    asOf: (date) => `A fecha de ${date}`,
    more: "Hay más eventos. La página del calendario los tiene todos.",
    scan: "En tu calendario",
    scanHow:
      "Apunta al código con la cámara del teléfono. Los eventos nuevos y los cambios aparecerán solos.",
  },
};
