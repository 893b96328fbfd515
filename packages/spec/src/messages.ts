import * as z from "zod";
import { access } from "./access.js";
import { instantForm, publishAtRule } from "./event-filters.js";
import { atMost } from "./failures.js";
import { count, flag, ids, instant, instantOrNone, parameter } from "./fields.js";
import { mostOfMessage } from "./limits.js";
import { extensionRead, extensionWrite, operation, type OperationTable, pagingSchema } from "./operation.js";

const createParams = z.object({
  calendar_id: ids.calendar,
  subject: parameter.title.refine(...atMost(mostOfMessage.subject)).meta({
    description: "What the message is about, on one line.",
    maxLength: mostOfMessage.subject,
    example: "Today’s training is off",
  }),
  text: parameter.description
    .min(1)
    .refine(...atMost(mostOfMessage.text))
    .meta({
      description: "The message, as plain text.",
      maxLength: mostOfMessage.text,
      example: "The hall is closed. See you on Thursday.",
    }),
  shown_until: z.string().regex(instantForm, publishAtRule).optional().meta({
    description:
      "Until when the page of the calendar shows it: an instant in the future, at most a year ahead, with `Z` or an offset, whose + is %2B in a form. Without a value, for a day.",
    example: "2026-07-03T12:00:00Z",
  }),
  dry_run: flag.optional().meta({
    description: "`true` says to how many it would go, and sends nothing. Without a value, `false`.",
    example: "false",
  }),
});

const receivers = count.meta({
  description: "Followers who get news by e-mail: those who have confirmed an address and are not blocked.",
  example: 38,
});

const message = z
  .object({
    id: z.string().meta({ description: "Id of the message; empty in a dry run.", example: "5" }),
    calendar_id: ids.calendar,
    subject: z.string().meta({ description: "What it is about.", example: "Today’s training is off" }),
    text: z.string().meta({ description: "Its text.", example: "The hall is closed. See you on Thursday." }),
    receivers: count.meta({ description: "To how many followers it goes, or went.", example: 38 }),
    sent: count.meta({ description: "How many a mail server has taken so far.", example: 0 }),
    failed: count.meta({
      description: "How many it has refused for good; addresses that do not exist are removed.",
      example: 0,
    }),
    date_create: instant.meta({ description: "When it was sent.", example: "2026-07-02T12:00:00Z" }),
    shown_until: instantOrNone.meta({
      description: "Until when the page shows it; empty once it is taken back.",
      example: "2026-07-03T12:00:00Z",
    }),
  })
  .meta({ id: "Message", description: "A message of the organizer to the followers of a calendar." });

const shared = { tag: "Subscribers", section: "news-by-e-mail" } as const;

export const messageOperations = {
  messagesCreate: operation({
    ...extensionWrite,
    ...shared,
    access: access.editor,
    path: "/api/kalends/v1/messages/create/",
    summary: "Send a message to followers",
    returns: "The message, and to how many followers it goes.",
    description:
      "Sends a message by e-mail to the followers of a calendar who have confirmed an address, and shows it on the page of the calendar. " +
      "At most 5 a day for each calendar.",
    params: createParams,
    payload: z.object({
      message,
      dry_run: z.boolean().meta({ description: "Whether nothing was sent.", example: false }),
    }),
    errors: ["calendar_not_found", "mail_not_set_up", "message_limit_reached"],
    example: { sends: ["calendar_id", "subject", "text"], mistake: { subject: "" } },
  }),
  messagesList: operation({
    ...extensionRead,
    ...shared,
    access: access.viewer,
    path: "/api/kalends/v1/messages/list/",
    summary: "List messages to followers",
    returns:
      "A page of the messages of a calendar, newest first, and to how many followers the next one would go.",
    description:
      "Returns in pages, newest first, the messages of a calendar of the last 60 days, and older ones that pages still show.",
    params: z.object({ calendar_id: ids.calendar, page: parameter.page.optional() }),
    payload: z.object({
      receivers,
      messages: z.array(message).meta({ description: "The messages of this page." }),
      paging: pagingSchema,
    }),
    errors: ["calendar_not_found"],
    example: { sends: ["calendar_id"], mistake: { page: "0" } },
  }),
  messagesWithdraw: operation({
    ...extensionWrite,
    ...shared,
    access: access.editor,
    path: "/api/kalends/v1/messages/withdraw/",
    summary: "Take a message back",
    returns: "The message.",
    description:
      "The pages and the feed of news no longer show the message, and followers whose e-mail is not sent yet get none. E-mail that was sent " +
      "cannot be taken back, and the message still counts as one of the day.",
    params: z.object({
      calendar_id: ids.calendar,
      message_id: ids.event.meta({ description: "Id of the message: digits, as a string.", example: "5" }),
    }),
    payload: z.object({ message }),
    errors: ["calendar_not_found", "message_not_found"],
    example: { answers: { message: { shown_until: "" } }, mistake: { message_id: "07" } },
  }),
} satisfies OperationTable;
