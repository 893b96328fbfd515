// What the console says of news by e-mail, where the server sends any: a part of the texts of a language.

export type NewsTexts = typeof news;

const followers = (count: number): string => (count === 1 ? "1 follower" : `${count} followers`);

export const news = {
  tell: (count: number): string =>
    count === 1 ? "1 follower will be told by e-mail" : `${count} followers will be told by e-mail`,
  tellThem: "Followers will be told by e-mail",
  tellHint:
    "About the next 14 days. The e-mail leaves after five minutes, with all that you change until then.",
  note: "A sentence for them",
  noteHint: "They read it in the e-mail, such as: We meet in hall 2.",
  removeText: "It disappears from all pages and calendars. You find it in the trash.",
  title: "Write to followers",
  lead: (count: number): string =>
    count === 0
      ? "The message stands on the page of the calendar. No follower has confirmed an e-mail address yet, so no one gets it by e-mail."
      : `The message goes to ${followers(count)} by e-mail and stands on the page of the calendar.`,
  subject: "Subject",
  text: "Message",
  shown: "On the page for",
  days: { "1": "1 day", "3": "3 days", "7": "1 week", "28": "4 weeks" },
  send: "Send …",
  sure: (count: number): string =>
    count === 0
      ? "It is on the page of the calendar at once."
      : `${followers(count)} will get it by e-mail. What was sent cannot be taken back.`,
  sureTitle: "Send the message?",
  sureSend: "Send",
  sent: (count: number): string =>
    count === 0 ? "The message is on the page." : `The message goes to ${followers(count)}.`,
  limit: "This calendar has had 5 messages in the last 24 hours. Send the next one later.",
  preview: "Preview",
  onPage: "On the page",
  asMail: "As an e-mail",
  open: "Open the calendar",
  why: (calendar: string): string =>
    `You get this because you follow “${calendar}” and have confirmed your e-mail address.`,
  stop: "Stop these e-mails",
  list: "Sent messages",
  none: "No messages yet.",
  counted: (sent: number, receivers: number, failed: number): string =>
    `Sent to ${sent} of ${receivers}${failed === 0 ? "" : `, ${failed} could not be reached`}`,
  until: (when: string): string => `On the page until ${when}`,
  ended: "No longer on the page",
  back: "Taken back",
  takeBack: "Take back",
  takeBackSure:
    "It disappears from the page, and whoever has not got the e-mail yet does not get it. E-mails that were sent stay.",
  takenBack: "The message is taken back.",
};
