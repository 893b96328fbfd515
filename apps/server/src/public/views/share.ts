import { html, type Html } from "./html.js";
import { copyField, type Language } from "./layout.js";

/** What a page is passed on with. */
interface Shared {
  readonly title: string;
  /** The whole URL of the page. */
  readonly address: string;
  /** The id of the field that the address is copied from. */
  readonly id: string;
}

/** Renders the ways to pass a page on. page.js shows the device's own, which needs a script; the others are links. */
export function shareLinks({ texts }: Pick<Language, "texts">, { title, address, id }: Shared): Html {
  const t = texts.share;
  const text = encodeURIComponent(`${title.toWellFormed()}\n${address}`);
  const subject = encodeURIComponent(title.toWellFormed());
  const link = (href: string, label: string): Html =>
    html`<li><a class="button quiet" href="${href}" rel="noopener noreferrer nofollow">${label}</a></li>`;
  return html`<ul class="share-links">
      <li hidden><button type="button" data-share="${id}">${t.now}</button></li>
      ${link(`https://wa.me/?text=${text}`, "WhatsApp")}${link(`mailto:?subject=${subject}&body=${text}`, t.mail)}
    </ul>
    ${copyField({ texts }, id, t.address, address)}`;
}
