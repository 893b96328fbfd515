import type { ComponentChildren, JSX } from "preact";
import { sayFailure, statusOf } from "../api/failures.js";
import { hrefOf } from "../router/location.js";
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

/** What is shown in place of something that could not be loaded. What is refused or gone stays so. */
export function Failed({ error, onRetry }: FailedProps): JSX.Element {
  return (
    <div class="card state" role="alert">
      <p>{sayFailure(error)}</p>
      {[403, 404, 410].includes(statusOf(error) ?? 0) ? undefined : (
        <button type="button" class="quiet" onClick={onRetry}>
          {t.retry}
        </button>
      )}
    </div>
  );
}

interface MissingProps {
  readonly title?: string;
  readonly text: string;
}

/** What is shown instead of a page that is not there, or cannot be drawn. */
export function Missing({ title = t.unknown.title, text }: MissingProps): JSX.Element {
  return (
    <div class="card state" role="alert">
      <h1>{title}</h1>
      <p>{text}</p>
      <a class="button" href={hrefOf("/")}>
        {t.unknown.go}
      </a>
    </div>
  );
}

/** What is shown in place of a calendar that could not be loaded: it may be gone. */
export function NoCalendar({ error, onRetry }: FailedProps): JSX.Element {
  const isGone = [403, 404, 410].includes(statusOf(error) ?? 0);
  return isGone ? <Missing text={sayFailure(error)} /> : <Failed error={error} onRetry={onRetry} />;
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
