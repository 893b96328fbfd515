import type { ComponentChildren, JSX } from "preact";
import { sayFailure } from "../api/failures.js";
import { t } from "../texts/current.js";

export function Loading(): JSX.Element {
  return (
    <p class="soft loading" role="status">
      {t.loading}
    </p>
  );
}

interface FailedProps {
  readonly error: unknown;
  readonly onRetry: () => void;
}

/** What is shown in place of something that could not be loaded. */
export function Failed({ error, onRetry }: FailedProps): JSX.Element {
  return (
    <div class="card state" role="alert">
      <p>{sayFailure(error)}</p>
      <button type="button" class="quiet" onClick={onRetry}>
        {t.retry}
      </button>
    </div>
  );
}

/** What is shown where there is nothing yet. */
export function Empty({
  title,
  children,
}: {
  readonly title: string;
  readonly children?: ComponentChildren;
}): JSX.Element {
  return (
    <div class="card state">
      <p class="state-title">{title}</p>
      {children}
    </div>
  );
}

/** A newer release has other files: what was typed is kept as drafts, so that the page can be loaded again. */
export function NewVersion(): JSX.Element {
  return (
    <div class="card state" role="alert">
      <p>{t.newVersion}</p>
      <button type="button" onClick={() => location.reload()}>
        {t.reload}
      </button>
    </div>
  );
}

/** Why something failed; nothing when it did not. */
export function Failure({ text }: { readonly text: string }): JSX.Element | null {
  if (text === "") return null;
  return (
    <p class="failure" role="alert">
      {text}
    </p>
  );
}
