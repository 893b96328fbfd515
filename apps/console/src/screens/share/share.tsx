import type { Account, CalendarDetails } from "@kalends/client/extensions";
import type { JSX } from "preact";
import { api } from "../../api/client.js";
import { useLoaded } from "../../api/loading.js";
import { root } from "../../api/root.js";
import { isOwner, roleOn, type Session } from "../../api/session.js";
import { CalendarPage } from "../../parts/calendar-page.js";
import { CopyField } from "../../parts/fields.js";
import { hrefOf } from "../../router/location.js";
import { calendarPath } from "../../router/routes.js";
import { t } from "../../texts/current.js";
import { embedCode } from "./embed-code.js";
import { PosterPreview } from "./poster.js";
import { QrCode } from "./qr-code.js";

/** The ways to a calendar for those who shall follow it. */
export function Share({ session, id }: { readonly session: Session; readonly id: string }): JSX.Element {
  return (
    <CalendarPage id={id} current="share">
      {(calendar) => <Ways calendar={calendar} session={session} />}
    </CalendarPage>
  );
}

const isOfThisComputer = /^(?:localhost|127\.[\d.]+|\[::1\])$/.test(location.hostname);

interface WaysProps {
  readonly calendar: CalendarDetails;
  readonly session: Session;
}

function Ways({ calendar, session }: WaysProps): JSX.Element {
  const account = useLoaded(["account"], () => api.account.get()).value;
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
          <Outside href={page}>{t.share.see}</Outside>
        </p>
      </section>
      <section class="card section">
        <h2>{t.share.qr}</h2>
        <p class="soft">{t.share.qrText}</p>
        <QrCode text={page} name={calendar.uniquekey} />
      </section>
      <section class="card section">
        <h2>{t.poster.title}</h2>
        <p class="soft">{t.poster.text}</p>
        {account === undefined ? undefined : <PosterPreview {...{ calendar, account, page }} />}
        <p class="row-actions">
          <Outside href={`${page}/poster`} isButton>
            {t.poster.print}
          </Outside>
          <Outside href={`${page}/print`}>{t.poster.printMonth}</Outside>
          <Outside href={`${page}/season`}>{t.poster.printSeason}</Outside>
        </p>
      </section>
      {account === undefined ? undefined : <ClubPage {...{ calendar, account, session, base }} />}
      <section class="card section">
        <h2>{t.share.embed}</h2>
        <p class="soft">{t.share.embedText}</p>
        <CopyField
          label={t.share.embed}
          value={embedCode(base, page, calendar.title, calendar.accent || (account?.accent ?? ""))}
        />
        <p>
          <Outside href={`${page}/embed`}>{t.share.embedPage}</Outside>
        </p>
      </section>
    </div>
  );
}

interface OutsideProps {
  readonly href: string;
  readonly children: string;
  readonly isButton?: boolean;
}

/** A page of followers, beside the console. */
function Outside({ href, children, isButton = false }: OutsideProps): JSX.Element {
  return (
    <a href={href} class={isButton ? "button" : ""} target="_blank" rel="noopener">
      {children}
    </a>
  );
}

interface ClubPageProps extends WaysProps {
  readonly account: Account;
  readonly base: string;
}

/** The page with all calendars of the account: its address, or what it needs before it has one, and whether it shows this calendar. */
function ClubPage({ calendar, session, account, base }: ClubPageProps): JSX.Element {
  const address = `${base}/o/${account.key}`;
  return (
    <section class="card section">
      <h2>{t.club.title}</h2>
      <p class="soft">{t.club.text}</p>
      {account.key === "" ? (
        <>
          <p>{t.club.none}</p>
          {isOwner(session) ? <a href={hrefOf("/profile")}>{t.club.choose}</a> : undefined}
        </>
      ) : (
        <>
          <CopyField label={t.club.title} value={address} />
          <Outside href={address}>{t.club.see}</Outside>
        </>
      )}
      {calendar.listed ? undefined : (
        <p class="hint">
          {t.club.notListed}{" "}
          {roleOn(session, calendar.id) === "viewer" ? undefined : (
            <a href={hrefOf(calendarPath(calendar.id, "settings"))}>{t.club.list}</a>
          )}
        </p>
      )}
    </section>
  );
}
