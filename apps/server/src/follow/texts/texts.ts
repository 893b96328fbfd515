import type { FieldName } from "../form-fields.js";
import type { App } from "../../subscribers/agents.js";
import type { PageTexts } from "./page-texts.js";

/** Words about one calendar app. Refresh times are what users and vendors report, see docs/following.md. */
export interface AppTexts {
  readonly name: string;
  readonly where: string;
  /** What happens after the button of the follow page. */
  readonly next: string;
  readonly refresh: string;
  /** On the follower's own page, in order. */
  readonly steps: readonly string[];
  /** When the steps do not work. */
  readonly otherwise: string;
}

/** The words of all pages in one language. Names and texts of calendars are never translated. */
export interface Texts extends PageTexts {
  /** BCP 47. */
  readonly language: string;
  readonly apps: Readonly<Record<App, AppTexts>>;
  readonly follow: {
    readonly pageTitle: (title: string) => string;
    readonly metaDescription: (title: string) => string;
    readonly followers: (count: number, shown: string) => string;
    readonly heading: string;
    readonly lead: string;
    readonly moreApps: string;
    readonly aboutYou: string;
    readonly aboutYouWhy: string;
    readonly name: string;
    readonly email: string;
    readonly kept: string;
    readonly readMore: string;
    readonly next: string;
    readonly noNext: string;
    readonly zone: (zone: string) => string;
    readonly organizer: string;
    readonly month: string;
    readonly previousMonth: (month: string) => string;
    readonly nextMonth: (month: string) => string;
    readonly thisMonth: string;
    readonly today: string;
    readonly allDay: string;
    /** Stands before the title of an event that does not take place, or may not. */
    readonly status: { readonly cancelled: string; readonly tentative: string };
    readonly eventsOnDay: (count: number) => string;
    /** After the events of a day: how many of them do not take place, or may not. */
    readonly statusOnDay: Readonly<Record<"cancelled" | "tentative", (count: number) => string>>;
    readonly allOfMonth: string;
    readonly noEvents: string;
    readonly moreEvents: (date: string) => string;
    readonly feedOmits: (omitted: string) => string;
    readonly feedOmitted: { readonly past: string; readonly upcoming: string };
    readonly otherDevice: string;
    readonly otherDeviceHow: string;
    readonly qrCode: string;
    readonly otherWays: string;
    readonly download: string;
    readonly downloadNote: string;
    readonly anonymous: string;
    readonly anonymousNote: string;
    readonly address: string;
    readonly copy: string;
    readonly copied: string;
    readonly embed: string;
    readonly poweredBy: string;
  };
  readonly follower: {
    readonly pageTitle: (title: string) => string;
    readonly heading: string;
    readonly keep: string;
    readonly open: (app: string) => string;
    readonly openOther: string;
    readonly add: (app: string) => string;
    readonly addOther: string;
    readonly addByUrl: string;
    readonly openYahoo: string;
    readonly address: string;
    readonly otherApps: string;
    readonly renew: string;
    readonly renewNote: string;
    readonly renewButton: string;
    readonly stop: string;
    readonly stopNote: string;
    readonly stopButton: string;
    readonly erase: string;
    readonly eraseNote: string;
    readonly eraseConfirm: string;
    readonly eraseButton: string;
    readonly stopped: string;
    readonly stoppedNote: string;
    readonly again: string;
    readonly erased: string;
    readonly empty: string;
    readonly backToCalendar: string;
    readonly backToPage: string;
  };
  /** The page of the service itself. */
  readonly home: {
    readonly version: (version: string) => string;
    readonly lead: string;
    readonly follow: string;
    readonly calendars: string;
    readonly developers: string;
    readonly reference: string;
    readonly source: string;
    readonly back: string;
  };
  readonly embed: {
    readonly pageTitle: (title: string) => string;
    readonly heading: string;
    readonly lead: string;
    readonly link: string;
    readonly linkNote: string;
    readonly component: string;
    /** @param kB size of the script */
    readonly componentNote: (kB: number) => string;
    readonly preview: string;
    readonly code: string;
    readonly button: (title: string) => string;
  };
  /** What is wrong with a form: its fields by name, with their rules. */
  readonly form: Readonly<Record<FieldName | "title" | "back", string>>;
  readonly errors: Readonly<Record<ErrorPageStatus, { readonly title: string; readonly text: string }>>;
  readonly requestId: string;
}

const errorPageStatuses = [400, 403, 404, 405, 410, 429, 500, 503, 507] as const;

export type ErrorPageStatus = (typeof errorPageStatuses)[number];

/** Returns the status of the page for an HTTP status: one that has no text of its own gets that of its class. */
export function errorPageStatus(status: number): ErrorPageStatus {
  return errorPageStatuses.find((known) => known === status) ?? (status < 500 ? 400 : 500);
}
