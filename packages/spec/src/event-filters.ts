import * as z from "zod";
import { atMost, rule } from "./failures.js";
import { categoryLimits, flag, ids, parameter, statuses } from "./fields.js";
import { mostOfMessage } from "./limits.js";

// Parameters of `events/list/` beyond the contract's list (extensions X8.1).

/** Most calendars of a list beside the first, and most characters and words of a search: each word is looked for in all texts. */
export const findLimits = { otherCalendars: 99, query: 100, words: 10 } as const;

const idsRule = rule(
  "not_an_id",
  `must be up to ${findLimits.otherCalendars} ids of calendars with commas between them`,
);
const isId = (text: string): boolean => ids.calendar.safeParse(text).success;

/** More calendars of a list. */
const calendarIds = z
  .string()
  .regex(/^[1-9][0-9]{0,15}(,[1-9][0-9]{0,15})*$/, idsRule)
  .refine((text) => {
    const all = text.split(",");
    return all.length <= findLimits.otherCalendars && all.every(isId);
  }, idsRule)
  .meta({
    description: `Ids of up to ${findLimits.otherCalendars} more calendars, with commas between them, whose events are in the same list.`,
    example: "2,3",
  });

const date = "(19|[2-9][0-9])[0-9]{2}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])";
/** Seconds may have a fraction, as JavaScript writes it; it is dropped. */
const time = "([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9]([.][0-9]{1,9})?)?";
const offset = "(Z|[+-]([01][0-9]|2[0-3]):[0-5][0-9])";
const moment = z
  .string()
  .regex(
    new RegExp(`^${date}([ T]${time}${offset}?)?$`),
    rule(
      "not_a_date",
      "must be a date or a time: YYYY-MM-DD, or YYYY-MM-DDTHH:MM, on the wall clock of the calendar, or with Z or an offset, whose + is " +
        "%2B in a query",
    ),
  );
const momentForms =
  "A date, which means 00:00, or `YYYY-MM-DDTHH:MM`, on the wall clock of each calendar; with `Z` or an offset it is an instant.";

/** An instant, as parameters have it. */
export const instantForm = new RegExp(`^${date}[ T]${time}${offset}$`);

export const publishAtRule = rule(
  "not_a_date",
  "must be an instant: YYYY-MM-DDTHH:MM with Z or an offset, whose + is %2B in a form",
);

/** Parameters of drafts (extensions X8.5). */
export const draftParams = {
  published: flag.optional().meta({
    description:
      "`false`: a draft, which no one who follows sees. Without a value a new event is published, and another one stays as it is.",
    example: "true",
  }),
  publish_at: z
    .string()
    .regex(new RegExp(`^(${date}[ T]${time}${offset})?$`), publishAtRule)
    .optional()
    .meta({
      description:
        "When the draft is published by itself: an instant in the future, with `Z` or an offset, whose + is %2B in a form. With " +
        "`published=false`, or for a draft. An empty value means never.",
      example: "2027-07-01T09:00:00+02:00",
    }),
};

/** How followers are told of a change by e-mail (extensions X12.1). */
export const newsParams = {
  tell: flag.optional().meta({
    description: "`false`: followers are not told of it by e-mail. Without a value, `true`.",
    example: "true",
  }),
  note: parameter.short
    .refine(...atMost(mostOfMessage.note))
    .optional()
    .meta({
      description:
        "What followers read beside it in the e-mail, such as why an event is cancelled: one sentence.",
      maxLength: mostOfMessage.note,
      example: "The hall is closed.",
    }),
};

export const findFilters = {
  calendar_ids: calendarIds.optional(),
  from: moment.optional().meta({
    description: `Returns only events that have not ended then. ${momentForms}`,
    example: "2026-07-01",
  }),
  to: moment.optional().meta({
    description: `Returns only events that have begun before then; later than \`from\`. ${momentForms}`,
    example: "2026-08-01",
  }),
  q: z
    .string()
    .regex(/\S/, rule("blank", "must hold more than white space"))
    .refine(...atMost(findLimits.query))
    .refine((text) => text.trim().split(/\s+/u).length <= findLimits.words, {
      message: rule("too_many", `must be at most ${findLimits.words} words`, findLimits.words),
    })
    .meta({
      maxLength: findLimits.query,
      description:
        "Returns only events with all of these words, or parts of words, at most 10, in their title, their place or the first 8,000 characters of " +
        "their description. Case and accents do not matter: `zurich` finds `Zürich`.",
      example: "opening",
    })
    .optional(),
  status: z.enum(statuses, "must be confirmed, tentative or cancelled").optional().meta({
    description: "Returns only events with this status.",
    example: "confirmed",
  }),
  category: z
    .string()
    .refine(...atMost(categoryLimits.characters))
    .meta({
      maxLength: categoryLimits.characters,
      description: "Returns only events with this category.",
      example: "Concerts",
    })
    .optional(),
  published: flag.optional().meta({
    description:
      "`false`: returns the drafts, which no other list has. Without a value, `true`: what is published.",
    example: "true",
  }),
  series_id: ids.event.meta({ description: "Returns only events of this series.", example: "1" }).optional(),
  wall: z.enum(["calendar"], "must be calendar").optional().meta({
    description:
      "`calendar`: each event also has `shown_start` and `shown_end`, its times on the wall clock of its calendar.",
    example: "calendar",
  }),
};
