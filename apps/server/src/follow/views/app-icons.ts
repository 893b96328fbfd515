import type { App } from "../../subscribers/agents.js";
import { html, type Html } from "./html.js";

const tile = (color: string): Html => html`<rect width="32" height="32" rx="8" fill="${color}" />`;

/**
 * Our own drawings, because the logos of the apps are trademarks: each has a colour that people know from the app, and what
 * tells it from its neighbours. Lines are white unless they have a colour.
 */
const drawings: Readonly<Record<App, Html>> = {
  apple: html`${tile("#e9e9ec")}<path d="M10 7.5h12" stroke="#d92d20" stroke-width="3" /><path
      d="m10 15 3-2v12M17 13h7l-4 12"
      stroke="#1d1d1f"
    />`,
  google: html`<rect x="5" y="5" width="20" height="20" fill="#fff" /><g stroke-width="5"
      ><path d="M5 24V7q0-2 2-2h17" stroke="#3b78e7" /><path d="M27 5v19" stroke="#f2b50f" /><path
        d="M5 27h19"
        stroke="#2c9a4b" /></g
    ><path d="M24 30v-6h6z" fill="#df4437" stroke="none" /><path d="m11 16 4 4 6-8" stroke="#3b78e7" />`,
  outlookcom: html`${tile("#0f5fb0")}<path d="M7 11h18v11H7zl9 7 9-7" />`,
  office365: html`${tile("#b5391b")}<path d="M6 12h20v12H6zM12 12V8h8v4M6 17h20" />`,
  outlook: html`${tile("#0f5fb0")}<path d="M6 8h20v13H6zM11 26h10M16 21v5" />`,
  yahoo: html`${tile("#5f01d1")}<path
      d="m8 11 5 7 5-7M13 18v6M23 9l-1.5 9M21.5 21.5v2.5"
      stroke-width="3"
    />`,
  ical: html`${tile("#5b625e")}<path d="M7 10h18v15H7zM7 15h18M12 7v5M20 7v5" />`,
};

export function appIcon(app: App): Html {
  return html`<svg class="app-icon" viewBox="0 0 32 32" aria-hidden="true">${drawings[app]}</svg>`;
}
