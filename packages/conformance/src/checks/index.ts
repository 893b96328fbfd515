import type { Check } from "../engine/check.js";
import { serviceChecks } from "./1-service.js";
import { envelopeChecks } from "./2.1-envelope.js";
import { pagingChecks } from "./2.2-paging.js";
import { calendarChecks } from "./2.3-calendar.js";
import { eventChecks } from "./2.4-event.js";
import { subscriberChecks } from "./2.5-subscriber.js";
import { timeZoneEntryChecks } from "./2.6-time-zone.js";
import { stateChecks } from "./3-states.js";
import { endpointChecks } from "./4-endpoints.js";
import { listCalendarsChecks } from "./4.1-list-calendars.js";
import { createCalendarChecks } from "./4.2-create-calendar.js";
import { saveCalendarChecks } from "./4.3-save-calendar.js";
import { deleteCalendarChecks } from "./4.4-delete-calendar.js";
import { listEventsChecks } from "./4.5-list-events.js";
import { createEventChecks } from "./4.6-create-event.js";
import { saveEventChecks } from "./4.7-save-event.js";
import { deleteEventChecks } from "./4.8-delete-event.js";
import { listSubscribersChecks } from "./4.9-list-subscribers.js";
import { subscriberDetailsChecks } from "./4.10-subscriber-details.js";
import { listTimeZonesChecks } from "./4.12-list-time-zones.js";
import { authenticationChecks } from "./5-authentication.js";
import { errorChecks } from "./7-errors.js";
import { limitChecks } from "./8-limits.js";
import { versioningChecks } from "./9-versioning.js";
import { methodAndPathChecks } from "./R1-methods-and-paths.js";
import { parameterAndTokenChecks } from "./R1-parameters-and-tokens.js";
import { answerChecks } from "./R2-answers.js";
import { filterChecks } from "./R3-filters.js";
import { pageAndOrderChecks } from "./R3-pages-and-orders.js";
import { fieldChecks } from "./R4-fields.js";
import { idAndTimeChecks } from "./R4-ids-and-times.js";
import { followerRulingChecks } from "./R5-followers.js";
import { schemaChecks } from "./schemas.js";
import { documentChecks } from "./X1.1-document.js";
import { requestChecks } from "./X1.2-requests-and-answers.js";
import { shapeChecks } from "./X1.3-shapes.js";
import { idempotencyChecks } from "./X2.1-idempotency.js";
import { ifMatchChecks } from "./X2.2-if-match.js";
import { updateChecks } from "./X2.3-updates.js";
import { customDataChecks } from "./X2.4-custom-data.js";
import { changeChecks } from "./X2.5-changes.js";
import { statusChecks } from "./X3.1-status.js";
import { webhookChecks } from "./X4.1-webhooks.js";
import { deliveryChecks } from "./X4.2-deliveries.js";
import { addressChecks } from "./X4.3-addresses.js";
import { importChecks } from "./X6.1-import.js";
import { listChecks } from "./X8.1-lists.js";
import { seriesTryChecks } from "./X8.2-series.js";
import { seriesChecks } from "./X5.1-series.js";
import { seriesChangeChecks } from "./X5.3-series-changes.js";
import { batchChecks } from "./X8.4-batches.js";
import { exportChecks } from "./X8.6-exports.js";
import { organizerChecks } from "./X8.6-organizers.js";
import { tokenAndSyncChecks } from "./X8.6-tokens-and-syncs.js";
import { draftChecks } from "./X8.5-drafts.js";
import { trashChecks } from "./X8.3-trash.js";
import { historyChecks } from "./X9.4-history.js";
import { statisticsChecks } from "./X8.7-statistics.js";
import { codeChecks } from "./X8.8-codes.js";

/** Every check of the contract, in its order; a file is named after the section that its checks cite. */
export const checks: readonly Check[] = [
  ...serviceChecks,
  ...envelopeChecks,
  ...pagingChecks,
  ...calendarChecks,
  ...eventChecks,
  ...subscriberChecks,
  ...timeZoneEntryChecks,
  ...stateChecks,
  ...endpointChecks,
  ...listCalendarsChecks,
  ...createCalendarChecks,
  ...saveCalendarChecks,
  ...deleteCalendarChecks,
  ...listEventsChecks,
  ...createEventChecks,
  ...saveEventChecks,
  ...deleteEventChecks,
  ...listSubscribersChecks,
  ...subscriberDetailsChecks,
  ...listTimeZonesChecks,
  ...authenticationChecks,
  ...errorChecks,
  ...limitChecks,
  ...versioningChecks,
  ...methodAndPathChecks,
  ...parameterAndTokenChecks,
  ...answerChecks,
  ...pageAndOrderChecks,
  ...filterChecks,
  ...idAndTimeChecks,
  ...fieldChecks,
  ...followerRulingChecks,
  ...schemaChecks,
];

/** Checks of what Kalends offers beyond the contract (docs/extensions.md): they run when `--profile` or `--only` names them. */
export const extensionChecks: readonly Check[] = [
  ...documentChecks,
  ...requestChecks,
  ...shapeChecks,
  ...idempotencyChecks,
  ...ifMatchChecks,
  ...updateChecks,
  ...customDataChecks,
  ...changeChecks,
  ...statusChecks,
  ...webhookChecks,
  ...deliveryChecks,
  ...addressChecks,
  ...importChecks,
  ...seriesChecks,
  ...seriesChangeChecks,
  ...batchChecks,
  ...organizerChecks,
  ...exportChecks,
  ...tokenAndSyncChecks,
  ...trashChecks,
  ...historyChecks,
  ...draftChecks,
  ...statisticsChecks,
  ...codeChecks,
  ...listChecks,
  ...seriesTryChecks,
];
