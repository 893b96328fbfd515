import { useEffect } from "preact/hooks";
import { t } from "../texts/current.js";

/** Names the window after the screen, and its main part, which has the focus when the screen is new. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · ${t.app}`;
    document.getElementById("main")?.setAttribute("aria-label", title);
  }, [title]);
}
