// What is typed and not saved yet, kept for the tab: a reload, an ended session or a newer version of the console loses none of it.

type Fields = Readonly<Record<string, string>>;

const prefix = "kalends-draft:";

/** Where drafts are kept; what a test gives, or the tab's storage, which some browsers refuse. */
export interface Store {
  readonly getItem: (key: string) => string | null;
  readonly setItem: (key: string, value: string) => void;
  readonly removeItem: (key: string) => void;
}

/** What was typed into a form: those of its fields that were changed. */
export interface Draft {
  readonly fields: Fields;
  /** What these fields had: it may have changed since. */
  readonly before: Fields;
}

export function readDraft(store: Store, form: string): Draft | undefined {
  try {
    const read: unknown = JSON.parse(store.getItem(prefix + form) ?? "null");
    const { fields, before }: Draft = Object(read);
    const isDraft = [fields, before].every((part) =>
      Object.values(part).every((text) => typeof text === "string"),
    );
    return isDraft ? { fields, before } : undefined;
  } catch {
    return undefined; // not ours, or no storage
  }
}

/** Keeps what differs from the fields that the form began with; nothing when none does. */
export function keepDraft(store: Store, form: string, fields: Fields, initial: Fields): void {
  const changed = Object.entries(fields).filter(([name, value]) => value !== (initial[name] ?? ""));
  try {
    if (changed.length === 0) store.removeItem(prefix + form);
    else {
      const before = changed.map(([name]) => [name, initial[name] ?? ""]);
      const draft = { fields: Object.fromEntries(changed), before: Object.fromEntries(before) };
      store.setItem(prefix + form, JSON.stringify(draft));
    }
  } catch {
    // Full or refused: the form itself still has it.
  }
}

export function dropDraft(store: Store, form: string): void {
  keepDraft(store, form, {}, {});
}
