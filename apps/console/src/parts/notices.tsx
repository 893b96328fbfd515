import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { loadAgain } from "../api/loading.js";
import { sayFailure, statusOf } from "../api/failures.js";
import { useAddress } from "../router/location.js";
import { t } from "../texts/current.js";
import { createStore } from "./store.js";

/** What was done, and how it is taken back. It goes after ten seconds, unless the pointer or the focus is in it, and when the reader goes on. */
interface Notice {
  readonly text: string;
  readonly undo?: (() => Promise<unknown>) | undefined;
  readonly isFailure?: boolean;
  /** When it came, in ms. */
  readonly since: number;
}

const shownMs = 10_000;
/** A save closes its form after it has said so: that is no step of the reader's. */
const ownStepMs = 1_000;

const shown = createStore<Notice | undefined>(undefined);

/** Says what was done. */
export function notify(text: string, undo?: Notice["undo"]): void {
  shown.set({ text, undo, since: Date.now() });
}

export function notifyFailure(error: unknown): void {
  shown.set({ text: sayFailure(error), isFailure: true, since: Date.now() });
}

/** Takes back what a notice offers, once: the button goes before the answer comes. */
async function undone({ text, undo, since }: Notice): Promise<void> {
  if (undo === undefined || shown.get()?.undo !== undo) return;
  shown.set({ text, since });
  try {
    await undo();
    notify(t.undone);
    await loadAgain();
  } catch (error) {
    if (statusOf(error) !== 412) return notifyFailure(error);
    shown.set({ text: t.history.notUndone, isFailure: true, since: Date.now() });
    await loadAgain();
  }
}

/** The line at the bottom. It is always in the page, so that screen readers notice what comes into it. */
export function Notices(): JSX.Element {
  const notice = shown.use();
  const ref = useRef<HTMLDivElement>(null);
  const { path, query } = useAddress();
  useEffect(() => {
    if (notice !== undefined && Date.now() - notice.since > ownStepMs) shown.set(undefined);
  }, [path, query["event"], query["new"]]);
  useEffect(() => {
    const timer = setInterval(() => {
      // The effect of a newer notice may not have run yet.
      if (shown.get() === notice && ref.current?.matches(":hover, :focus-within") !== true)
        shown.set(undefined);
    }, shownMs);
    return () => clearInterval(timer);
  }, [notice]);
  return (
    <div ref={ref} class="notices" role="status">
      {notice === undefined ? undefined : (
        <div class={notice.isFailure === true ? "notice-line failed" : "notice-line"}>
          <p>{notice.text}</p>
          {notice.undo === undefined ? undefined : (
            <button type="button" class="on-dark" onClick={() => void undone(notice)}>
              {t.undo}
            </button>
          )}
          <button
            type="button"
            class="on-dark icon-only"
            aria-label={t.close}
            onClick={() => shown.set(undefined)}
          >
            <Cross />
          </button>
        </div>
      )}
    </div>
  );
}

export function Cross(): JSX.Element {
  return (
    <svg class="glyph" viewBox="0 0 24 24" aria-hidden="true">
      <path d="M6 6l12 12M18 6L6 18" />
    </svg>
  );
}
