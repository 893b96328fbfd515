import { useEffect } from "preact/hooks";
import { t } from "../texts/current.js";

/** Names the window after the screen. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · ${t.app}`;
  }, [title]);
}
