import type { JSX } from "preact";
import { addDays, addMonths, daysBetween, inMonth } from "../dates/days.js";
import { daysInWords, monthInWords } from "../dates/words.js";
import { locale, t } from "../texts/current.js";
import { kinds, type View } from "./view.js";

interface Props {
  readonly view: View;
  readonly onShow: (changes: Partial<View>) => void;
}

/** What is shown on each step from a view, and where the step leads. */
function stepsOf({ kind, day, month, week }: View) {
  const [from, to] = week;
  const length = daysBetween(from, to) + 1;
  if (kind === "week")
    return {
      name: (count: number) =>
        daysInWords(locale, [addDays(from, count * length), addDays(to, count * length)]),
      dayAt: (count: number) => addDays(day, count * length),
      previous: t.week.earlier,
      next: t.week.later,
    };
  const { previous, next } = t.calendar;
  return {
    name: (count: number) => monthInWords(locale, addMonths(month, count)),
    dayAt: (count: number) => inMonth(day, addMonths(month, count)),
    previous,
    next,
  };
}

/** The month or the week that is shown, its neighbours, and how it is shown. */
export function MonthBar({ view, onShow }: Props): JSX.Element {
  const { name, dayAt, previous, next } = stepsOf(view);
  const turn = (count: number): void => onShow({ day: dayAt(count) });
  const isWhole = daysBetween(...view.week) === 6;
  const { month, agenda } = t.calendar;
  const names = { month, week: isWhole ? t.week.week : t.week.days, agenda };
  return (
    <div class="month-bar">
      <h2 aria-live="polite">{name(0)}</h2>
      <div class="turn">
        <button
          type="button"
          class="quiet icon-only"
          aria-label={previous(name(-1))}
          onClick={() => turn(-1)}
        >
          <Arrow d="M15 5l-7 7 7 7" />
        </button>
        <button type="button" class="quiet" onClick={() => onShow({ day: view.today })}>
          {t.calendar.today}
        </button>
        <button type="button" class="quiet icon-only" aria-label={next(name(1))} onClick={() => turn(1)}>
          <Arrow d="M9 5l7 7-7 7" />
        </button>
      </div>
      <div class="switch" role="group" aria-label={t.calendar.view}>
        {kinds.map((kind) => (
          <button
            key={kind}
            type="button"
            class="quiet"
            aria-pressed={view.kind === kind}
            onClick={() => onShow({ kind })}
          >
            {names[kind]}
          </button>
        ))}
      </div>
    </div>
  );
}

function Arrow({ d }: { readonly d: string }): JSX.Element {
  return (
    <svg class="glyph" viewBox="0 0 24 24" aria-hidden="true">
      <path d={d} />
    </svg>
  );
}
