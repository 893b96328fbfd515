import type { AnyOperationId } from "@kalends/spec";

/**
 * The names in the access log of requests that are not operations of the API, each with the value of the metrics' label
 * `operation`. A route takes its name from here, so that none is counted without a decision.
 */
export const routeNames = {
  feed: "feed",
  upcoming: "upcoming",
  homePage: "page",
  console: "page",
  reference: "page",
  portalPage: "page",
  followPage: "page",
  printPage: "page",
  posterPage: "page",
  framePage: "page",
  embedPage: "page",
  eventPage: "page",
  eventFile: "page",
  followerPage: "page",
  follow: "page",
  followSeveral: "page",
  chooseCalendars: "page",
  unfollow: "page",
  renewKey: "page",
  chooseCategories: "page",
  deleteFollower: "page",
  chooseMail: "page",
  mailLink: "page",
  newsFeed: "page",
  asset: "other",
  picture: "other",
  "openapi.json": "other",
  "openapi.yaml": "other",
  "openapi-3.1.json": "other",
  "openapi-generators.json": "other",
  "openapi-kalends.json": "other",
  "openapi-kalends.yaml": "other",
  "openapi-kalends-generators.json": "other",
  healthz: "other",
  readyz: "other",
  metrics: "other",
} as const satisfies Record<string, "feed" | "upcoming" | "page" | "other">;

export type RouteName = keyof typeof routeNames;

/** What the access log calls a request. */
export type RequestName = AnyOperationId | RouteName;
