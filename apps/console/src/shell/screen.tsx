import type { ComponentChildren, FunctionComponent, JSX } from "preact";
import { useEffect, useErrorBoundary, useState } from "preact/hooks";
import type { Session } from "../api/session.js";
import { Loading, Missing, NewVersion } from "../parts/states.js";
import { useAddress } from "../router/location.js";
import { type Route, routeOf } from "../router/routes.js";
import { CalendarScreen } from "../screens/calendar/calendar.js";
import { Calendars } from "../screens/calendars/calendars.js";
import { t } from "../texts/current.js";

interface ScreenProps {
  readonly session: Session;
  /** Of the calendar; "" where there is none. */
  readonly id: string;
}

/** The screens that are loaded when someone goes there. */
const lazy: Partial<Record<Route["screen"], () => Promise<FunctionComponent<ScreenProps>>>> = {
  share: async () => (await import("../screens/share/share.js")).Share,
  followers: async () => (await import("../screens/followers/followers.js")).Followers,
  messages: async () => (await import("../screens/messages/messages.js")).Messages,
  import: async () => (await import("../screens/import/import.js")).Import,
  settings: async () => (await import("../screens/settings/settings.js")).Settings,
  history: async () => (await import("../screens/history/history.js")).History,
  people: async () => (await import("../screens/people/people.js")).People,
  profile: async () => (await import("../screens/profile/profile.js")).Profile,
  you: async () => (await import("../screens/you/you.js")).You,
  month: async () => (await import("../screens/overview/overview.js")).Overview,
  search: async () => (await import("../screens/search/search.js")).Search,
  programs: async () => (await import("../screens/programs/programs.js")).Programs,
  trash: async () => (await import("../screens/trash/trash.js")).Trash,
};

/** Parts of screens that are loaded when they are first shown. */
const others: readonly (() => Promise<unknown>)[] = [
  () => import("../screens/calendar/later.js"),
  () => import("../month/week.js"),
  () => import("../month/dragging.js"),
];

/** Loads all of them a second later: a page that stays open while the server is upgraded needs no file of the release before. */
function useLoadAhead(): void {
  useEffect(() => {
    const parts = [...Object.values(lazy), ...others];
    const later = setTimeout(() => void Promise.allSettled(parts.map((load) => load())), 1_000);
    return () => clearTimeout(later);
  }, []);
}

/** The screen of the address. */
export function Screen({ session }: { readonly session: Session }): JSX.Element {
  useLoadAhead();
  const { path } = useAddress();
  return (
    <Guarded key={path}>
      <ScreenOf session={session} path={path} />
    </Guarded>
  );
}

function ScreenOf({ session, path }: { readonly session: Session; readonly path: string }): JSX.Element {
  const route = routeOf(path);
  const id = "id" in route ? route.id : "";
  const load = lazy[route.screen];
  if (route.screen === "calendars") return <Calendars session={session} />;
  if (route.screen === "calendar") return <CalendarScreen key={id} session={session} id={id} />;
  if (load === undefined) return <Missing text={t.unknown.text} />;
  return <Lazy key={`${route.screen} ${id}`} load={load} session={session} id={id} />;
}

interface LazyProps extends ScreenProps {
  readonly load: () => Promise<FunctionComponent<ScreenProps>>;
}

function Lazy({ load, ...props }: LazyProps): JSX.Element {
  const [Shown, setShown] = useState<FunctionComponent<ScreenProps>>();
  const [isGone, setGone] = useState(false);
  useEffect(() => {
    load().then(
      (shown) => setShown(() => shown),
      () => setGone(true),
    );
  }, []);
  if (isGone) return <NewVersion />;
  return Shown === undefined ? <Loading /> : <Shown {...props} />;
}

/** A screen that cannot be drawn leaves the frame around it, and says so. */
function Guarded({ children }: { readonly children: ComponentChildren }): JSX.Element {
  const [error] = useErrorBoundary((thrown) => reportError(thrown));
  if (error === undefined) return <>{children}</>;
  return <Missing title={t.unknown.brokenTitle} text={t.unknown.broken} />;
}
