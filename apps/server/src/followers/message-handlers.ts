import type { Params, Payload } from "@kalends/spec";
import { lockCalendar } from "../calendars/lock-queries.js";
import { findCalendar } from "../calendars/queries.js";
import { pageOf, rowsOf } from "../db/paging.js";
import type { NewsRow } from "../db/rows.js";
import type { Context, Handlers } from "../http/handler.js";
import { messagesPerDay } from "../http/limits.js";
import { daySeconds } from "../time/formats.js";
import { formatInstant } from "../time/instants.js";
import {
  addNews,
  countMessages,
  countReceivers,
  isWithdrawn,
  listMessages,
  withdrawMessage,
} from "../webhooks/mail-queries.js";

type MessageHandlers = Pick<Handlers, "messagesCreate" | "messagesList" | "messagesWithdraw">;

const yearSeconds = 366 * daySeconds;

/** Returns the handlers of messages to followers (extensions X12.2). @param isOn whether the service sends e-mail */
export function messageHandlers({ isOn }: { readonly isOn: boolean }): MessageHandlers {
  return {
    async messagesCreate({ calendar_id, subject, text, shown_until, dry_run }, context) {
      const { db, accountId, now, wrote, error } = context;
      const until = shownUntil(shown_until, now, error);
      return db.transaction(async (trx) => {
        const calendar = await lockCalendar(trx, { accountId, calendarId: Number(calendar_id) });
        if (calendar === undefined) throw error("calendar_not_found");
        if (!isOn) throw error("mail_not_set_up");
        if ((await countMessages(trx, calendar.id, now - daySeconds)) >= messagesPerDay)
          throw error("message_limit_reached");
        const row = {
          account_id: accountId,
          calendar_id: calendar.id,
          created_at: now,
          shown_until: until,
          kind: "message",
          subject,
          content: text,
        } as const;
        wrote({ calendarId: calendar.id });
        if (dry_run !== "true") return { message: shown(await addNews(trx, row)), dry_run: false };
        const receivers = await countReceivers(trx, calendar.id);
        return {
          message: { ...shown({ ...row, id: 0, receivers, sent: 0, failed: 0 }), id: "" },
          dry_run: true,
        };
      });
    },

    messagesList: (params, context) => list(params, context, isOn),

    messagesWithdraw: withdraw,
  };
}

async function list(
  { calendar_id }: Params<"messagesList">,
  { db, accountId, page, error }: Context<"messagesList">,
  isOn: boolean,
): Promise<Payload<"messagesList">> {
  const calendar = await findCalendar(db, accountId, Number(calendar_id));
  if (calendar === undefined) throw error("calendar_not_found");
  const [rows, receivers] = await db.list(accountId, async ({ read }) => [
    await listMessages(read, calendar.id, rowsOf(page)),
    isOn ? await countReceivers(read, calendar.id) : 0,
  ]);
  const { items, paging } = pageOf(page, rows);
  return { receivers, messages: items.map(shown), paging };
}

async function withdraw(
  { calendar_id, message_id }: Params<"messagesWithdraw">,
  { db, accountId, wrote, error }: Context<"messagesWithdraw">,
): Promise<Payload<"messagesWithdraw">> {
  return db.transaction(async (trx) => {
    const calendar = await lockCalendar(trx, { accountId, calendarId: Number(calendar_id) });
    if (calendar === undefined) throw error("calendar_not_found");
    const row = await withdrawMessage(trx, calendar.id, Number(message_id));
    if (row === undefined) throw error("message_not_found");
    wrote({ calendarId: calendar.id });
    return { message: shown(row) };
  });
}

/** Until when pages show a message, in Unix seconds. */
function shownUntil(
  text: string | undefined,
  now: number,
  error: Context<"messagesCreate">["error"],
): number {
  const until = text === undefined ? now + daySeconds : Math.floor(Date.parse(text) / 1_000);
  if (until > now && until <= now + yearSeconds) return until;
  const message = "must be in the future, at most a year ahead";
  throw error("parameter_invalid", [{ parameter: "shown_until", message, code: "out_of_range" }]);
}

function shown(row: Omit<NewsRow, "fill_after">): Payload<"messagesCreate">["message"] {
  const { id, calendar_id, kind, subject, content, receivers, sent, failed, created_at, shown_until } = row;
  return {
    id: String(id),
    calendar_id: String(calendar_id),
    subject,
    text: content,
    receivers,
    sent,
    failed,
    date_create: formatInstant(created_at),
    shown_until: isWithdrawn({ kind, shown_until }) ? "" : formatInstant(shown_until),
  };
}
