// <kalends-follow calendar="https://calendars.example.com/c/…"><a href="…">Follow</a></kalends-follow>
// A button that links to the page of a calendar. Custom properties: --kalends-background and --kalends-color.
const labels = {
  de: "Kalender folgen",
  en: "Follow calendar",
  es: "Seguir calendario",
  fr: "Suivre le calendrier",
};

const style = new CSSStyleSheet();
style.replaceSync(`
  :host { display: inline-block; }
  :host([hidden]) { display: none; }
  a {
    display: inline-flex; align-items: center; gap: 0.625em; min-height: 48px; padding: 0 1.25em; box-sizing: border-box;
    border-radius: 999px; background: var(--kalends-background, #17594f); color: var(--kalends-color, #fff);
    font: 600 1rem/1.2 system-ui, sans-serif; text-decoration: none;
  }
  a:hover { text-decoration: underline; }
  a:focus-visible { outline: 3px solid currentColor; outline-offset: -6px; }
  svg { width: 1.375em; height: 1.375em; flex: none; fill: none; stroke: currentColor; stroke-width: 2.2; stroke-linecap: round; }
  /* By the color-scheme of the site: one that is always light keeps the button for light pages. */
  @supports (color: light-dark(red, red)) {
    a { background: var(--kalends-background, light-dark(#17594f, #8fd6c4)); color: var(--kalends-color, light-dark(#fff, #0d201c)); }
  }
`);

const icon = [
  ["rect", { x: 5, y: 6.5, width: 22, height: 20, rx: 4.5 }],
  ["path", { d: "M5 12h22M11 4v5M21 4v5M16 16v7M12.5 19.5h7" }],
];

function drawIcon() {
  const make = (name) => document.createElementNS("http://www.w3.org/2000/svg", name);
  const svg = make("svg");
  svg.setAttribute("viewBox", "0 0 32 32");
  svg.setAttribute("aria-hidden", "true");
  for (const [name, attributes] of icon) {
    const shape = make(name);
    for (const [key, value] of Object.entries(attributes)) shape.setAttribute(key, value);
    svg.append(shape);
  }
  return svg;
}

class KalendsFollow extends HTMLElement {
  static observedAttributes = ["calendar", "label"];

  connectedCallback() {
    this.draw();
  }

  attributeChangedCallback() {
    if (this.isConnected) this.draw();
  }

  draw() {
    const address = this.getAttribute("calendar") ?? "";
    // Without an http or https address the content of the element stays visible.
    if (!URL.canParse(address) || !/^https?:$/.test(new URL(address).protocol)) return;
    const language = this.closest("[lang]")?.getAttribute("lang") ?? "en";
    const link = document.createElement("a");
    link.href = address;
    link.rel = "noopener";
    link.append(
      drawIcon(),
      this.getAttribute("label") || labels[language.slice(0, 2).toLowerCase()] || labels.en,
    );
    const root = this.shadowRoot ?? this.attachShadow({ mode: "open" });
    root.adoptedStyleSheets = [style];
    root.replaceChildren(link);
  }
}

if (!customElements.get("kalends-follow")) customElements.define("kalends-follow", KalendsFollow);
