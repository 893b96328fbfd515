import { defaultAccent } from "@kalends/spec/accent";
import type { JSX } from "preact";
import { useId } from "preact/hooks";
import { colorName } from "../texts/color-words.js";
import { t } from "../texts/current.js";

/** Colours that are offered; any other can be chosen beside them. */
export const offeredAccents = [
  defaultAccent,
  "#0b8099",
  "#1f5fa8",
  "#1b3f7a",
  "#6a4fcf",
  "#b0305c",
  "#b8412c",
  "#9c5a00",
  "#4a7a1e",
  "#444b52",
];

interface Props {
  readonly value: string;
  /** What no colour of its own means. */
  readonly none: string;
  readonly error?: string | undefined;
  readonly onChange: (accent: string) => void;
}

/** The one colour of a page: one of those that are offered, any other, or none. */
export function AccentField({ value, none, error = "", onChange }: Props): JSX.Element {
  const name = useId();
  const isOwn = value !== "" && !offeredAccents.includes(value);
  return (
    <fieldset class="colors accents">
      <legend>{t.profile.accent}</legend>
      <p class="hint">{t.profile.accentHint}</p>
      {offeredAccents.map((color) => (
        <label key={color} class="color" style={{ "--color": color }} title={colorName(color)}>
          <input
            type="radio"
            name={name}
            aria-label={colorName(color)}
            checked={value === color}
            onChange={() => onChange(color)}
          />
        </label>
      ))}
      <label class={isOwn ? "own-color chosen" : "own-color"}>
        <input
          type="color"
          value={value === "" ? defaultAccent : value}
          onInput={(event) => onChange(event.currentTarget.value)}
        />
        {t.profile.ownColor}
      </label>
      <label class="check no-color">
        <input type="radio" name={name} checked={value === ""} onChange={() => onChange("")} />
        {none}
      </label>
      {error === "" ? undefined : <p class="error">{error}</p>}
    </fieldset>
  );
}
