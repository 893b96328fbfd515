import { createContext, type ComponentChildren, type JSX } from "preact";
import { useContext, useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Submit } from "../api/submitting.js";
import { differing } from "../drafts/differing.js";
import { dropDraft, keepDraft, readDraft, type Store } from "../drafts/drafts.js";
import { Failure } from "./states.js";
import { t } from "../texts/current.js";
import { Dialog } from "./dialog.js";
import { Attempt } from "./fields.js";

/** The tab's storage, which some browsers refuse. */
const store: Store = {
  getItem: (key) => sessionStorage.getItem(key),
  setItem: (key, value) => sessionStorage.setItem(key, value),
  removeItem: (key) => sessionStorage.removeItem(key),
};

/** What is typed into a form. */
export interface Form<Names extends Readonly<Record<string, string>>> {
  readonly fields: Names;
  /** Whether something was typed that is not saved. */
  readonly isChanged: boolean;
  /** Whether it began with what was typed before, such as before a reload. */
  readonly isRestored: boolean;
  /** Fields of what was typed before that someone else has changed since, as they were then. */
  readonly older: Partial<Names>;
  readonly set: (changes: Partial<Names>) => void;
  /** Forgets what was typed: it is saved, or discarded. */
  readonly saved: () => void;
  readonly reset: () => void;
}

/** Id of the account whose page it is: what is typed into its forms is offered again in no other account. */
export const AccountId = createContext("");

/** Keeps what is typed into a form of that name. @param initial the fields as they are saved */
export function useForm<Names extends Readonly<Record<string, string>>>(
  form: string,
  initial: Names,
): Form<Names> {
  const name = `${useContext(AccountId)} ${form}`;
  const [draft, setDraft] = useState(() => readDraft(store, name));
  const [began, setBegan] = useState<Names>({ ...initial, ...draft?.before });
  const [fields, setFields] = useState<Names>({ ...initial, ...draft?.fields });
  // At once: an effect that waits for the next picture does not run when the form goes before it.
  useLayoutEffect(() => keepDraft(store, name, fields, began), [name, fields, began]);
  return {
    fields,
    isChanged: Object.entries(fields).some(([field, value]) => value !== began[field]),
    isRestored: draft !== undefined,
    older: draft === undefined ? {} : differing(initial, { ...initial, ...draft.before }),
    set: (changes) => setFields((now) => ({ ...now, ...changes })),
    saved: () => {
      dropDraft(store, name);
      setDraft(undefined);
      setBegan(fields);
    },
    reset: () => {
      dropDraft(store, name);
      setDraft(undefined);
      const from = draft === undefined ? began : initial;
      setBegan(from);
      setFields(from);
    },
  };
}

interface FieldsProps {
  readonly form: Pick<Form<Readonly<Record<string, string>>>, "isChanged" | "isRestored" | "reset">;
  readonly submit: Submit;
  readonly title: string;
  readonly action: string;
  readonly size?: "small" | "large";
  readonly children: ComponentChildren;
  /** Beside the button that saves. */
  readonly others?: ComponentChildren;
  readonly onSave: () => Promise<void>;
  readonly onClose: () => void;
}

/** A form in a dialog: Escape asks before anything that was typed is lost. */
export function Fields({
  form,
  submit,
  title,
  action,
  size = "small",
  children,
  others,
  onSave,
  onClose,
}: FieldsProps): JSX.Element {
  const ref = useRef<HTMLFormElement>(null);
  const [asks, setAsks] = useState(false);
  const [attempt, setAttempt] = useState(0);
  const [typedAt, setTypedAt] = useState(-1);
  const isMistake = Object.keys(submit.fields).length > 0;
  // What the server refuses may come after the save has asked something and returned.
  useEffect(() => {
    if (isMistake) requestAnimationFrame(() => showMistake(ref.current));
  }, [submit.error]);
  const leave = (): void => (form.isChanged ? setAsks(true) : onClose());
  const save = async (): Promise<void> => {
    if (submit.isRunning) return;
    setAttempt(attempt + 1);
    await onSave();
    requestAnimationFrame(() => showMistake(ref.current));
  };
  const discard = (): void => {
    form.reset();
    onClose();
  };
  return (
    <Dialog title={title} onClose={leave} size={size}>
      <Restored form={form} text={t.event.draft} />
      <form
        ref={ref}
        noValidate
        onInput={() => setTypedAt(attempt)}
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <Attempt.Provider value={attempt}>{children}</Attempt.Provider>
        <div class="dialog-foot">
          <Failure text={isMistake && typedAt === attempt ? "" : failureText(submit)} />
          {others}
          <button type="submit" class={submit.isRunning ? "running" : ""} aria-disabled={submit.isRunning}>
            {submit.failure === "" || isMistake ? action : t.retry}
          </button>
        </div>
      </form>
      {asks ? <Leave onStay={() => setAsks(false)} onDiscard={discard} /> : undefined}
    </Dialog>
  );
}

type Shown = Pick<Form<Readonly<Record<string, string>>>, "isRestored" | "older" | "reset">;

interface RestoredProps {
  readonly form: Pick<Shown, "isRestored" | "reset">;
  readonly text: string;
}

/** Says that a form begins with what was typed before, which can be dropped. */
function Restored({ form, text }: RestoredProps): JSX.Element | null {
  if (!form.isRestored) return null;
  return (
    <p class="notice">
      {text}{" "}
      <button type="button" class="link" onClick={form.reset}>
        {t.event.dropDraft}
      </button>
    </p>
  );
}

/** The same in a section, whose save replaces what someone else has changed since. */
export function RestoredSection({ form }: { readonly form: Shown }): JSX.Element {
  const isOlder = Object.keys(form.older).length > 0;
  return <Restored form={form} text={isOlder ? t.history.draft : t.event.draft} />;
}

interface SectionFormProps {
  readonly form: Shown;
  readonly children: ComponentChildren;
  readonly failure: string;
  readonly action?: string;
  readonly onSave: () => Promise<void>;
}

/** A form in a section of a page. */
export function SectionForm({
  form,
  children,
  failure,
  action = t.save,
  onSave,
}: SectionFormProps): JSX.Element {
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void onSave();
      }}
    >
      {children}
      <RestoredSection form={form} />
      <Failure text={failure} />
      <p class="section-foot">
        <button type="submit">{action}</button>
      </p>
    </form>
  );
}

/** Why nothing was saved; where the connection was at fault, that it is kept too. */
export function failureText({ failure, fields }: Pick<Submit, "failure" | "fields">): string {
  return failure === "" || Object.keys(fields).length > 0 ? failure : `${failure} ${t.event.notSaved}`;
}

/** Brings the first field that is marked into view, with the focus. */
function showMistake(form: HTMLFormElement | null): void {
  const wrong = form?.querySelector<HTMLElement>('[aria-invalid="true"]');
  const folded = wrong?.closest("details");
  if (folded !== null && folded !== undefined) folded.open = true;
  wrong?.focus();
  wrong?.scrollIntoView({ block: "center" });
}

function Leave({
  onStay,
  onDiscard,
}: {
  readonly onStay: () => void;
  readonly onDiscard: () => void;
}): JSX.Element {
  return (
    <Dialog title={t.event.leave.title} onClose={onStay}>
      <p>{t.event.leave.text}</p>
      <div class="dialog-foot">
        <button type="button" class="quiet" onClick={onDiscard}>
          {t.event.leave.discard}
        </button>
        <button type="button" onClick={onStay}>
          {t.event.leave.stay}
        </button>
      </div>
    </Dialog>
  );
}
