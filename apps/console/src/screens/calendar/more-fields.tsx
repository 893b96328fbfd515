import type { JSX } from "preact";
import { useZones } from "../../api/calendars.js";
import { api } from "../../api/client.js";
import { useLoaded } from "../../api/loading.js";
import { Colors } from "../../parts/colors.js";
import { ChoiceField, TextField } from "../../parts/fields.js";
import { PictureField } from "../../parts/pictures.js";
import { t } from "../../texts/current.js";
import type { BodyProps } from "./body-props.js";

/** The parameters of the fields that are folded. */
const own = ["categories", "organizer", "organizer_email", "timezone", "url", "picture_id", "picture_alt"];

/** What most events leave as it is. */
export function MoreFields({ calendar, fields, set, errors }: BodyProps): JSX.Element {
  const zones = useZones();
  const categories = useLoaded(["categories", calendar.id], () => api.categories.list(calendar.id));
  const known = zones.includes(fields.timezone) ? zones : [fields.timezone, ...zones];
  const hasError = own.some((name) => name in errors);
  return (
    <details class="more" open={hasError}>
      <summary>{t.event.more}</summary>
      <PictureAndPage {...{ fields, set, errors }} />
      <TextField
        label={t.event.categories}
        hint={t.event.categoriesHint}
        value={fields.categories}
        list="known-categories"
        onChange={(value) => set({ categories: value })}
        error={errors["categories"]}
      />
      <datalist id="known-categories">
        {categories.value?.map(({ name }) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      <Colors
        legend={t.event.color}
        paletteId={calendar.palette_id}
        value={fields.color_id}
        onChange={(color_id) => set({ color_id })}
      />
      <ChoiceField
        label={t.event.reminder}
        value={fields.reminder}
        options={reminders(fields.reminder)}
        onChange={(reminder) => set({ reminder })}
        error={errors["reminder"]}
      />
      <ChoiceField
        label={t.event.zone}
        value={fields.timezone}
        options={known.map((zone) => [zone, zone.replaceAll("_", " ")])}
        onChange={(timezone) => set({ timezone })}
        error={errors["timezone"]}
      />
      <TextField
        label={t.event.organizer}
        value={fields.organizer}
        onChange={(organizer) => set({ organizer })}
        error={errors["organizer"]}
      />
      <TextField
        label={t.event.email}
        type="email"
        value={fields.organizer_email}
        onChange={(organizer_email) => set({ organizer_email })}
        error={errors["organizer_email"]}
      />
    </details>
  );
}

/** The picture of the event, and the page on which there is more of it. */
function PictureAndPage({ fields, set, errors }: Pick<BodyProps, "fields" | "set" | "errors">): JSX.Element {
  return (
    <>
      <PictureField
        legend={t.pictures.event}
        value={{ id: fields.picture_id, alt: fields.picture_alt }}
        onChange={({ id, alt }) => set({ picture_id: id, picture_alt: alt })}
        error={errors["picture_alt"] ?? errors["picture_id"]}
      />
      <TextField
        label={t.pictures.url}
        hint={t.pictures.urlHint}
        value={fields.url}
        onChange={(url) => set({ url })}
        error={errors["url"]}
      />
    </>
  );
}

/** The usual reminders, and that of the event. */
function reminders(current: string): readonly (readonly [string, string])[] {
  const usual = Object.entries(t.event.reminders);
  const isUsual = usual.some(([minutes]) => minutes === current);
  return isUsual ? usual : [...usual, [current, t.event.reminderMinutes(current)]];
}
