/** What an address shows. `id` is a calendar's. */
export type Route =
  | {
      readonly screen:
        | "calendars"
        | "month"
        | "search"
        | "trash"
        | "people"
        | "profile"
        | "programs"
        | "you"
        | "join"
        | "oidc"
        | "unknown";
    }
  | {
      readonly screen: "calendar" | "share" | "import" | "followers" | "messages" | "history" | "settings";
      readonly id: string;
    };

/** An address of the console, without the path that leads to it. */
export interface Address {
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
}

const ofCalendar = ["share", "import", "followers", "messages", "history", "settings"] as const;
const alone = ["month", "search", "trash", "people", "profile", "programs", "you", "join", "oidc"] as const;

/** Returns what a path below /console shows. */
export function routeOf(path: string): Route {
  const [first = "", id = "", part = "", ...rest] = path.split("/").filter((name) => name !== "");
  if (rest.length > 0) return { screen: "unknown" };
  if (first === "") return { screen: "calendars" };
  if (first === "calendars" && /^\d+$/.test(id)) {
    if (part === "") return { screen: "calendar", id };
    const screen = ofCalendar.find((name) => name === part);
    return screen === undefined ? { screen: "unknown" } : { screen, id };
  }
  return { screen: alone.find((name) => name === first && id === "") ?? "unknown" };
}

/** Returns the path of a calendar, or of a part of it. */
export function calendarPath(id: string, part: (typeof ofCalendar)[number] | "" = ""): string {
  return part === "" ? `/calendars/${id}` : `/calendars/${id}/${part}`;
}

/** Prints an address. A value that is empty is left out. */
export function printAddress(path: string, query: Readonly<Record<string, string>> = {}): string {
  const filled = Object.entries(query).filter(([, value]) => value !== "");
  return filled.length === 0 ? path : `${path}?${new URLSearchParams(filled).toString()}`;
}
