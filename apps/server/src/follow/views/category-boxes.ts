import { html, type Html } from "./html.js";
import type { Language } from "./language.js";

/** Renders a box for each category; undefined when there is none. The field `choose` says that boxes were offered. */
export function categoryBoxes(
  categories: readonly string[],
  isTicked: (name: string) => boolean,
  { texts }: Language,
): Html | undefined {
  if (categories.length === 0) return undefined;
  const boxes = categories.map(
    (name) =>
      html`<label
        ><input
          type="checkbox"
          name="category"
          value="${name}"
          ${isTicked(name) ? html`checked` : undefined}
        /><span dir="auto">${name}</span></label
      >`,
  );
  return html`<fieldset class="categories" aria-describedby="categories-note">
    <legend>${texts.categories.which}</legend>
    <input type="hidden" name="choose" value="1" />
    <div class="boxes">${boxes}</div>
    <p class="note" id="categories-note">${texts.categories.note}</p>
  </fieldset>`;
}
