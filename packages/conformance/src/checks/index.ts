import type { Check } from "../engine/check.js";
import { authChecks } from "./auth.js";
import { calendarCreateChecks } from "./calendars-create.js";
import { calendarDeleteChecks } from "./calendars-delete.js";
import { calendarListChecks } from "./calendars-list.js";
import { calendarSaveChecks } from "./calendars-save.js";
import { errorChecks } from "./errors.js";
import { eventCreateChecks } from "./events-create.js";
import { eventValueChecks } from "./events-create-values.js";
import { eventMonthChecks } from "./events-month.js";
import { eventOrderChecks } from "./events-order.js";
import { eventSaveChecks } from "./events-save.js";
import { eventSaveRefusedChecks } from "./events-save-refused.js";
import { eventUpcomingChecks } from "./events-upcoming.js";
import { httpChecks } from "./http.js";
import { httpRequestChecks } from "./http-requests.js";
import { isolationChecks } from "./isolation.js";
import { httpObservations } from "./observed-http.js";
import { valueObservations } from "./observed-values.js";
import { pagingChecks } from "./paging.js";
import { pagingPagesChecks } from "./paging-pages.js";
import { schemaChecks } from "./schemas.js";
import { subscriberDetailChecks } from "./subscribers-details.js";
import { subscriberFieldChecks } from "./subscribers-fields.js";
import { subscriberListChecks } from "./subscribers-lists.js";
import { textChecks } from "./text.js";
import { textLineChecks } from "./text-lines.js";
import { timeChecks } from "./time.js";
import { timeZoneRuleChecks } from "./time-zones.js";
import { timeZoneChecks } from "./timezones.js";

/** Every check, in the order of the list. */
export const checks: readonly Check[] = [
  ...timeZoneChecks,
  ...calendarCreateChecks,
  ...calendarListChecks,
  ...calendarSaveChecks,
  ...calendarDeleteChecks,
  ...eventCreateChecks,
  ...eventValueChecks,
  ...eventSaveChecks,
  ...eventSaveRefusedChecks,
  ...eventOrderChecks,
  ...eventMonthChecks,
  ...eventUpcomingChecks,
  ...pagingChecks,
  ...pagingPagesChecks,
  ...timeChecks,
  ...timeZoneRuleChecks,
  ...textChecks,
  ...textLineChecks,
  ...subscriberFieldChecks,
  ...subscriberListChecks,
  ...subscriberDetailChecks,
  ...isolationChecks,
  ...authChecks,
  ...errorChecks,
  ...httpChecks,
  ...httpRequestChecks,
  ...schemaChecks,
  ...httpObservations,
  ...valueObservations,
];
