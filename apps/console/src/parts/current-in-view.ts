import type { RefObject } from "preact";
import { useEffect, useRef } from "preact/hooks";

/** Has a row of links that is wider than a phone show the current one. @param current changes with it */
export function useCurrentInView(current: string): RefObject<HTMLElement | null> {
  const row = useRef<HTMLElement>(null);
  useEffect(() => {
    const link = row.current?.querySelector("[aria-current]");
    if (row.current === null || link === null || link === undefined) return;
    const [outer, inner] = [row.current.getBoundingClientRect(), link.getBoundingClientRect()];
    if (inner.right > outer.right) row.current.scrollLeft += inner.right - outer.right;
  }, [current]);
  return row;
}
