import type { FoundEvent } from "@kalends/client/extensions";
import { useEffect, useRef } from "preact/hooks";
import { useMedia } from "../parts/media.js";
import type { DropEvent } from "./dragged.js";

/**
 * Lets the events in an element be dragged, where there is a fine pointer. What does so is loaded apart; without it dates are changed in the
 * event's form, as by keys.
 */
export function useDragging(
  ref: { readonly current: HTMLElement | null },
  find: (id: string) => FoundEvent | undefined,
  onDrop: DropEvent | undefined,
): void {
  const isOn = useMedia("(pointer: fine)") && onDrop !== undefined;
  const latest = useRef({ find, onDrop });
  latest.current = { find, onDrop };
  useEffect(() => {
    const element = ref.current;
    if (element === null || !isOn) return undefined;
    let stop: (() => void) | undefined;
    let isGone = false;
    import("./dragging.js").then(
      ({ dragIn }) => {
        if (isGone) return;
        stop = dragIn(element, {
          find: (id) => latest.current.find(id),
          onDrop: (event, when) => latest.current.onDrop?.(event, when),
        });
      },
      () => undefined, // a newer release: the next screen says so
    );
    return () => {
      isGone = true;
      stop?.();
    };
  }, [isOn]);
}
