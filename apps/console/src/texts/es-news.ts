import type { NewsTexts } from "./en-news.js";

const followers = (count: number): string => (count === 1 ? "1 seguidor" : `${count} seguidores`);

export const news: NewsTexts = {
  tell: (count) =>
    count === 1 ? "1 seguidor lo sabrá por correo" : `${count} seguidores lo sabrán por correo`,
  tellThem: "Los seguidores lo sabrán por correo",
  tellHint:
    "Sobre los próximos 14 días. El correo sale a los cinco minutos, con todo lo que cambie hasta entonces.",
  note: "Una frase para ellos",
  noteHint: "La leen en el correo, por ejemplo: Nos vemos en la sala 2.",
  removeText: "Desaparece de todas las páginas y calendarios. Lo encuentra en la papelera.",
  title: "Escribir a los seguidores",
  lead: (count) =>
    count === 0
      ? "El mensaje aparece en la página del calendario. Ningún seguidor ha confirmado todavía un correo, así que nadie lo recibe por correo."
      : `El mensaje va por correo a ${followers(count)} y aparece en la página del calendario.`,
  subject: "Asunto",
  text: "Mensaje",
  shown: "En la página durante",
  days: { "1": "1 día", "3": "3 días", "7": "1 semana", "28": "4 semanas" },
  send: "Enviar …",
  sure: (count) =>
    count === 0
      ? "Aparece enseguida en la página del calendario."
      : `${followers(count)} ${count === 1 ? "lo recibirá" : "lo recibirán"} por correo. Lo enviado no se puede retirar.`,
  sureTitle: "¿Enviar el mensaje?",
  sureSend: "Enviar",
  sent: (count) => (count === 0 ? "El mensaje está en la página." : `El mensaje va a ${followers(count)}.`),
  limit: "Este calendario ha tenido ya 5 mensajes en 24 horas. Envíe el siguiente más tarde.",
  preview: "Vista previa",
  onPage: "En la página",
  asMail: "Como correo",
  open: "Abrir el calendario",
  why: (calendar) => `Recibes esto porque sigues «${calendar}» y has confirmado tu dirección de correo.`,
  stop: "No recibir más estos correos",
  list: "Mensajes enviados",
  none: "Todavía no hay mensajes.",
  counted: (sent, receivers, failed) =>
    `Enviado a ${sent} de ${receivers}${failed === 0 ? "" : `, ${failed} sin entregar`}`,
  until: (when) => `En la página hasta el ${when}`,
  ended: "Ya no está en la página",
  back: "Retirado",
  takeBack: "Retirar",
  takeBackSure:
    "Desaparece de la página, y quien aún no ha recibido el correo no lo recibe. Los correos enviados quedan.",
  takenBack: "El mensaje está retirado.",
};
