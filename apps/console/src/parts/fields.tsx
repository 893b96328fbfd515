import { type ComponentChildren, createContext, type JSX } from "preact";
import { useContext, useEffect, useId, useRef, useState } from "preact/hooks";
import { firstDay, lastDay } from "../dates/days.js";
import { t } from "../texts/current.js";

/** How often the form was sent: what was wrong with a field then is gone when something is typed into it. */
export const Attempt = createContext<number | undefined>(undefined);

interface FieldProps {
  readonly label: string;
  readonly hint?: string | undefined;
  /** What is wrong with it; "" or undefined when nothing is. */
  readonly error?: string | undefined;
  readonly isOptional?: boolean;
  /** Draws the control with these attributes. */
  readonly children: (control: ControlProps) => ComponentChildren;
}

interface ControlProps {
  readonly id: string;
  readonly "aria-describedby": string | undefined;
  readonly "aria-invalid": "true" | undefined;
}

/** A label, a control, its hint and what is wrong with it. */
export function Field({ label, hint, error, isOptional = false, children }: FieldProps): JSX.Element {
  const id = useId();
  const attempt = useContext(Attempt);
  const [typedAt, setTypedAt] = useState<number>();
  const isTyped = attempt !== undefined && typedAt === attempt;
  const hasError = error !== undefined && error !== "" && !isTyped;
  const hinted = hasError && hint === error ? undefined : hint;
  const described = [hinted === undefined ? "" : `${id}-hint`, hasError ? `${id}-error` : ""]
    .join(" ")
    .trim();
  return (
    <div class="field" onInput={() => setTypedAt(attempt)}>
      <label for={id}>
        {label}
        {isOptional ? <span class="soft"> ({t.optional})</span> : undefined}
      </label>
      {children({
        id,
        "aria-describedby": described === "" ? undefined : described,
        "aria-invalid": hasError ? "true" : undefined,
      })}
      {hinted === undefined ? undefined : (
        <p class="hint" id={`${id}-hint`}>
          {hinted}
        </p>
      )}
      {hasError ? (
        <p class="error" id={`${id}-error`}>
          {error}
        </p>
      ) : undefined}
    </div>
  );
}

interface TextProps extends Omit<FieldProps, "children"> {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly type?: "text" | "email" | "number" | "date";
  readonly isLong?: boolean;
  readonly list?: string | undefined;
  readonly maxLength?: number;
}

/** A field for a text of one line, or of many. */
export function TextField({
  value,
  onChange,
  type = "text",
  isLong,
  list,
  maxLength,
  ...field
}: TextProps): JSX.Element {
  return (
    <Field {...field}>
      {(control) =>
        isLong === true ? (
          <textarea
            {...control}
            rows={4}
            value={value}
            onInput={(event) => onChange(event.currentTarget.value)}
          />
        ) : (
          <input
            {...control}
            type={type}
            {...(type === "date" ? { min: firstDay, max: lastDay } : {})}
            list={list}
            maxLength={maxLength}
            value={value}
            autocomplete="off"
            onInput={(event) => onChange(event.currentTarget.value)}
          />
        )
      }
    </Field>
  );
}

interface ChoiceProps extends Omit<FieldProps, "children"> {
  readonly value: string;
  readonly options: readonly (readonly [value: string, label: string])[];
  readonly onChange: (value: string) => void;
}

/** A field for one of several values. */
export function ChoiceField({ value, options, onChange, ...field }: ChoiceProps): JSX.Element {
  return (
    <Field {...field}>
      {(control) => (
        <select {...control} value={value} onChange={(event) => onChange(event.currentTarget.value)}>
          {options.map(([each, label]) => (
            <option key={each} value={each} selected={each === value}>
              {label}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

/** A read-only field with a button that copies it; without the clipboard, as on plain http, the text is selected. */
export function CopyField({ label, value }: { readonly label: string; readonly value: string }): JSX.Element {
  const ref = useRef<HTMLInputElement>(null);
  const [said, setSaid] = useState("");
  useEffect(() => setSaid(""), [value]);
  const copy = async (): Promise<void> => {
    ref.current?.select();
    const isCopied = await writeClipboard(value);
    setSaid(isCopied ? t.copied : t.copyByHand);
  };
  return (
    <div class="copy-row">
      <input ref={ref} type="text" readOnly value={value} aria-label={label} dir="ltr" spellcheck={false} />
      <button type="button" class="quiet" onClick={() => void copy()}>
        {t.copy}
      </button>
      <p class="hint" role="status">
        {said}
      </p>
    </div>
  );
}

async function writeClipboard(text: string): Promise<boolean> {
  try {
    const { clipboard }: { clipboard?: Clipboard } = navigator; // absent on plain http
    if (clipboard === undefined) return false;
    await clipboard.writeText(text);
    return true;
  } catch {
    return false; // not allowed
  }
}
