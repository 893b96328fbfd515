import type { CalendarDetails } from "@kalends/client/extensions";
import type { JSX } from "preact";
import { root } from "../../api/root.js";
import { CalendarPage } from "../../parts/calendar-page.js";
import { CopyField } from "../../parts/fields.js";
import { t } from "../../texts/current.js";
import { embedCode } from "./embed-code.js";
import { QrCode } from "./qr-code.js";

/** The ways to a calendar for those who shall follow it. */
export function Share({ id }: { readonly id: string }): JSX.Element {
  return (
    <CalendarPage id={id} current="share">
      {(calendar) => <Ways calendar={calendar} />}
    </CalendarPage>
  );
}

const isOfThisComputer = /^(?:localhost|127\.[\d.]+|\[::1\])$/.test(location.hostname);

function Ways({ calendar }: { readonly calendar: CalendarDetails }): JSX.Element {
  const base = location.origin + root;
  const page = `${base}/c/${calendar.uniquekey}`;
  return (
    <div class="sections">
      <section class="card section">
        <h2>{t.share.link}</h2>
        <p class="soft">{t.share.linkText}</p>
        <CopyField label={t.share.link} value={page} />
        {isOfThisComputer ? <p class="hint">{t.share.onlyHere}</p> : undefined}
        <p>
          <a href={page} target="_blank" rel="noopener">
            {t.share.see}
          </a>
        </p>
      </section>
      <section class="card section">
        <h2>{t.share.qr}</h2>
        <p class="soft">{t.share.qrText}</p>
        <QrCode text={page} name={calendar.uniquekey} />
      </section>
      <section class="card section">
        <h2>{t.share.embed}</h2>
        <p class="soft">{t.share.embedText}</p>
        <CopyField label={t.share.embed} value={embedCode(base, page, calendar.title)} />
        <p>
          <a href={`${page}/embed`} target="_blank" rel="noopener">
            {t.share.embedPage}
          </a>
        </p>
      </section>
    </div>
  );
}
