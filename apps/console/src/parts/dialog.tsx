import type { ComponentChildren, JSX } from "preact";
import { useId, useLayoutEffect, useRef } from "preact/hooks";
import { t } from "../texts/current.js";
import { Cross } from "./notices.js";

interface Props {
  readonly title: string;
  readonly children: ComponentChildren;
  /** Called by Escape and by the cross, which close nothing by themselves. */
  readonly onClose: () => void;
  readonly size?: "small" | "large";
  /** Whether it has no cross: what it asks must be answered. */
  readonly mustAnswer?: boolean;
}

/** A native modal dialog. Before it goes, it is closed, so that the focus returns to where it was. */
export function Dialog({ title, children, onClose, size = "small", mustAnswer = false }: Props): JSX.Element {
  const ref = useRef<HTMLDialogElement>(null);
  const id = useId();
  // At once, so that what is typed right after a key opened it goes into it.
  useLayoutEffect(() => {
    const dialog = ref.current;
    const before = document.activeElement;
    dialog?.showModal();
    // A form begins with its first field, a question with its text: not with the cross.
    const first = dialog?.querySelector<HTMLElement>("form input, form textarea, form select");
    (first ?? dialog?.querySelector("h2"))?.focus();
    return () => {
      dialog?.close();
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  return (
    <dialog
      ref={ref}
      class={`dialog ${size}`}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onKeyDown={(event) => {
        // A field sends the form around it by Enter, also one that this dialog stands over.
        const { currentTarget, target } = event;
        if (
          event.key === "Enter" &&
          target instanceof HTMLInputElement &&
          target.form?.contains(currentTarget)
        )
          event.preventDefault();
        // Chromium closes a dialog at the second Escape, whatever was said to the first.
        if (event.key !== "Escape") return;
        event.preventDefault();
        event.stopPropagation();
        onClose();
      }}
    >
      <header class="dialog-head">
        <h2 id={id} tabIndex={-1}>
          {title}
        </h2>
        {mustAnswer ? undefined : (
          <button type="button" class="quiet icon-only" aria-label={t.close} onClick={onClose}>
            <Cross />
          </button>
        )}
      </header>
      {children}
    </dialog>
  );
}

interface ConfirmProps {
  readonly title: string;
  readonly text: string;
  readonly action: string;
  readonly isDanger?: boolean;
  /** Whether all that is asked stands there. */
  readonly isReady?: boolean;
  /** Below the text. */
  readonly children?: ComponentChildren;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

/** A question with two answers. */
export function Confirm({
  title,
  text,
  action,
  isDanger = false,
  isReady = true,
  children,
  onConfirm,
  onClose,
}: ConfirmProps): JSX.Element {
  return (
    <Dialog title={title} onClose={onClose}>
      <p>{text}</p>
      {children}
      <div class="dialog-foot">
        <button type="button" class="quiet" onClick={onClose}>
          {t.cancel}
        </button>
        <button type="button" class={isDanger ? "danger filled" : ""} disabled={!isReady} onClick={onConfirm}>
          {action}
        </button>
      </div>
    </Dialog>
  );
}
