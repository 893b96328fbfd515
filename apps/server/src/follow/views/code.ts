import { html, type Html, printHtml } from "./html.js";
import type { Language } from "./language.js";
import { copyButton } from "./layout.js";

/** Renders code with a button to copy it. */
export function code(language: Language, id: string, snippet: Html): Html {
  return html`<div class="code">
    <pre
      id="${id}"
      tabindex="0"
      role="group"
      aria-label="${language.texts.embed.code}"
    ><code>${printHtml(snippet)}</code></pre>
    ${copyButton(language, id)}
  </div>`;
}
