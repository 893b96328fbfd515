import type { QueryKey } from "@tanstack/query-core";
import type { JSX } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { useLoaded } from "../api/loading.js";
import { t } from "../texts/current.js";
import { Failed } from "./states.js";

export interface LongList<Item> {
  readonly value: readonly Item[] | undefined;
  readonly error: unknown;
  readonly reload: () => void;
  /** Shows more: it belongs right behind the list. Undefined where all is shown. */
  readonly more: JSX.Element | undefined;
}

/** Loads the first entries of a list, and as many more on demand. A component that lists something else next needs a `key` of it. */
export function useLongList<Item>(
  key: QueryKey,
  step: number,
  load: (limit: number) => Promise<readonly Item[]>,
): LongList<Item> {
  const [limit, setLimit] = useState(step);
  const { value, error, reload } = useLoaded([...key, limit], async () => ({
    limit,
    items: await load(limit),
  }));
  const shown = useRef(value);
  shown.current = value ?? shown.current;
  // Until the key has changed, the value is the one before.
  const isRead = value?.limit === limit;
  const isWhole = isRead && value.items.length < limit;
  const before = useRef<{ readonly list: Element; readonly rows: number }>(undefined);
  const showMore = (list: Element | null | undefined): void => {
    if (!isRead || !list) return;
    before.current = { list, rows: list.children.length };
    setLimit(limit + step);
  };
  // The button may be gone then, and the focus with it.
  useLayoutEffect(() => {
    if (!isRead || before.current === undefined) return;
    const { list, rows } = before.current;
    before.current = undefined;
    const row = list.children[rows] ?? list.lastElementChild;
    if (!(row instanceof HTMLElement)) return;
    row.tabIndex = -1;
    row.focus();
  }, [isRead]);
  const button = (
    <p class="section-foot">
      <button
        type="button"
        class="quiet"
        onClick={(event) => showMore(event.currentTarget.parentElement?.previousElementSibling)}
      >
        {isRead ? t.showMore : t.loading}
      </button>
    </p>
  );
  const more = value === undefined && error !== null ? <Failed error={error} onRetry={reload} /> : button;
  return { value: shown.current?.items, error, reload, more: isWhole ? undefined : more };
}
