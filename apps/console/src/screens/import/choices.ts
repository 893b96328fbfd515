import { eventPart, eventsOfFile, unfolded, valueOf } from "./look-alikes.js";

// What someone may choose of a calendar file before it is imported: the file is changed to that.

const isPrivate = (part: string): boolean => /^(?:private|confidential)$/i.test(valueOf(part, "CLASS"));

/** An event of a file that is not for the public. */
export interface PrivateEvent {
  readonly uid: string;
  readonly title: string;
  /** As eventsOfFile() reads it; "" when it cannot be read. */
  readonly start: string;
}

/** The events that the file says are private, each once. */
export function privateEvents(file: string): readonly PrivateEvent[] {
  const parts = [...unfolded(file).matchAll(eventPart)].map(([part]) => part).filter(isPrivate);
  const events = parts.map((part) => ({
    uid: valueOf(part, "UID"),
    title: textOf(valueOf(part, "SUMMARY")),
    start: eventsOfFile(part)[0]?.start ?? "",
  }));
  return [...new Map(events.map((event) => [event.uid, event])).values()];
}

/** The file in which the events of these UIDs are for the public. */
export function publishing(file: string, uids: ReadonlySet<string>): string {
  if (uids.size === 0) return file;
  return unfolded(file).replace(eventPart, (part) =>
    uids.has(valueOf(part, "UID")) ? part.replace(/^CLASS(?:;[^:\r\n]*)?:.*$/im, "CLASS:PUBLIC") : part,
  );
}

const textOf = (value: string): string => value.replace(/\\([\\;,])/g, "$1");

const line = /^(CATEGORIES(?:;[^:\r\n]*)?:)([^\r\n]*)/gim;

/** The names of a line of categories, as the file has them. */
const namesOf = (value: string): readonly string[] => value.match(/(?:[^\\,]|\\.)+/g) ?? [];

/** The categories of the events of a file, each once. */
export function categoriesOf(file: string): readonly string[] {
  const found = [...unfolded(file).matchAll(line)].flatMap(([, , value = ""]) => namesOf(value));
  return [...new Set(found.map((name) => textOf(name.trim())).filter((name) => name !== ""))];
}

/** The file without these categories; its events stay. */
export function withoutCategories(file: string, unwanted: ReadonlySet<string>): string {
  if (unwanted.size === 0) return file;
  return unfolded(file).replace(line, (_all, head: string, value: string) => {
    const left = namesOf(value).filter((name) => !unwanted.has(textOf(name.trim())));
    return `${head}${left.join(",")}`;
  });
}

/** Names that Outlook gives to colours, in the languages of the console: no filter that followers understand. */
const ofOutlook = [
  /^(?:blue|green|orange|purple|red|yellow) category$/i,
  /^(?:blaue|grüne|orange|lila|violette|rote|gelbe)(?:rote)? kategorie$/i,
  /^catégorie (?:bleue|verte|orange|violette|rouge|jaune)$/i,
  /^categoría (?:azul|verde|naranja|púrpura|morada|roja|amarilla)$/i,
];

/** Whether a category is only a colour in Outlook. */
export function isOnlyColor(category: string): boolean {
  return ofOutlook.some((form) => form.test(category));
}
