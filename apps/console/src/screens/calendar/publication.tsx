import type { JSX } from "preact";
import { lastDay } from "../../dates/days.js";
import { instantInWords } from "../../dates/words.js";
import { ChoiceField, Field } from "../../parts/fields.js";
import { locale, t } from "../../texts/current.js";
import type { BodyProps } from "./body-props.js";

/** Whether an event is a draft, and until when. */
export function Publication({ fields, set, errors }: BodyProps): JSX.Element {
  const { published, publishAt } = fields;
  const inWords =
    publishAt === "" ? t.draft.atHint : `${instantInWords(locale, publishAt)}. ${t.draft.atHint}`;
  return (
    <div class="times publication">
      <ChoiceField
        label={t.draft.label}
        value={published}
        options={Object.entries(t.draft.ways).toSorted(
          ([a], [b]) => Number(b === "true") - Number(a === "true"),
        )}
        onChange={(way) => set({ published: way })}
        error={errors["published"]}
      />
      {published === "at" ? (
        <Field label={t.draft.at} hint={inWords} error={errors["publish_at"]}>
          {(control) => (
            <input
              {...control}
              type="datetime-local"
              max={`${lastDay}T23:59`}
              value={publishAt}
              onInput={(event) => set({ publishAt: event.currentTarget.value })}
            />
          )}
        </Field>
      ) : undefined}
    </div>
  );
}
