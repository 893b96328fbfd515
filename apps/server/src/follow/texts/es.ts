import type { Texts } from "./texts.js";

export const es: Texts = {
  language: "es",
  apps: {
    apple: {
      name: "Calendario de Apple",
      where: "iPhone, Mac",
      next: "Abre Calendario, que te propone suscribirte.",
      refresh: "Se actualiza en una hora más o menos.",
      steps: ["Abre el enlace de abajo.", "Elige «Suscribirse» y luego «Añadir» u «OK»."],
      otherwise:
        "¿No se abre nada, como en algunos navegadores del iPhone? Copia la dirección. En Calendario, elige Calendarios, Añadir calendario, Añadir calendario suscrito, y pégala.",
    },
    google: {
      name: "Google Calendar",
      where: "Android",
      next: "Abre Google en el navegador, que te propone añadirlo.",
      refresh: "Se actualiza cada 4 a 18 horas.",
      steps: [
        "Abre el enlace de abajo en un navegador, no en la aplicación.",
        "Elige «Añadir». Tu teléfono también lo mostrará.",
      ],
      otherwise:
        "¿Google no encuentra el calendario? Copia la dirección, abre «Desde URL» en los ajustes de Google, pégala y elige «Añadir calendario».",
    },
    outlookcom: {
      name: "Outlook.com",
      where: "personal",
      next: "Abre Outlook en el navegador, donde lo confirmas.",
      refresh: "Se actualiza cada 3 horas más o menos, a veces al cabo de un día.",
      steps: ["Abre el enlace de abajo e inicia sesión.", "Mira el nombre y elige «Importar»."],
      otherwise:
        "O copia la dirección. En Outlook, elige Agregar calendario, Suscribirse desde la web, y pégala.",
    },
    office365: {
      name: "Microsoft 365",
      where: "trabajo, escuela",
      next: "Abre Outlook en el navegador, donde lo confirmas.",
      refresh: "Se actualiza cada 3 horas más o menos, a veces al cabo de un día.",
      steps: ["Abre el enlace de abajo e inicia sesión.", "Mira el nombre y elige «Importar»."],
      otherwise:
        "O copia la dirección. En Outlook, elige Agregar calendario, Suscribirse desde la web, y pégala.",
    },
    outlook: {
      name: "Outlook para Windows",
      where: "clásico",
      next: "Abre Outlook, que te propone suscribirte.",
      refresh: "Se actualiza al abrirlo y luego cada hora más o menos mientras siga abierto.",
      steps: [
        "Abre el enlace de abajo en el ordenador que tiene Outlook.",
        "Responde «Sí» a la pregunta de Outlook.",
      ],
      otherwise:
        "¿Se abre otro programa? Copia la dirección. En el calendario de Outlook, elige Agregar calendario, Desde Internet, y pégala.",
    },
    yahoo: {
      name: "Calendario de Yahoo",
      where: "web",
      next: "Copias una dirección y la pegas en Yahoo.",
      refresh: "Yahoo no dice cada cuánto se actualiza.",
      steps: [
        "Copia la dirección de tu canal.",
        "Abre el Calendario de Yahoo en un ordenador.",
        "Junto a «Otros», elige «Seguir otros calendarios».",
        "Pega la dirección, ponle un nombre y continúa.",
      ],
      otherwise:
        "La aplicación de Yahoo para teléfonos no puede añadir un calendario por su dirección; muestra lo que añadiste en la web.",
    },
    ical: {
      name: "Otra aplicación",
      where: "Thunderbird …",
      next: "Copias una dirección y la pegas en tu aplicación.",
      refresh: "Se actualiza cada media hora o hasta cada 16 horas, según la aplicación.",
      steps: [
        "Copia la dirección de tu canal.",
        "En tu aplicación, busca «Suscribirse a un calendario», «Añadir desde URL» o «En la red».",
        "Pega la dirección.",
      ],
      otherwise: "Si tu dispositivo tiene una aplicación para enlaces de calendario, este la abre.",
    },
  },
  follow: {
    pageTitle: (title) => `${title} · Seguir este calendario`,
    metaDescription: (title) => `Sigue «${title}» y ten sus fechas en tu propio calendario.`,
    followers: (count, shown) => {
      if (count === 0) return "Nadie lo sigue todavía. Empieza tú.";
      return count === 1 ? "1 persona lo sigue" : `${shown} personas lo siguen`;
    },
    heading: "Seguir este calendario",
    lead: "Elige tu aplicación. Las fechas nuevas o cambiadas le llegarán solas. Recibes una página tuya, donde puedes dejarlo cuando quieras.",
    moreApps: "Otras aplicaciones de calendario",
    aboutYou: "Añade tu nombre o correo (opcional)",
    aboutYouWhy:
      "Le dicen al dueño de este calendario quién lo sigue. Seguir no te envía ningún correo. Rellénalos antes de elegir tu aplicación.",
    name: "Tu nombre",
    email: "Tu dirección de correo",
    kept: "El dueño ve cuándo y con qué aplicación lo seguiste y, si este servicio las guarda, tu dirección IP y el lugar que le corresponde. Puedes borrarlo todo por tu cuenta.",
    readMore: "Seguir leyendo",
    next: "Próximos eventos",
    noNext: "Por ahora no hay nada previsto. Síguelo y las nuevas fechas te llegarán.",
    zone: (zone) => `Horas de ${zone}`,
    organizer: "Organiza",
    month: "Mes",
    previousMonth: (month) => `Mes anterior, ${month}`,
    nextMonth: (month) => `Mes siguiente, ${month}`,
    thisMonth: "Hoy",
    today: "hoy",
    allDay: "Todo el día",
    eventsOnDay: (count) => (count === 1 ? "1 evento" : `${count} eventos`),
    noEvents: "No hay eventos este mes.",
    moreEvents: "Este mes hay más eventos de los que caben aquí. Tu aplicación los muestra todos.",
    otherDevice: "En otro dispositivo",
    otherDeviceHow: "Apunta su cámara al código para abrir allí esta página.",
    qrCode: "Código QR de la dirección de esta página",
    otherWays: "Sin seguirlo",
    download: "Descargar los eventos",
    downloadNote: "Una copia que no se actualizará.",
    anonymous: "Suscribirse sin dejar rastro",
    anonymousNote:
      "Esta dirección no guarda nada de ti, y no cuentas entre quienes lo siguen. Se actualiza como las demás.",
    address: "Dirección del calendario, sin seguirlo",
    copy: "Copiar",
    copied: "Copiado",
    embed: "Un botón para tu sitio",
    poweredBy: "Hecho con Kalends, el servicio libre de calendarios que se siguen",
  },
  follower: {
    pageTitle: (title) => `Sigues ${title}`,
    heading: "Sigues este calendario",
    keep: "Esta página es solo tuya. Guarda su dirección y no se la des a nadie: quien la tenga puede leer tu suscripción y ponerle fin.",
    open: (app) => `Abrir ${app}`,
    openOther: "Abrir tu aplicación de calendario",
    add: (app) => `Añadirlo a ${app}`,
    addOther: "Añadirlo a tu aplicación de calendario",
    addByUrl: "Abrir «Desde URL» en los ajustes de Google",
    openYahoo: "Abrir el Calendario de Yahoo",
    address: "Dirección de tu canal",
    otherApps: "Usar otra aplicación",
    renew: "Cambiar la dirección",
    renewNote:
      "Si otra persona ha obtenido esta dirección: se crea una nueva y esta deja de valer en el acto. Añade después la nueva a tu aplicación.",
    renewButton: "Cambiar la dirección",
    stop: "Dejar de seguir",
    stopNote:
      "Tu canal queda vacío, así que los eventos desaparecen de tu aplicación en su próxima actualización. El dueño sigue viendo que lo seguiste.",
    stopButton: "Dejar de seguir",
    erase: "Borrar mis datos",
    eraseNote:
      "Elimina todo lo que se guarda aquí de ti: nombre, correo, direcciones, horas. Tu canal y esta página terminan en el acto y para siempre. Quita después el calendario de tu aplicación.",
    eraseConfirm: "¿Seguro que quieres borrar tus datos? No se puede deshacer.",
    eraseButton: "Borrar mis datos para siempre",
    stopped: "Ya no sigues este calendario",
    stoppedNote: "Tu canal está vacío. Quita el calendario de tu aplicación si aún aparece.",
    again: "Seguirlo de nuevo",
    erased: "Tus datos están borrados. Quita el calendario de tu aplicación si aún aparece.",
    empty: "Tu canal no tiene eventos por ahora.",
    backToCalendar: "Página del calendario",
    backToPage: "Volver a tu página",
  },
  embed: {
    pageTitle: (title) => `${title} · Botón para tu sitio`,
    heading: "Un botón para tu sitio",
    lead: "Ambos llevan a la página de este calendario. Ninguno pone cookies ni cuenta quién visita tu sitio.",
    link: "Un enlace",
    linkNote: "HTML sencillo, sin script. Funciona dondequiera que se pueda pegar HTML.",
    component: "Un botón",
    componentNote:
      "Un componente web de 3 kB. El estilo de tu sitio no puede estropearlo; tiene colores claros y oscuros y habla el idioma de tu página. Hasta que se carga, se ve el enlace que contiene.",
    preview: "Vista previa",
    code: "Código para copiar",
    button: (title) => `Seguir «${title}»`,
  },
  form: {
    title: "Hay algo incorrecto en el formulario",
    app: "Aplicación: elige uno de los botones.",
    name: "Nombre: 255 caracteres como máximo, en una sola línea.",
    email: "Correo: una dirección como ada@example.com, 254 caracteres como máximo.",
    back: "Volver al calendario",
  },
  errors: {
    400: {
      title: "Esta dirección no es correcta",
      text: "Una parte no se puede leer. Prueba el enlace otra vez.",
    },
    403: {
      title: "No aceptado",
      text: "Este formulario solo se puede enviar desde su propia página. Vuelve, recarga la página e inténtalo de nuevo.",
    },
    404: {
      title: "Aquí no hay nada",
      text: "Puede que la dirección esté mal escrita o que se haya quitado lo que había.",
    },
    405: {
      title: "Así no",
      text: "Esta dirección no se puede usar de ese modo. Vuelve y usa los botones de la página.",
    },
    410: {
      title: "Este calendario ha terminado",
      text: "Su dueño lo borró. Puedes quitarlo de tu aplicación de calendario.",
    },
    429: {
      title: "Inténtalo dentro de un minuto",
      text: "En este momento hay demasiadas solicitudes. Espera un minuto e inténtalo de nuevo.",
    },
    500: { title: "Algo ha fallado", text: "Es culpa nuestra, no tuya. Inténtalo más tarde." },
    503: {
      title: "Volvemos en un momento",
      text: "El servicio está muy ocupado. Inténtalo en unos segundos.",
    },
    507: {
      title: "Sin espacio libre",
      text: "El servicio se ha quedado sin espacio: no se ha cambiado nada. Inténtalo más tarde.",
    },
  },
  requestId: "Número de esta petición",
};
