import type { Event, SeriesScope } from "@kalends/client/extensions";
import { mostOfBatch, mostOfMessage } from "@kalends/spec/limits";
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { api } from "../../api/client.js";
import { useLoaded } from "../../api/loading.js";
import { RequestFailure } from "../../api/requests.js";
import { savedOnce } from "../../api/saved-once.js";
import { useSubmit } from "../../api/submitting.js";
import { shortDay } from "../../dates/words.js";
import { ChoiceField, TextField } from "../../parts/fields.js";
import { notify } from "../../parts/notices.js";
import { Failure } from "../../parts/states.js";
import { locale, t } from "../../texts/current.js";
import { cancelled, type Cancelled, revived } from "./cancel-note.js";
import type { Told } from "../../parts/telling.js";
import { readEvents } from "./undo-series.js";

interface Props {
  readonly event: Event;
  readonly told: Told;
  readonly onDone: () => void;
}

/** Cancels an event, of a series also the later ones or all, with a sentence that followers see; or has it take place after all. */
export function Cancel({ event, told, onDone }: Props): JSX.Element {
  const submit = useSubmit();
  const [note, setNote] = useState("");
  const [scope, setScope] = useState<SeriesScope>("this");
  const isCancelled = event.status === "cancelled";
  const those = useEventsOf(event);
  const chosen = those.filter((each) => isIn(scope, each, event));
  const save = async (): Promise<void> => {
    const after = chosen.map((each) => (isCancelled ? revived(each) : cancelled(each, note)));
    const done = await submit.run(async () => {
      const why = isCancelled || note.trim() === "" ? {} : { note: note.trim() };
      await changeTo(after, { ...told, ...why }, chosen);
      return true;
    });
    if (done === undefined) return;
    const one = isCancelled ? t.event.revived(event.title) : t.event.cancelled(event.title);
    notify(chosen.length > 1 ? t.series.savedMany(chosen.length) : one, () =>
      changeTo(chosen, told, savedOnce(chosen)),
    );
    onDone();
  };
  const action = isCancelled ? t.event.revive : t.event.cancel;
  return (
    <>
      <h3>{action}</h3>
      {isCancelled ? undefined : <p>{t.event.cancelText}</p>}
      {those.length < 2 ? undefined : (
        <ChoiceField
          label={t.series.which}
          value={scope}
          options={scopes
            .map((each) => [each, those.filter((one) => isIn(each, one, event)).length] as const)
            .filter(([each, count]) => each !== "following" || count > 1)
            .map(([each, count]) => [each, labelOf(each, event, count)])}
          onChange={(value) => setScope(scopes.find((each) => each === value) ?? "this")}
        />
      )}
      {isCancelled ? undefined : (
        <TextField
          label={t.event.cancelWhy}
          hint={t.event.cancelWhyHint}
          isOptional
          maxLength={mostOfMessage.note}
          value={note}
          onChange={setNote}
        />
      )}
      <Failure text={submit.failure} />
      <p class="section-foot">
        <button type="button" class="quiet" disabled={submit.isRunning} onClick={() => void save()}>
          {action}
        </button>
      </p>
    </>
  );
}

const scopes = ["this", "following", "all"] as const;

function isIn(scope: SeriesScope, each: Event, event: Event): boolean {
  if (scope === "this") return each.id === event.id;
  return scope === "all" || each.start_date >= event.start_date;
}

function labelOf(scope: SeriesScope, event: Event, count: number): string {
  const day = shortDay(locale, event.start_date.slice(0, 10)); // a phone has no room for more
  if (scope === "this") return t.series.scope.this(day);
  return scope === "all" ? t.series.scope.all(count) : t.series.scope.following(day, count - 1);
}

/** The event as it was opened, and the others of its series. */
function useEventsOf(event: Event): readonly Event[] {
  const { value = [] } = useLoaded(["cancel", event.series_id], async () =>
    event.series_id === "" ? [] : readEvents(event.calendar_id, event.series_id),
  );
  return [event, ...value.filter(({ id }) => id !== event.id)].toSorted((a, b) =>
    a.start_date < b.start_date ? -1 : 1,
  );
}

/**
 * Gives each event its status and its description, those that have the same together.
 * @param news how followers are told
 * @param read the versions of the events, which must be theirs still
 * @throws RequestFailure when one of them was changed meanwhile
 */
async function changeTo(
  events: readonly Cancelled[],
  news: Told & { readonly note?: string },
  read: readonly Pick<Event, "id" | "updated_times">[],
): Promise<void> {
  const groups = new Map<string, Cancelled[]>();
  for (const event of events) {
    const key = JSON.stringify([event.status, event.description]);
    groups.set(key, [...(groups.get(key) ?? []), event]);
  }
  for (const group of groups.values()) {
    const { status = "confirmed", description = "" } = group[0] ?? {};
    const items = group.map(({ id }) => read.find((each) => each.id === id) ?? id);
    for (let from = 0; from < items.length; from += mostOfBatch.events) {
      const some = items.slice(from, from + mostOfBatch.events);
      const { done } = await api.events.changeMany(some, { status, description, ...news });
      if (!done) throw new RequestFailure(412, {});
    }
  }
}
