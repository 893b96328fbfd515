import { accentColors } from "@kalends/spec/accent";
import type { JSX } from "preact";
import { pictureAddress } from "../api/root.js";
import { addDays, todayIn } from "../dates/days.js";
import { weekdayNames } from "../dates/words.js";
import { locale, t } from "../texts/current.js";

interface Props {
  readonly name: string;
  /** `#rrggbb`, or "" for the default. */
  readonly accent: string;
  readonly logo?: string;
  readonly cover: string;
  readonly website?: string;
  readonly imprint?: string;
  readonly privacy?: string;
}

/** What a page of followers looks like with what the form holds, on light and on dark devices. */
export function PagePreview(props: Props): JSX.Element {
  return (
    <div class="previews">
      {(["light", "dark"] as const).map((scheme) => (
        <figure key={scheme}>
          <Page {...props} scheme={scheme} />
          <figcaption class="hint">{t.profile.preview[scheme]}</figcaption>
        </figure>
      ))}
    </div>
  );
}

/** A picture of the page, whose parts are no links and no buttons. */
function Page({ scheme, ...props }: Props & { readonly scheme: "light" | "dark" }): JSX.Element {
  const { name, accent, logo = "", cover, website = "", imprint = "", privacy = "" } = props;
  const { accent: main, on_accent: on, accent_ink: ink, accent_wash: wash } = accentColors(accent)[scheme];
  const day = addDays(todayIn("UTC"), 3);
  const colors = { "--page-accent": main, "--page-on": on, "--page-ink": ink, "--page-wash": wash };
  const foot = [
    website === "" ? "" : t.profile.website,
    imprint === "" ? "" : t.profile.imprint,
    privacy === "" ? "" : t.profile.privacy,
  ].filter((text) => text !== "");
  return (
    <div class={`page-preview ${scheme}`} style={colors} role="img" aria-label={t.profile.preview[scheme]}>
      <div class="preview-head">
        {logo === "" ? undefined : <img src={pictureAddress(logo, 320)} alt="" />}
        <strong dir="auto">{name === "" ? t.noTitle : name}</strong>
      </div>
      {cover === "" ? undefined : <img class="preview-cover" src={pictureAddress(cover, 640)} alt="" />}
      <div class="preview-event">
        <span class="preview-day">
          {weekdayNames(locale, day).short} <b>{Number(day.slice(8))}</b>
        </span>
        <span>{t.profile.sampleEvent}</span>
      </div>
      <span class="preview-button">{t.profile.sampleButton}</span>
      {foot.length === 0 ? undefined : (
        <span class="preview-foot">
          {foot.map((text) => (
            <u key={text}>{text}</u>
          ))}
        </span>
      )}
    </div>
  );
}
