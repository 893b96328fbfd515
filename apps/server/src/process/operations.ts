import { batchHandlers } from "../batches/handlers.js";
import { calendarHandlers } from "../calendars/handlers.js";
import { categoryHandlers } from "../category-writes/handlers.js";
import type { Config } from "../settings/config.js";
import { eventHandlers } from "../events/handlers.js";
import { exportHandlers } from "../exports/handlers.js";
import type { Handlers } from "../http/handler.js";
import { historyHandlers } from "../history/handlers.js";
import { importHandlers } from "../imports/handlers.js";
import { seriesHandlers } from "../series/handlers.js";
import { oidcHandlers } from "../oidc/handlers.js";
import { providerOf, type ProviderSettings } from "../oidc/provider.js";
import { passkeyHandlers } from "../passkeys/handlers.js";
import { peopleHandlers } from "../people/handlers.js";
import { sessionHandlers } from "../sessions/handlers.js";
import { statisticsHandlers } from "../subscribers/statistics.js";
import { subscriberHandlers } from "../subscribers/handlers.js";
import { syncHandlers } from "../syncs/handlers.js";
import { timezoneHandlers } from "../timezones/handlers.js";
import { tokenHandlers } from "../tokens/handlers.js";
import { trashHandlers } from "../trash/handlers.js";
import { webhookHandlers } from "../webhooks/handlers.js";

type Settings = Pick<Config, "WEBHOOKS_PER_ACCOUNT" | "WEBHOOK_ALLOW_PRIVATE"> & ProviderSettings;

/** Returns one handler for each operation of the spec. A missing one does not compile. */
export function createHandlers(settings: Settings): Handlers {
  const { WEBHOOKS_PER_ACCOUNT, WEBHOOK_ALLOW_PRIVATE } = settings;
  const allowsPrivate = WEBHOOK_ALLOW_PRIVATE === "on";
  return {
    ...timezoneHandlers,
    ...calendarHandlers,
    ...eventHandlers,
    ...categoryHandlers,
    ...subscriberHandlers,
    ...statisticsHandlers,
    ...importHandlers,
    ...exportHandlers,
    ...seriesHandlers,
    ...syncHandlers({ allowsPrivate }),
    ...passkeyHandlers,
    ...peopleHandlers,
    ...sessionHandlers,
    ...oidcHandlers(providerOf(settings)),
    ...tokenHandlers,
    ...webhookHandlers({ perAccount: WEBHOOKS_PER_ACCOUNT, allowsPrivate }),
    ...batchHandlers,
    ...trashHandlers,
    ...historyHandlers,
  };
}
