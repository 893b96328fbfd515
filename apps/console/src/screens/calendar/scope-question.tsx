import type { Event, SeriesScope } from "@kalends/client/extensions";
import type { JSX } from "preact";
import { api } from "../../api/client.js";
import { sayFailure } from "../../api/failures.js";
import { useLoaded } from "../../api/loading.js";
import { dayInWords } from "../../dates/words.js";
import { Dialog } from "../../parts/dialog.js";
import { Loading } from "../../parts/states.js";
import { locale, t } from "../../texts/current.js";
import { changesOf } from "./event-fields.js";
import { countChanges, type Saving } from "./saving.js";

interface Props {
  /** What would be saved; undefined when events would be deleted. */
  readonly saving: Saving | undefined;
  readonly event: Event;
  readonly onChoose: (scope: SeriesScope) => Promise<void>;
  readonly onClose: () => void;
}

const scopes = ["this", "following", "all"] as const;

/** Asked last, with the number of events that the server would change, and nothing chosen beforehand. */
export function ScopeQuestion({ saving, event, onChoose, onClose }: Props): JSX.Element {
  const changes = saving === undefined ? undefined : changesOf(saving.initial, saving.fields);
  const { value: counts, error } = useLoaded(["scope", event.id, JSON.stringify(changes ?? "delete")], () =>
    Promise.all(
      scopes.map(async (scope) => {
        if (changes !== undefined) return countChanges(event, scope, changes);
        return (await api.events.series.tryDelete(event.id, scope)).deleted;
      }),
    ),
  );
  const day = dayInWords(locale, event.start_date.slice(0, 10));
  const [, following = 1, all = 1] = counts ?? [];
  const labels = {
    this: t.series.scope.this(day),
    following: t.series.scope.following(day, following - 1),
    all: t.series.scope.all(all),
  };
  return (
    <Dialog title={t.series.which} onClose={onClose}>
      <p class="soft">{t.series.whichText}</p>
      {error === null ? undefined : <p class="failure">{sayFailure(error)}</p>}
      {counts === undefined && error === null ? <Loading /> : undefined}
      {counts === undefined ? undefined : (
        <div class="choices">
          {scopes.map((scope) => (
            <button key={scope} type="button" class="quiet" onClick={() => void onChoose(scope)}>
              {labels[scope]}
            </button>
          ))}
        </div>
      )}
    </Dialog>
  );
}
