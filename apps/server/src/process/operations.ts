import { batchHandlers } from "../events/batch-handlers.js";
import { calendarHandlers, timezoneHandlers } from "../calendars/handlers.js";
import { categoryHandlers } from "../events/category-handlers.js";
import type { Config } from "../settings/config.js";
import { eventHandlers } from "../events/handlers.js";
import { exportHandlers } from "../files/export-handlers.js";
import type { Handlers } from "../http/handler.js";
import { historyHandlers } from "../events/history-handlers.js";
import { importHandlers } from "../files/import-handlers.js";
import { pictureHandlers } from "../files/picture-handlers.js";
import { seriesHandlers } from "../events/series-handlers.js";
import { oidcHandlers } from "../people/oidc-handlers.js";
import { providerOf, type ProviderSettings } from "../people/oidc-provider.js";
import { passkeyHandlers } from "../people/passkey-handlers.js";
import { profileHandlers } from "../people/profile-handlers.js";
import { peopleHandlers } from "../people/handlers.js";
import { sessionHandlers } from "../people/session-handlers.js";
import { statisticsHandlers } from "../followers/subscriber-statistics.js";
import { messageHandlers } from "../followers/message-handlers.js";
import { subscriberHandlers } from "../followers/subscriber-handlers.js";
import { syncHandlers } from "../files/sync-handlers.js";
import { tokenHandlers } from "../people/token-handlers.js";
import { trashHandlers } from "../events/trash-handlers.js";
import { webhookHandlers } from "../webhooks/handlers.js";

type Settings = Pick<Config, "WEBHOOKS_PER_ACCOUNT" | "WEBHOOK_ALLOW_PRIVATE" | "SMTP_URL"> &
  ProviderSettings;

/** Returns one handler for each operation of the spec. A missing one does not compile. */
export function createHandlers(settings: Settings): Handlers {
  const { WEBHOOKS_PER_ACCOUNT, WEBHOOK_ALLOW_PRIVATE, SMTP_URL } = settings;
  const allowsPrivate = WEBHOOK_ALLOW_PRIVATE === "on";
  return {
    ...timezoneHandlers,
    ...calendarHandlers,
    ...eventHandlers,
    ...categoryHandlers,
    ...subscriberHandlers,
    ...statisticsHandlers,
    ...messageHandlers({ isOn: SMTP_URL !== undefined }),
    ...importHandlers,
    ...exportHandlers,
    ...seriesHandlers,
    ...syncHandlers({ allowsPrivate }),
    ...passkeyHandlers,
    ...peopleHandlers,
    ...sessionHandlers,
    ...oidcHandlers(providerOf(settings)),
    ...tokenHandlers,
    ...profileHandlers,
    ...pictureHandlers,
    ...webhookHandlers({ perAccount: WEBHOOKS_PER_ACCOUNT, allowsPrivate }),
    ...batchHandlers,
    ...trashHandlers,
    ...historyHandlers,
  };
}
