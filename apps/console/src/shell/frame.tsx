import type { ComponentChildren, JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { loaded } from "../api/loading.js";
import { root } from "../api/root.js";
import { endSession, isOwner, type Session } from "../api/session.js";
import { useCurrentInView } from "../parts/current-in-view.js";
import { notifyFailure } from "../parts/notices.js";
import { hrefOf, useAddress } from "../router/location.js";
import { chooseLanguage, isLanguage, languages, t } from "../texts/current.js";

interface Props {
  readonly session: Session;
  readonly children: ComponentChildren;
}

/** What is around every screen. */
export function Frame({ session, children }: Props): JSX.Element {
  const { path } = useAddress();
  const main = useRef<HTMLElement>(null);
  const nav = useCurrentInView(path);
  const first = useRef(true);
  useEffect(() => {
    if (first.current) first.current = false;
    else main.current?.focus();
  }, [path]);
  return (
    <>
      <a
        class="skip"
        href="#main"
        onClick={(event) => {
          event.preventDefault(); // a link within the console is an address, which has no hash
          main.current?.focus();
        }}
      >
        {t.skip}
      </a>
      <header class="bar">
        <a class="brand" href={hrefOf("/")}>
          <img src={`${root}/favicon.ico`} alt="" width="28" height="28" />
          {t.app}
        </a>
        <nav ref={nav} aria-label={t.nav.label}>
          <NavLink path="/" isCurrent={/^\/?(?:$|calendars|month)/.test(path)}>
            {t.nav.calendars}
          </NavLink>
          <NavLink path="/search" isCurrent={path === "/search"}>
            {t.nav.search}
          </NavLink>
          <NavLink path="/trash" isCurrent={path === "/trash"}>
            {t.nav.trash}
          </NavLink>
          {isOwner(session) ? (
            <>
              <NavLink path="/profile" isCurrent={path === "/profile"}>
                {t.profile.title}
              </NavLink>
              <NavLink path="/people" isCurrent={path === "/people"}>
                {t.nav.people}
              </NavLink>
            </>
          ) : undefined}
        </nav>
        <You key={path} session={session} />
      </header>
      {isSecureContext ? undefined : <p class="banner">{t.insecure}</p>}
      <main id="main" ref={main} tabIndex={-1}>
        {children}
      </main>
    </>
  );
}

interface NavLinkProps {
  readonly path: string;
  readonly isCurrent: boolean;
  readonly children: string;
}

function NavLink({ path, isCurrent, children }: NavLinkProps): JSX.Element {
  return (
    <a href={hrefOf(path)} aria-current={isCurrent ? "page" : undefined}>
      {children}
    </a>
  );
}

function You({ session }: { readonly session: Session }): JSX.Element {
  const signOut = (): void => {
    endSession().then(() => {
      sessionStorage.clear(); // drafts stay with the person, not with the device
      loaded.clear();
      location.assign(hrefOf("/"));
    }, notifyFailure);
  };
  return (
    <details class="you">
      <summary>{session.person.name}</summary>
      <div class="you-menu card">
        <p class="soft">{session.account.name}</p>
        <a href={hrefOf("/you")}>{t.you.signIn}</a>
        {isOwner(session) ? <a href={hrefOf("/programs")}>{t.nav.programs}</a> : undefined}
        <label>
          {t.you.language}
          <select
            onChange={({ currentTarget: { value } }) => {
              if (!isLanguage(value)) return;
              chooseLanguage(value);
              location.reload();
            }}
          >
            {languages.map(([language, name]) => (
              <option key={language} value={language} lang={language} selected={language === t.language}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <button type="button" class="quiet" onClick={signOut}>
          {t.you.signOut}
        </button>
      </div>
    </details>
  );
}
