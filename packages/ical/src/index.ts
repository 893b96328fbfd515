export type { Day, FeedCalendar, FeedEvent } from "./types.js";
