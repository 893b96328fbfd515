/** Optional parameters that several operations have (service.md 4). */
export const calendarFields = ["calendarname", "description", "timezone", "palette_id"];
export const freeFields = ["description", "location", "organizer", "organizer_email", "reminder"];
export const eventFields = [...freeFields, "timezone", "color_id", "end_date", "all_day_event"];
export const listFilters = ["order_by", "month", "year", "page"];
