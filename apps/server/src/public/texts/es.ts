import type { Texts } from "./en.js";

/** Outlook.com and Microsoft 365 have the same pages. */
const microsoft = {
  next: "Abre Outlook en el navegador, donde lo confirmas.",
  refresh: "Se actualiza cada 3 horas más o menos, a veces al cabo de un día.",
  steps: ["Abre el enlace de abajo e inicia sesión.", "Mira el nombre y elige «Importar»."],
  otherwise: "O copia el enlace. En Outlook, elige Agregar calendario, Suscribirse desde la web, y pégalo.",
};

export const es: Texts = {
  language: "es",
  apps: {
    apple: {
      name: "Calendario de Apple",
      where: "iPhone, Mac",
      next: "Abre Calendario, que te propone suscribirte.",
      refresh: "Se actualiza al cabo de una hora más o menos.",
      steps: ["Abre el enlace de abajo.", "Elige «Suscribirse» y luego «Añadir» u «OK»."],
      otherwise:
        "Si no se abre nada, como en algunos navegadores del iPhone, copia el enlace. En Calendario, elige Calendarios, Añadir calendario, Añadir calendario suscrito, y pégalo.",
    },
    google: {
      name: "Google Calendar",
      where: "en un ordenador",
      next: "Abre Google en el navegador, que te propone añadirlo.",
      refresh: "Se actualiza cada 4 a 18 horas.",
      steps: [
        "Abre el enlace de abajo en un navegador, no en la aplicación.",
        "Elige «Añadir». Tu teléfono también lo mostrará.",
      ],
      otherwise:
        "Si Google no encuentra el calendario, copia el enlace, abre «Desde URL» en los ajustes de Google, pégalo y elige «Añadir calendario».",
    },
    outlookcom: {
      name: "Outlook.com",
      where: "personal",
      ...microsoft,
    },
    office365: {
      name: "Microsoft 365",
      where: "trabajo, escuela",
      ...microsoft,
    },
    outlook: {
      name: "Outlook para Windows",
      where: "clásico",
      next: "Abre Outlook, que te propone suscribirte.",
      refresh: "Se actualiza al abrirlo y luego cada hora más o menos mientras siga abierto.",
      steps: [
        "Abre el enlace de abajo en el ordenador donde tienes Outlook.",
        "Responde «Sí» a la pregunta de Outlook.",
      ],
      otherwise:
        "Si se abre otro programa, copia el enlace. En el calendario de Outlook, elige Agregar calendario, Desde Internet, y pégalo.",
    },
    yahoo: {
      name: "Calendario de Yahoo",
      where: "web",
      next: "Copias un enlace y lo pegas en Yahoo.",
      refresh: "Yahoo no dice cada cuánto se actualiza.",
      steps: [
        "Copia el enlace de tu canal.",
        "Abre el Calendario de Yahoo en un ordenador.",
        "Junto a «Otros», elige «Seguir otros calendarios».",
        "Pega el enlace, ponle un nombre y continúa.",
      ],
      otherwise:
        "La aplicación de Yahoo para teléfonos no puede añadir un calendario por su enlace; muestra lo que añadiste en la web.",
    },
    ical: {
      name: "Otra aplicación",
      where: "Thunderbird y otras",
      next: "Copias un enlace y lo pegas en tu aplicación.",
      refresh: "Se actualiza entre cada media hora y cada 16 horas, según la aplicación.",
      steps: [
        "Copia el enlace de tu canal.",
        "En tu aplicación, busca «Suscribirse a un calendario», «Añadir desde URL» o «En la red».",
        "Pega el enlace.",
      ],
      otherwise: "Si tu dispositivo tiene una aplicación que abre enlaces de calendario, usa este.",
    },
  },
  follow: {
    pageTitle: (title) => `${title} · Seguir este calendario`,
    metaDescription: (title) =>
      `Sigue «${title}» y consulta sus eventos en tu propia aplicación de calendario.`,
    followers: (count, shown) => {
      if (count === 0) return "Nadie lo sigue todavía. Empieza tú.";
      return count === 1 ? "1 persona lo sigue" : `${shown} personas lo siguen`;
    },
    heading: "Seguir este calendario",
    lead: "Elige tu aplicación de calendario. Los eventos nuevos o modificados aparecerán en ella automáticamente. Tendrás una página personal donde puedes dejar de seguirlo cuando quieras.",
    moreApps: "Otras aplicaciones de calendario",
    aboutYou: "Añade tu nombre o correo (opcional)",
    aboutYouWhy:
      "Así el propietario de este calendario sabe quién lo sigue. No recibirás ningún correo. Rellena estos campos antes de elegir tu aplicación.",
    name: "Tu nombre",
    email: "Tu dirección de correo",
    kept: "El propietario ve cuándo y con qué aplicación lo seguiste y, si este servicio las guarda, tu dirección IP y el lugar que le corresponde. Puedes borrarlo todo por tu cuenta.",
    readMore: "Seguir leyendo",
    next: "Próximos eventos",
    noNext: "Por ahora no hay nada previsto. Síguelo para ver los nuevos eventos en tu aplicación.",
    zone: (zone) => `Zona horaria: ${zone}`,
    organizer: "Organiza",
    month: "Mes",
    previousMonth: (month) => `Mes anterior, ${month}`,
    nextMonth: (month) => `Mes siguiente, ${month}`,
    thisMonth: "Hoy",
    today: "hoy",
    allDay: "Todo el día",
    status: { cancelled: "Cancelado", tentative: "Por confirmar" },
    eventsOnDay: (count) => (count === 1 ? "1 evento" : `${count} eventos`),
    statusOnDay: {
      cancelled: (count) => (count === 1 ? "1 cancelado" : `${count} cancelados`),
      tentative: (count) => `${count} por confirmar`,
    },
    allOfMonth: "Todos los eventos del mes",
    noEvents: "No hay eventos este mes.",
    moreEvents: (date) => `Más eventos, desde el ${date}`,
    feedOmits: (omitted) =>
      `Este calendario es demasiado grande para una sola suscripción, que omite ${omitted}.`,
    feedOmitted: { past: "los eventos pasados más antiguos", upcoming: "los eventos más lejanos" },
    otherDevice: "En otro dispositivo",
    otherDeviceHow: "Apunta su cámara al código para abrir allí esta página.",
    qrCode: "Código QR del enlace a esta página",
    otherWays: "Sin seguirlo",
    download: "Descargar los eventos",
    downloadNote: "Una copia que no se actualizará.",
    anonymous: "Suscribirse de forma anónima",
    anonymousNote:
      "Este enlace no guarda ningún dato sobre ti y no cuentas como seguidor. Se actualiza como los demás.",
    address: "Enlace anónimo del calendario",
    copy: "Copiar",
    copied: "Copiado",
    embed: "Añadir este calendario a tu sitio",
  },
  foot: {
    website: "Sitio web",
    imprint: "Aviso legal",
    privacy: "Privacidad",
    poweredBy: "Funciona con Kalends, software libre para calendarios que se pueden seguir",
  },
  follower: {
    pageTitle: (title) => `Sigues ${title}`,
    heading: "Sigues este calendario",
    keep: "Esta página es solo para ti. Guarda su enlace y no lo compartas: quien lo tenga puede leer tu canal y cancelar tu suscripción.",
    open: (app) => `Abrir ${app}`,
    openOther: "Abrir tu aplicación de calendario",
    add: (app) => `Añadirlo a ${app}`,
    addOther: "Añadirlo a tu aplicación de calendario",
    addByUrl: "Abrir «Desde URL» en los ajustes de Google",
    openYahoo: "Abrir el Calendario de Yahoo",
    address: "Enlace de tu canal",
    otherApps: "Usar otra aplicación",
    renew: "Cambiar el enlace",
    renewNote:
      "Cambia el enlace si otra persona lo conoce. El anterior deja de funcionar de inmediato. Añade después el nuevo a tu aplicación.",
    renewButton: "Cambiar el enlace",
    stop: "Dejar de seguir",
    stopNote:
      "Tu canal queda vacío, así que los eventos desaparecen de tu aplicación en su próxima actualización. El propietario sigue viendo que lo seguiste.",
    stopButton: "Dejar de seguir",
    erase: "Borrar mis datos",
    eraseNote:
      "Elimina todo lo que se guarda aquí sobre ti: nombre, correo, dirección IP y fechas. Tu canal y esta página dejan de funcionar de inmediato. Quita después el calendario de tu aplicación.",
    eraseConfirm: "¿Seguro que quieres borrar tus datos? No se puede deshacer.",
    eraseButton: "Borrar mis datos definitivamente",
    stopped: "Ya no sigues este calendario",
    stoppedNote: "Tu canal está vacío. Quita el calendario de tu aplicación si aún aparece.",
    again: "Seguirlo de nuevo",
    erased: "Tus datos están borrados. Quita el calendario de tu aplicación si aún aparece.",
    empty: "Tu canal no tiene eventos por ahora.",
    backToCalendar: "Volver al calendario",
    backToPage: "Volver a tu página",
  },
  home: {
    version: (version) => `Versión ${version}`,
    lead: "Este servidor aloja calendarios que se pueden seguir en la propia aplicación de calendario.",
    followers: "Seguir un calendario",
    link: "Enlace del calendario",
    open: "Abrir",
    wrongLink:
      "Este no es el enlace de un calendario. Copia entero el enlace que has recibido; contiene «/c/».",
    calendars: "Calendarios que cualquiera puede encontrar",
    organizers: "Para organizadores",
    console: "Lleva calendarios en el navegador: eventos, seguidores y quién ayuda.",
    signIn: "Iniciar sesión",
    developers: "Para desarrollar",
    reference: "Referencia de la API",
    documents: "Documentos OpenAPI",
    source: "Código fuente",
    back: "Ir a la página de inicio",
  },
  embed: {
    pageTitle: (title) => `${title} · Para tu sitio`,
    heading: "Este calendario en tu sitio",
    lead: "Todo esto lleva a las páginas de este calendario. Nada de esto guarda cookies ni rastrea a quien visita tu sitio.",
    link: "Un enlace",
    linkNote: "HTML sencillo, sin script. Funciona dondequiera que se pueda pegar HTML.",
    component: "Un botón",
    componentNote: (kB) =>
      `Un componente web de ${kB} kB. Los estilos de tu sitio no le afectan. Admite los modos claro y oscuro y usa el idioma de tu página. Hasta que se carga, se ve el enlace que contiene.`,
    preview: "Vista previa",
    code: "Código para copiar",
    button: (title) => `Seguir «${title}»`,
  },
  event: {
    pageTitle: (title, calendar) => `${title} · ${calendar}`,
    cancelled: "Este evento está cancelado. No se celebrará.",
    tentative: "Este evento aún no está confirmado.",
    draft: "Esto es un borrador. Solo lo ve quien tiene este enlace, y aún puede cambiar.",
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
  },
  embedList: {
    heading: "Una lista de los próximos eventos",
    note: (kB) =>
      `Un componente web de ${kB} kB. Cada evento lleva a su página aquí. Usa la tipografía y el color de tu sitio y el idioma de tu página; limit indica cuántos eventos muestra, de 1 a 50.`,
    height: "Para que nada se mueva mientras carga, añade esto a tu hoja de estilos, con tu limit:",
  },
  android: {
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
  },
  categories: {
    label: "Categorías",
    which: "¿Qué eventos?",
    note: "Los eventos sin categoría se incluyen siempre. Con todas las casillas marcadas, también las categorías que se añadan después.",
    heading: "Lo que sigues",
    save: "Guardar",
    saved: "Guardado. Tu aplicación lo mostrará en su próxima actualización.",
  },
  form: {
    title: "Revisa el formulario",
    app: "Aplicación: elige uno de los botones.",
    name: "Nombre: 255 caracteres como máximo, en una sola línea.",
    email: "Correo: una dirección como ada@example.com, 254 caracteres como máximo.",
    back: "Volver al calendario",
  },
  errors: {
    400: {
      title: "Este enlace no es válido",
      text: "Una parte no se puede leer. Compruébalo e inténtalo de nuevo.",
    },
    403: {
      title: "No aceptado",
      text: "Este formulario solo se puede enviar desde su propia página. Vuelve, recarga la página e inténtalo de nuevo.",
    },
    404: {
      title: "Página no encontrada",
      text: "Puede que el enlace esté mal escrito o que la página se haya eliminado.",
    },
    405: {
      title: "Esto no funciona aquí",
      text: "Este enlace no se puede abrir directamente. Vuelve atrás y usa los botones de la página.",
    },
    410: {
      title: "Este calendario se ha borrado",
      text: "Su propietario lo borró. Puedes quitarlo de tu aplicación de calendario.",
    },
    429: {
      title: "Inténtalo dentro de un minuto",
      text: "En este momento hay demasiadas solicitudes. Espera un minuto e inténtalo de nuevo.",
    },
    500: { title: "Algo ha fallado", text: "El error es nuestro. Inténtalo más tarde." },
    503: {
      title: "No disponible por el momento",
      text: "El servicio está muy ocupado. Inténtalo en unos segundos.",
    },
    507: {
      title: "Sin espacio libre",
      text: "El servicio se ha quedado sin espacio: no se ha cambiado nada. Inténtalo más tarde.",
    },
  },
  requestId: "Identificador de la solicitud",
};
