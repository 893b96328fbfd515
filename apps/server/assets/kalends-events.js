// <kalends-events calendar="https://calendars.example.com/c/…" limit="5"><a href="…">Concerts</a></kalends-events>
// A list of the next events of a calendar, each a link to its page. Until it is there, the content of the element is shown.
// Custom properties: --kalends-list-color, -muted, -border, -font and -row (the least height of an event).
const words = {
  de: [
    "Nächste Termine",
    "Zurzeit ist nichts geplant.",
    "Ganztägig",
    "Abgesagt",
    "Unter Vorbehalt",
    "Auch am",
  ],
  en: ["Next events", "Nothing is planned at present.", "All day", "Cancelled", "Tentative", "Also on"],
  es: [
    "Próximos eventos",
    "Por ahora no hay nada previsto.",
    "Todo el día",
    "Cancelado",
    "Provisional",
    "También el",
  ],
  fr: [
    "Prochains événements",
    "Rien n’est prévu pour le moment.",
    "Toute la journée",
    "Annulé",
    "Provisoire",
    "Aussi le",
  ],
};

const style = new CSSStyleSheet();
style.replaceSync(`
  :host {
    display: block; box-sizing: border-box; min-height: calc(var(--kalends-list-row, 4.25em) * var(--rows));
    color: var(--kalends-list-color, inherit); font: var(--kalends-list-font, inherit);
  }
  :host([hidden]) { display: none; }
  ol, p { margin: 0; padding: 0; list-style: none; }
  li { border-top: 1px solid var(--kalends-list-border, color-mix(in srgb, currentColor 22%, transparent)); box-sizing: border-box; display: flex; min-height: var(--kalends-list-row, 4.25em); }
  li:first-child { border-color: transparent; }
  a { display: flex; flex-direction: column; justify-content: center; flex: 1; min-width: 0; color: inherit; text-decoration: none; line-height: 1.4; }
  a:hover .title { text-decoration: underline; }
  a:focus-visible { outline: 3px solid; outline-offset: -3px; }
  span { overflow-wrap: anywhere; }
  .title { width: fit-content; font-weight: 600; }
  .when { color: var(--kalends-list-muted, inherit); font-size: 0.875em; }
`);

const dayMs = 86_400_000;
const nightMs = dayMs / 4;

const languageOf = (tag) => tag.toLowerCase().split("-")[0];

/** Europe/Berlin is Berlin: there is little room on a phone. */
const cityOf = (zone) => zone.split("/").at(-1).replaceAll("_", " ");

/** The formatters of a language; of English where its tag is none. */
function formatsOf(language) {
  const make = (options) => {
    const all = { ...options, calendar: "gregory", timeZone: "UTC" };
    try {
      return new Intl.DateTimeFormat(language, all);
    } catch {
      return new Intl.DateTimeFormat("en", all);
    }
  };
  const day = { day: "numeric", month: "short" };
  const date = { weekday: "short", ...day };
  const time = { hour: "numeric", minute: "2-digit" };
  const year = { year: "numeric" };
  return {
    day: make(day),
    date: [make(date), make({ ...date, ...year })],
    both: [make({ ...date, ...time }), make({ ...date, ...time, ...year })],
    time: make({ timeStyle: "short" }),
  };
}

/** The time of an event. Its wall clock is read as if it were UTC: the zone data of a browser may be behind. */
function timeOf({ all_day_event: isAllDay, start_date: start, end_date: end }, formats, allDay) {
  const [from, given] = [start, end].map((text) => new Date(isAllDay ? text : `${text}Z`));
  const to = given < from ? from : given; // the clock may go back between the two
  const thisYear = new Date().getFullYear();
  const at = [from, to].every((one) => one.getUTCFullYear() === thisYear) ? 0 : 1;
  if (isAllDay) return `${formats.date[at].formatRange(from, to)} · ${allDay}`;
  // As on the calendar's page: an event shorter than a day is on one day when it ends before 6:00 of the next.
  const last = to - (to - from < dayMs ? nightMs : 1);
  const isOneDay = Math.floor(last / dayMs) <= Math.floor(from / dayMs);
  if (!isOneDay) return formats.both[at].formatRange(from, to);
  const hours =
    start.slice(0, 10) === end.slice(0, 10)
      ? formats.time.formatRange(from, to)
      : `${formats.time.format(from)} – ${formats.time.format(to)}`;
  return `${formats.date[at].format(from)} · ${hours}`;
}

function make(name, properties, ...content) {
  const element = Object.assign(document.createElement(name), properties);
  element.append(...content);
  return element;
}

class KalendsEvents extends HTMLElement {
  static observedAttributes = ["calendar", "limit"];
  #turn = 0;
  #isDue = false;

  connectedCallback() {
    this.#loadSoon();
  }

  attributeChangedCallback() {
    if (this.isConnected) this.#loadSoon();
  }

  /** Loads once for all that happens at once: an element that is upgraded gets each of its attributes, then is connected. */
  #loadSoon() {
    if (this.#isDue) return;
    this.#isDue = true;
    queueMicrotask(() => {
      this.#isDue = false;
      void this.load();
    });
  }

  async load() {
    const turn = ++this.#turn;
    const root = this.shadowRoot ?? this.attachShadow({ mode: "open" });
    const given = this.getAttribute("limit") ?? "";
    const limit = /^[1-9]\d?$/.test(given) ? Math.min(Number(given), 50) : 5;
    const rows = new CSSStyleSheet();
    rows.replaceSync(`:host { --rows: ${limit}; }`);
    root.adoptedStyleSheets = [style, rows];
    if (root.childNodes.length === 0) root.append(make("slot"));
    try {
      const url = new URL(this.getAttribute("calendar") ?? "", document.baseURI);
      url.pathname = `${url.pathname.replace(/\/$/, "")}/upcoming.json`;
      url.search = `?limit=${limit}&group=series`;
      if (!/^https?:$/.test(url.protocol)) return;
      const response = await fetch(url, { credentials: "omit" });
      if (!response.ok) throw new Error(`the list of events answered ${response.status}`);
      const { calendar, events } = await response.json();
      if (turn === this.#turn) root.replaceChildren(this.list(calendar, events, url));
    } catch {
      // The content of the element stays, or the list that was there.
    }
  }

  list(calendar, events, base) {
    const given = this.closest("[lang]")?.getAttribute("lang") || "en";
    const own = languageOf(given);
    // The language is the page's, its country the visitor's: 19:30 or 7:30 PM.
    const language = navigator.languages.find((one) => languageOf(one) === own) ?? given;
    const lang = Object.hasOwn(words, own) ? own : "en";
    const [label, none, allDay, cancelled, tentative, also] = words[lang];
    const colon = lang === "fr" ? "\u00a0: " : ": ";
    if (events.length === 0) return make("p", { lang }, none);
    const formats = formatsOf(language);
    const isElsewhere = Intl.DateTimeFormat().resolvedOptions().timeZone !== calendar.timezone;
    const items = events.map((event) => {
      const { title, status, location, all_day_event: isAllDay, start_at: start } = event;
      const word = { cancelled, tentative }[status];
      const name = make("span", { className: "title", dir: "auto" });
      if (word) name.append(make("bdi", { lang }, word), colon);
      name.append(status === "cancelled" ? make("s", {}, title) : title);
      const when = make("span", { className: "when" });
      when.append(
        make("time", { dateTime: isAllDay ? event.start_date : start }, timeOf(event, formats, allDay)),
      );
      if (isElsewhere && !isAllDay) when.append(` (${cityOf(calendar.timezone)})`);
      if (location) when.append(" · ", make("bdi", {}, location));
      const link = make("a", { href: new URL(event.url, base).href, rel: "noopener" }, name, when);
      const days = event.next_dates
        .map((text) => formats.day.format(new Date(text.slice(0, 10))))
        .join(" · ");
      if (days) link.append(make("span", { className: "when" }, make("span", { lang }, also), colon, days));
      return make("li", {}, link);
    });
    const list = make("ol", {}, ...items);
    list.setAttribute("role", "list"); // which Safari takes from a list without marks
    list.setAttribute("aria-label", label);
    return list;
  }
}

if (!customElements.get("kalends-events")) customElements.define("kalends-events", KalendsEvents);
