import type { FoundEvent } from "@kalends/client/extensions";
import { shortDay, timesOn, type When } from "../dates/words.js";
import { locale } from "../texts/current.js";
import { shownTitle } from "../texts/titles.js";
import { dayMinutes, isAboveHours, spanOf } from "./days-of.js";
import { type Drag, dragged, type DropEvent, type Spot } from "./dragged.js";
import { partOn } from "./week-layout.js";

interface Options {
  readonly find: (id: string) => FoundEvent | undefined;
  readonly onDrop: DropEvent;
}

/** Pixels that the pointer moves before a press is a drag, and how wide the edge is that lengthens an event. */
const [slack, edgeWidth] = [5, 8];

/** Pixels from the edge of what can be seen within which it is scrolled, every so many ms. */
const [edgeOfView, scrollMs] = [20, 50];

/** Lets events be dragged in a month or a week. Returns what ends it. */
export function dragIn(area: HTMLElement, { find, onDrop }: Options): () => void {
  let end: (() => void) | undefined;
  const press = (down: PointerEvent): void => {
    if (down.button !== 0 || down.pointerType === "touch" || !(down.target instanceof Element)) return;
    const target = down.target.closest<HTMLElement>("[data-event]");
    const event = find(target?.dataset["event"] ?? "");
    const from = spotAt(area, down);
    if (target === null || event === undefined || from === undefined) return;
    end?.();
    end = follow(area, down, { event, from, what: isOnEdge(target, down) ? "end" : "event", onDrop });
  };
  area.addEventListener("pointerdown", press);
  area.classList.add("draggable");
  return () => {
    end?.();
    area.removeEventListener("pointerdown", press);
    area.classList.remove("draggable");
  };
}

interface Grip extends Pick<Drag, "from" | "what"> {
  readonly event: FoundEvent;
  readonly onDrop: DropEvent;
}

/** Follows the pointer until it lets go; Escape puts the event back. Returns what ends it. */
function follow(area: HTMLElement, down: PointerEvent, { event, from, what, onDrop }: Grip): () => void {
  const marks = new Marks(area, event);
  let isDrag = false;
  let when: When | undefined;
  let last = down;
  const move = (at: PointerEvent): void => {
    last = at;
    isDrag ||= Math.hypot(at.clientX - down.clientX, at.clientY - down.clientY) > slack;
    if (!isDrag) return;
    area.setPointerCapture(at.pointerId);
    scrollAt(area, at.clientY);
    const to = spotAt(area, at);
    when = to === undefined ? undefined : dragged(event, { what, from, to });
    marks.show(when, at, what);
  };
  const timer = setInterval(() => move(last), scrollMs);
  const gone = new AbortController();
  const leave = (): void => {
    gone.abort();
    clearInterval(timer);
    marks.clear();
  };
  const drop = (): void => {
    leave();
    if (isDrag) swallowClick();
    if (when !== undefined) onDrop(event, when);
  };
  const escape = (key: KeyboardEvent): void => {
    if (key.key !== "Escape" || !isDrag) return;
    leave();
    addEventListener("pointerup", swallowClick, { once: true });
  };
  const { signal } = gone;
  addEventListener("pointermove", move, { signal });
  addEventListener("pointerup", drop, { signal });
  addEventListener("keydown", escape, { signal });
  for (const name of ["pointercancel", "blur"]) addEventListener(name, leave, { signal });
  return leave;
}

/** The click that ends a drag opens and adds nothing. */
function swallowClick(): void {
  const gone = new AbortController();
  const swallow = (click: MouseEvent): void => {
    click.stopPropagation();
    click.preventDefault();
  };
  addEventListener("click", swallow, { capture: true, signal: gone.signal });
  setTimeout(() => gone.abort());
}

function isOnEdge(target: HTMLElement, { clientX, clientY }: PointerEvent): boolean {
  const { right, bottom } = target.getBoundingClientRect();
  const { edge } = target.dataset;
  return (
    (edge === "side" && right - clientX <= edgeWidth) || (edge === "bottom" && bottom - clientY <= edgeWidth)
  );
}

/** The day and the minute under the pointer; below what can be seen, those at its edge. Undefined beside the days. */
function spotAt(area: HTMLElement, { clientX, clientY: y }: PointerEvent): Spot | undefined {
  const [, bottom] = seenOf(area);
  const clientY = Math.max(0, Math.min(y, bottom - 1));
  const under = document.elementsFromPoint(clientX, clientY);
  const place = under.find(
    (each): each is HTMLElement => each instanceof HTMLElement && "day" in each.dataset,
  );
  const day = place !== undefined && area.contains(place) ? place.dataset["day"] : undefined;
  if (place === undefined || day === undefined) return undefined;
  const { top, height } = place.getBoundingClientRect();
  const isHours = "hours" in place.dataset;
  return { day, minute: isHours ? ((clientY - top) / height) * dayMinutes : undefined };
}

/** What of a month or a week can be seen, from top to bottom. */
function seenOf(area: HTMLElement): readonly [top: number, bottom: number] {
  const { top, bottom } = area.getBoundingClientRect();
  const head = area.querySelector(".week-above")?.getBoundingClientRect().bottom ?? top;
  return [Math.max(head, 0), Math.min(bottom, innerHeight)];
}

/** Scrolls what the pointer is at the edge of: the hours, and when these are at their end the page. */
function scrollAt(area: HTMLElement, y: number): void {
  const [top, bottom] = seenOf(area);
  const isInHead = y < top && y > area.getBoundingClientRect().top;
  const by = isInHead ? 0 : y < top + edgeOfView ? -10 : y > bottom - edgeOfView ? 10 : 0;
  const before = area.scrollTop;
  if (by !== 0) area.scrollBy(0, by);
  if (by !== 0 && area.scrollTop === before) scrollBy(0, by);
}

/** What shows where a dragged event would be: a line at the pointer, the days, and the hours. */
class Marks {
  readonly #area: HTMLElement;
  readonly #event: FoundEvent;
  readonly #line = document.createElement("div");

  constructor(area: HTMLElement, event: FoundEvent) {
    this.#area = area;
    this.#event = event;
    this.#line.className = "drag-line";
    this.#line.setAttribute("aria-hidden", "true");
  }

  show(when: When | undefined, { clientX, clientY }: PointerEvent, what: Drag["what"]): void {
    this.clear();
    document.documentElement.dataset["dragging"] = what;
    document.body.append(this.#line);
    this.#line.textContent = when === undefined ? shownTitle(this.#event.title) : inWords(when);
    const left = Math.min(clientX + 14, innerWidth - this.#line.offsetWidth - 8);
    this.#line.style.translate = `${left}px ${clientY + 18}px`;
    if (when !== undefined) this.#markDays(when);
  }

  clear(): void {
    delete document.documentElement.dataset["dragging"];
    this.#line.remove();
    for (const mark of this.#area.querySelectorAll(".drag-mark")) mark.remove();
    for (const marked of this.#area.querySelectorAll("[data-drop]")) marked.removeAttribute("data-drop");
  }

  #markDays({ start, end, allDay }: When): void {
    const shown = { start_date: start, end_date: end, all_day_event: allDay };
    const [first, last] = spanOf(shown);
    for (const place of this.#area.querySelectorAll<HTMLElement>("[data-day]")) {
      const { day = "", hours } = place.dataset;
      if (day < first || day > last) continue;
      const part = hours === undefined || isAboveHours(shown) ? undefined : partOn([start, end], day);
      if (part !== undefined) place.append(markOf(part));
      else if (hours === undefined) place.dataset["drop"] = "";
    }
  }
}

function markOf({ from, to }: { readonly from: number; readonly to: number }): HTMLElement {
  const mark = document.createElement("div");
  mark.className = "drag-mark";
  mark.style.top = `${(from / dayMinutes) * 100}%`;
  mark.style.height = `${((to - from) / dayMinutes) * 100}%`;
  return mark;
}

/** "Fri, 5 Mar, 19:00–21:00". */
function inWords(when: When): string {
  const [first, last] = [when.start, when.end].map((wall) => wall.slice(0, 10));
  if (first === undefined || last === undefined) return "";
  if (!when.allDay) return `${shortDay(locale, first)}, ${timesOn(locale, when, first)}`;
  return first === last ? shortDay(locale, first) : `${shortDay(locale, first)} – ${shortDay(locale, last)}`;
}
