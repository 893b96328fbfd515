import type { Event } from "@kalends/client/extensions";
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { api } from "../../api/client.js";
import { useLoaded } from "../../api/loading.js";
import { Dialog } from "../../parts/dialog.js";
import { labelOf as nameOfField, valueInWords } from "../../parts/field-words.js";
import { Loading } from "../../parts/states.js";
import { locale, t } from "../../texts/current.js";
import { type EventFields, fieldsOf } from "./event-fields.js";
import type { Saving } from "./saving.js";

interface Props {
  readonly event: Event;
  readonly initial: EventFields;
  readonly mine: EventFields;
  readonly onSave: (more: Partial<Saving>) => Promise<void>;
  readonly onClose: () => void;
}

type Name = keyof EventFields;

/** Two people changed one event: both versions of each field that both changed, and what one of them changed stays. */
export function Conflict({ event, initial, mine, onSave, onClose }: Props): JSX.Element {
  const { value: now } = useLoaded(["conflict", event.id], () => api.events.get(event.id));
  const [theirs, setTheirs] = useState<readonly Name[]>([]);
  if (now === undefined)
    return (
      <Dialog title={t.event.conflict.title} onClose={onClose}>
        <Loading />
      </Dialog>
    );
  const saved = fieldsOf(now, initial);
  const names = Object.keys(mine).filter((name): name is Name => name in mine);
  const disputed = names.filter(
    (name) => mine[name] !== initial[name] && saved[name] !== initial[name] && mine[name] !== saved[name],
  );
  const save = (): void => {
    const chosen = names.map((name) => {
      const isMine = mine[name] !== initial[name] && !theirs.includes(name);
      return [name, isMine ? mine[name] : saved[name]] as const;
    });
    const fields = { ...mine, ...Object.fromEntries(chosen) };
    void onSave({ initial: saved, fields, updatedTimes: now.updated_times });
  };
  const choose = (name: Name, isTheirs: boolean): void =>
    setTheirs([...theirs.filter((each) => each !== name), ...(isTheirs ? [name] : [])]);
  return (
    <Dialog title={t.event.conflict.title} onClose={onClose} size="large">
      <p>{disputed.length === 0 ? t.event.conflict.both : t.event.conflict.text}</p>
      {disputed.length > 0 ? undefined : <p class="soft">{theirChanges(initial, saved)}</p>}
      {disputed.map((name) => (
        <fieldset key={name} class="conflict">
          <legend>{labelOf(name)}</legend>
          <Version
            name={name}
            label={t.event.conflict.yours}
            text={valueInWords(fieldNames[name] ?? name, mine[name])}
            isChosen={!theirs.includes(name)}
            onChoose={() => choose(name, false)}
          />
          <Version
            name={name}
            label={t.event.conflict.theirs}
            text={valueInWords(fieldNames[name] ?? name, saved[name])}
            isChosen={theirs.includes(name)}
            onChoose={() => choose(name, true)}
          />
        </fieldset>
      ))}
      <div class="dialog-foot">
        <button type="button" onClick={save}>
          {t.event.conflict.save}
        </button>
      </div>
    </Dialog>
  );
}

interface VersionProps {
  readonly name: Name;
  readonly label: string;
  readonly text: string;
  readonly isChosen: boolean;
  readonly onChoose: () => void;
}

function Version({ name, label, text, isChosen, onChoose }: VersionProps): JSX.Element {
  return (
    <label class="check version">
      <input type="radio" name={`conflict-${name}`} checked={isChosen} onChange={onChoose} />
      <span>
        <span class="soft">{label}</span>
        <br />
        <span dir="auto">{text}</span>
      </span>
    </label>
  );
}

/** The names of the fields that the other changed. */
function theirChanges(initial: EventFields, saved: EventFields): string {
  const names = Object.keys(saved).filter((name): name is Name => name in saved);
  const labels = names.filter((name) => saved[name] !== initial[name]).map(labelOf);
  return labels.length === 0 ? "" : t.event.conflict.theirChanges(new Intl.ListFormat(locale).format(labels));
}

/** What the form has under a name of its own. */
const fieldNames: Partial<Record<Name, string>> = { allDay: "all_day_event", publishAt: "publish_at" };

function labelOf(name: Name): string {
  const labels: Partial<Record<Name, string>> = {
    startDay: t.event.date(t.event.start),
    startTime: t.event.time(t.event.start),
    endDay: t.event.date(t.event.end),
    endTime: t.event.time(t.event.end),
  };
  return labels[name] ?? nameOfField(fieldNames[name] ?? name);
}
