import type { QueryKey } from "@tanstack/query-core";
import type { JSX } from "preact";
import { useRef, useState } from "preact/hooks";
import { useLoaded } from "../api/loading.js";
import { t } from "../texts/current.js";
import { Failed } from "./states.js";

export interface LongList<Item> {
  readonly value: readonly Item[] | undefined;
  readonly error: unknown;
  readonly reload: () => void;
  /** Shows more below the list; undefined where all is shown. */
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
  const button = (
    <p class="section-foot">
      <button type="button" class="quiet" onClick={() => isRead && setLimit(limit + step)}>
        {isRead ? t.showMore : t.loading}
      </button>
    </p>
  );
  const more = value === undefined && error !== null ? <Failed error={error} onRetry={reload} /> : button;
  return { value: shown.current?.items, error, reload, more: isWhole ? undefined : more };
}
