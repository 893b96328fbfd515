import type { Params, Payload } from "@kalends/spec";
import { seesFollowers } from "../accounts/principal.js";
import { findCalendar } from "../calendars/queries.js";
import { pageOf, rowsOf } from "../db/paging.js";
import type { Answer, Context, Handlers } from "../http/handler.js";
import { monthOf, monthStart } from "../time/formats.js";
import { toUnix } from "../time/zones.js";
import { erase, setBlocked } from "./subscriber-change-queries.js";
import * as queries from "./subscriber-queries.js";
import * as serialize from "./subscriber-serialize.js";

export const subscriberHandlers = {
  listSubscribers: (params, context) => list(params, context, {}),
  listInactiveSubscribers: (params, context) => list(params, context, { only: "inactive" }),
  listBlockedSubscribers: (params, context) => list(params, context, { only: "blocked" }),

  async getSubscriber({ calendar_id, subscriber_id }, { db, accountId, error }) {
    const calendar = await findCalendar(db, accountId, Number(calendar_id));
    if (calendar === undefined) throw error("calendar_not_found");
    const row = await db.list(accountId, ({ read }) =>
      queries.findSubscriber(read, calendar.id, Number(subscriber_id)),
    );
    if (row === undefined) throw error("subscriber_not_found");
    // One subscriber comes as an array of one element (contract 4.10).
    return { calendar: { id: calendar_id }, subscribers: [serialize.subscriber(row, calendar.timezone)] };
  },

  async subscribersList(params, { db, accountId, principal, page, error }) {
    const calendar = await findCalendar(db, accountId, Number(params.calendar_id));
    if (calendar === undefined) throw error("calendar_not_found");
    const only = params.only === undefined ? {} : { only: params.only };
    const filter = { ...only, ...monthFilter(params, calendar.timezone) };
    const options = { ...filter, order: params.order_by ?? "id-desc", ...rowsOf(page) } as const;
    const [rows, count] = await db.list(accountId, async ({ read }) => [
      await queries.findSubscribers(read, calendar.id, options),
      await queries.countSubscribers(read, calendar, filter),
    ]);
    const { items, paging } = pageOf(page, rows);
    return {
      calendar: { id: params.calendar_id, subscribers_count: count },
      subscribers: items.map((row) => {
        const details = serialize.subscriberDetails(row);
        return seesFollowers(principal, calendar.id) ? details : serialize.withoutPerson(details);
      }),
      paging,
    };
  },

  subscribersBlock: (params, context) => change(params, context, true),
  subscribersUnblock: (params, context) => change(params, context, false),

  async subscribersDelete({ subscriber_id }, { db, accountId, now, wrote, error }) {
    return db.transaction(async (trx) => {
      const named = { id: Number(subscriber_id), account_id: accountId };
      const row = await erase({ trx, now }, named);
      if (row === undefined) throw error("subscriber_not_found");
      wrote({ calendarId: row.calendar_id });
      return { subscriber: { id: subscriber_id, status: "deleted" } };
    });
  },
} satisfies Partial<Handlers>;

async function change(
  { subscriber_id }: Params<"subscribersBlock">,
  { db, accountId, now, wrote, error }: Context<"subscribersBlock">,
  isBlocked: boolean,
): Promise<Payload<"subscribersBlock">> {
  return db.transaction(async (trx) => {
    const named = { id: Number(subscriber_id), account_id: accountId };
    const row = await setBlocked({ trx, now }, named, isBlocked);
    if (row === undefined) throw error("subscriber_not_found");
    wrote({ calendarId: row.calendar_id, subscriberId: row.id });
    return { subscriber: serialize.subscriberDetails(row) };
  });
}

async function list(
  params: Params<"listSubscribers">,
  { db, accountId, page, cached, error }: Context<"listSubscribers">,
  only: Pick<queries.SubscriberFilter, "only">,
): Promise<Answer<Payload<"listSubscribers">>> {
  return cached(await db.readChangeCounter(), async () => {
    const calendar = await findCalendar(db, accountId, Number(params.calendar_id));
    if (calendar === undefined) throw error("calendar_not_found");
    const filter = { ...only, ...monthFilter(params, calendar.timezone) };
    const options = { ...filter, order: params.order_by ?? "id-desc", ...rowsOf(page) } as const;
    const [rows, count] = await db.list(accountId, async (on) => [
      await queries.listSubscribers(on, calendar.id, options),
      await queries.countSubscribers(on.read, calendar, filter),
    ]);
    const { items, paging } = pageOf(page, rows);
    return {
      calendar: { id: params.calendar_id, subscribers_count: count },
      subscribers: items.map((row) => serialize.subscriber(row, calendar.timezone)),
      paging,
    };
  });
}

/** The month of the subscription date, in the calendar's time zone (rulings R3.5). */
function monthFilter(
  { month, year }: Pick<Params<"listSubscribers">, "month" | "year">,
  zone: string,
): Pick<queries.SubscriberFilter, "between"> {
  if (month === undefined || year === undefined) return {};
  const index = monthOf(year, month);
  return { between: [toUnix(monthStart(index), zone), toUnix(monthStart(index + 1), zone)] };
}
