import { limitAccounts } from "../calendars/stored-bytes.js";
import type { Config } from "../settings/config.js";
import { keepTrash } from "../calendars/trash-days.js";
import { limitPayloads } from "../webhooks/message.js";

/** Applies the settings that hold for all writes of the process, those of the command line too. */
export function applySettings({ WEBHOOK_MAX_PAYLOAD, MAX_ACCOUNT_BYTES, TRASH_DAYS }: Config): void {
  limitPayloads(WEBHOOK_MAX_PAYLOAD);
  limitAccounts(MAX_ACCOUNT_BYTES);
  keepTrash(TRASH_DAYS);
}
