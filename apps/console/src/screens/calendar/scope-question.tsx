import type { DryRun, Event, SeriesScope } from "@kalends/client/extensions";
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { api } from "../../api/client.js";
import { fieldFailures, sayFailure } from "../../api/failures.js";
import { useLoaded } from "../../api/loading.js";
import { dayInWords, shortDay } from "../../dates/words.js";
import { Dialog } from "../../parts/dialog.js";
import { Loading } from "../../parts/states.js";
import { locale, t } from "../../texts/current.js";
import { isOfRule, seriesChangesOf, type Saving, tryChanges } from "./saving.js";

interface Props {
  /** What would be saved; undefined when events would be deleted. */
  readonly saving: Saving | undefined;
  readonly event: Event;
  readonly onChoose: (scope: SeriesScope) => Promise<void>;
  /** Called when the server refuses a field: the form below marks it. */
  readonly onRefused?: (error: unknown) => void;
  readonly onClose: () => void;
}

const scopes = ["this", "following", "all"] as const;

/** Asked last, with what the server would do, and nothing chosen beforehand. */
export function ScopeQuestion({ onClose, ...props }: Props): JSX.Element {
  const isRemoved = props.saving === undefined;
  return (
    <Dialog title={isRemoved ? t.series.whichRemoved : t.series.which} onClose={onClose}>
      <p class="soft">{isRemoved ? t.series.removedText : t.series.whichText}</p>
      <ScopeChoices {...props} />
    </Dialog>
  );
}

/** The answers: one event alone has no rule. */
export function ScopeChoices({ saving, event, onChoose, onRefused }: Omit<Props, "onClose">): JSX.Element {
  const changes = saving === undefined ? undefined : seriesChangesOf(saving);
  const isRule = changes !== undefined && isOfRule(changes);
  const offered = scopes.filter((scope) => scope !== "this" || !isRule);
  const { value: tried, error } = useLoaded(["scope", event.id, JSON.stringify(changes ?? "delete")], () =>
    Promise.all(
      offered.map(async (scope) => {
        const outcome =
          changes === undefined
            ? await api.events.series.tryDelete(event.id, scope)
            : await tryChanges(event, scope, changes);
        return [scope, outcome] as const;
      }),
    ),
  );
  useEffect(() => {
    if (Object.keys(fieldFailures(error)).length > 0) onRefused?.(error);
  }, [error]);
  // The last event of a series has no later ones.
  const answers = tried?.filter(
    ([scope, outcome]) => scope !== "following" || isRule || countOf(outcome) > 1,
  );
  return (
    <>
      {error === null ? undefined : <p class="failure">{sayFailure(error)}</p>}
      {tried === undefined && error === null ? <Loading /> : undefined}
      {answers === undefined ? undefined : (
        <div class="choices">
          {answers.map(([scope, outcome]) => (
            <button
              key={scope}
              type="button"
              class={changes === undefined ? "quiet danger choice" : "quiet choice"}
              onClick={() => void onChoose(scope)}
            >
              <span>{labelOf(scope, event, outcome)}</span>
              {isRule && outcome !== undefined ? <Effect outcome={outcome} /> : undefined}
            </button>
          ))}
        </div>
      )}
      {changes === undefined || tried === undefined ? undefined : <p class="hint">{t.series.undoSplit}</p>}
    </>
  );
}

/** How many events there are afterwards, or are deleted. */
function countOf({ changed = 1, created = 0, deleted = 0 }: Partial<DryRun> = {}): number {
  return changed + created === 0 ? deleted : changed + created;
}

function labelOf(scope: SeriesScope, event: Event, outcome: DryRun | undefined): string {
  const day = dayInWords(locale, event.start_date.slice(0, 10));
  const count = countOf(outcome);
  if (scope === "this") return t.series.scope.this(day);
  return scope === "all" ? t.series.scope.all(count) : t.series.scope.following(day, count - 1);
}

/** Dates that are listed before "and 12 more". */
const most = 6;

/** What another rule does: how many events stay, come and go, and when. */
function Effect({ outcome }: { readonly outcome: DryRun }): JSX.Element {
  const { created_dates: dates, changed, created, deleted } = outcome;
  const listed = dates.slice(0, most).map((date) => shortDay(locale, date.slice(0, 10)));
  const more = created > listed.length ? [t.series.moreDates(created - listed.length)] : [];
  return (
    <>
      <span class="soft">{t.series.effect(changed, created, deleted)}</span>
      {listed.length === 0 ? undefined : (
        <span class="soft">{t.series.newDates([...listed, ...more].join(" · "))}</span>
      )}
    </>
  );
}
