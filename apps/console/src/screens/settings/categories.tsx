import type { CalendarDetails, Category, Event } from "@kalends/client/extensions";
import { mostOfBatch } from "@kalends/spec/limits";
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { useEventColors } from "../../api/calendars.js";
import { api } from "../../api/client.js";
import { useLoaded } from "../../api/loading.js";
import { RequestFailure } from "../../api/requests.js";
import { savedOnce } from "../../api/saved-once.js";
import { useSubmit } from "../../api/submitting.js";
import { Dialog } from "../../parts/dialog.js";
import { Colors } from "../../parts/colors.js";
import { ChoiceField, TextField } from "../../parts/fields.js";
import { useForm } from "../../parts/form.js";
import { notify } from "../../parts/notices.js";
import { Failed, Failure, Loading } from "../../parts/states.js";
import { t } from "../../texts/current.js";

interface Props {
  readonly calendar: CalendarDetails;
  readonly canWrite: boolean;
}

/** The categories of a calendar, each with how many events have it. */
export function Categories({ calendar, canWrite }: Props): JSX.Element {
  const { value, error, reload } = useLoaded(["categories", calendar.id], () =>
    api.categories.list(calendar.id),
  );
  const [open, setOpen] = useState<Category>();
  const colorOfEvent = useEventColors([calendar]);
  const colorOf = (name: string): string =>
    colorOfEvent({ calendar_id: calendar.id, color_id: "", categories: [name] });
  return (
    <section class="card section">
      <h2>{t.categories.title}</h2>
      <p class="soft">{t.categories.lead}</p>
      {value === undefined && error === null ? <Loading /> : undefined}
      {value === undefined && error !== null ? <Failed error={error} onRetry={reload} /> : undefined}
      {value?.length === 0 ? <p>{t.categories.none}</p> : undefined}
      <ul class="plain-rows">
        {value?.map((category) => (
          <li key={category.name} class="row">
            <p>
              <span class="event-dot" style={{ "--color": colorOf(category.name) }} aria-hidden="true" />{" "}
              <strong dir="auto">{category.name}</strong>{" "}
              <span class="soft">{t.categories.count(category.events_count)}</span>
            </p>
            {canWrite ? (
              <button
                type="button"
                class="quiet"
                aria-label={`${t.categories.edit}: ${category.name}`}
                onClick={() => setOpen(category)}
              >
                {t.categories.edit}
              </button>
            ) : undefined}
          </li>
        ))}
      </ul>
      {open === undefined ? undefined : (
        <Edit
          calendar={calendar}
          category={open}
          others={value?.map(({ name }) => name).filter((name) => name !== open.name) ?? []}
          onClose={() => setOpen(undefined)}
        />
      )}
    </section>
  );
}

interface EditProps {
  readonly calendar: CalendarDetails;
  readonly category: Category;
  readonly others: readonly string[];
  readonly onClose: () => void;
}

/** Three changes of a category, each with its own button. */
function Edit(props: EditProps): JSX.Element {
  return (
    <Dialog title={props.category.name} onClose={props.onClose}>
      <Rename {...props} />
      <Color {...props} />
      {props.others.length === 0 ? undefined : <Merge {...props} />}
    </Dialog>
  );
}

function Rename({ calendar: { id }, category, onClose }: EditProps): JSX.Element {
  const form = useForm(`category ${id} ${category.name}`, { name: category.name });
  const { name } = form.fields;
  const submit = useSubmit();
  const rename = async (): Promise<void> => {
    const done = await submit.run((options) =>
      api.categories.rename(id, category.name, name.trim(), options),
    );
    if (done === undefined) return;
    form.saved();
    notify(t.categories.renamed(name.trim()), () => api.categories.rename(id, name.trim(), category.name));
    onClose();
  };
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void rename();
      }}
    >
      <TextField
        label={t.categories.name}
        value={name}
        onChange={(typed) => form.set({ name: typed })}
        error={submit.fields["name"]}
      />
      <Failure text={submit.failure} />
      <p class="section-foot">
        <button type="submit" class="quiet" disabled={["", category.name].includes(name.trim())}>
          {t.categories.rename}
        </button>
      </p>
    </form>
  );
}

/** Gives all its events a colour. */
function Color({ calendar, category, onClose }: EditProps): JSX.Element {
  const [chosen, setChosen] = useState("");
  const submit = useSubmit();
  const paint = async (): Promise<void> => {
    const done = await submit.run(async () => {
      const all = await eventsOf(calendar.id, category.name);
      const others = all.filter(({ color_id }) => color_id !== chosen);
      await paintAll(others, chosen);
      return { all, others };
    });
    if (done === undefined) return;
    notify(t.categories.colored(done.all.length), async () => {
      for (const before of new Set(done.others.map(({ color_id }) => color_id)))
        await paintAll(savedOnce(done.others.filter(({ color_id }) => color_id === before)), before);
    });
    onClose();
  };
  return (
    <>
      <Colors
        legend={t.categories.color}
        paletteId={calendar.palette_id}
        value={chosen}
        onChange={setChosen}
      />
      <Failure text={submit.failure} />
      <p class="section-foot">
        <button type="button" class="quiet" disabled={chosen === ""} onClick={() => void paint()}>
          {t.save}
        </button>
      </p>
    </>
  );
}

/** The events of a category, drafts too. */
async function eventsOf(calendarId: string, category: string): Promise<readonly Event[]> {
  const query = { calendar_id: calendarId, category };
  const published = await api.events.list(query).toArray();
  return [...published, ...(await api.events.list({ ...query, published: "false" }).toArray())];
}

/** @throws when someone has changed one of them meanwhile */
async function paintAll(
  events: readonly Pick<Event, "id" | "updated_times">[],
  color_id: string,
): Promise<void> {
  for (let at = 0; at < events.length; at += mostOfBatch.events) {
    const { done } = await api.events.changeMany(events.slice(at, at + mostOfBatch.events), { color_id });
    if (!done) throw new RequestFailure(412, {});
  }
}

function Merge({ calendar, category, others, onClose }: EditProps): JSX.Element {
  const [into, setInto] = useState("");
  const submit = useSubmit();
  const merge = async (): Promise<void> => {
    const done = await submit.run((options) =>
      api.categories.merge(calendar.id, [category.name], into, options),
    );
    if (done === undefined) return;
    notify(t.categories.merged(done.events_changed));
    onClose();
  };
  return (
    <>
      <h3>{t.categories.merge}</h3>
      <p class="soft">{t.categories.mergeText}</p>
      <ChoiceField
        label={t.categories.into}
        value={into}
        options={[["", "–"], ...others.map((name) => [name, name] as const)]}
        onChange={setInto}
      />
      <Failure text={submit.failure} />
      <p class="section-foot last">
        <button type="button" class="quiet danger" disabled={into === ""} onClick={() => void merge()}>
          {t.categories.merge}
        </button>
      </p>
    </>
  );
}
