import type { JSX } from "preact";
import { addMonths, inMonth } from "../dates/days.js";
import { monthInWords } from "../dates/words.js";
import { locale, t } from "../texts/current.js";
import type { View } from "./view.js";

interface Props {
  readonly view: View;
  readonly onShow: (changes: Partial<View>) => void;
}

/** The month that is shown, its neighbours, and how it is shown. */
export function MonthBar({ view, onShow }: Props): JSX.Element {
  const turn = (count: number): void => onShow({ day: inMonth(view.day, addMonths(view.month, count)) });
  const name = (count: number): string => monthInWords(locale, addMonths(view.month, count));
  return (
    <div class="month-bar">
      <h2 aria-live="polite">{monthInWords(locale, view.month)}</h2>
      <div class="turn">
        <button
          type="button"
          class="quiet icon-only"
          aria-label={t.calendar.previous(name(-1))}
          onClick={() => turn(-1)}
        >
          <Arrow d="M15 5l-7 7 7 7" />
        </button>
        <button type="button" class="quiet" onClick={() => onShow({ day: view.today })}>
          {t.calendar.today}
        </button>
        <button
          type="button"
          class="quiet icon-only"
          aria-label={t.calendar.next(name(1))}
          onClick={() => turn(1)}
        >
          <Arrow d="M9 5l7 7-7 7" />
        </button>
      </div>
      <div class="switch" role="group" aria-label={t.calendar.view}>
        {(["month", "agenda"] as const).map((kind) => (
          <button
            key={kind}
            type="button"
            class="quiet"
            aria-pressed={view.kind === kind}
            onClick={() => onShow({ kind })}
          >
            {t.calendar[kind]}
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
