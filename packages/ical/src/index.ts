export { calendarEnd, calendarStart, calendarText, eventFile } from "./calendar.js";
export { eventText } from "./event.js";
export type { Day, FeedCalendar, FeedEvent } from "./types.js";
