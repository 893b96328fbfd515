import type { ContractId } from "@kalends/spec";
import { hashFollowerKey, newFollowerKey } from "../src/followers/subscribe.js";
import { insertSubscriber } from "../src/followers/subscriber-queries.js";
import type { Values } from "./calls.js";
import type { TestAccount, TestServer } from "./harness.js";

export type Json = Readonly<Record<string, unknown>>;

export function isJson(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** What the examples of the document tell about: an account with what an operation needs, and nothing else. */
export interface World {
  readonly account: TestAccount;
  /** Parameter → id, of what was made. */
  readonly ids: Values;
}

/** What is made before an operation is called, from the examples of the operations that make it. */
export async function worldOf(
  server: TestServer,
  id: ContractId,
  examples: (name: string) => Values,
  subscriber: Json | undefined,
): Promise<World> {
  const account = await server.account();
  const ids: Record<string, string> = {};
  if (id === "createCalendar" || id === "listTimeZones") return { account, ids };
  const calendar = await account.call("createCalendar", examples("CreateCalendar"));
  const calendar_id: string = calendar.body.calendar.id;
  ids.calendar_id = calendar_id;
  if (["listEvents", "saveEvent", "deleteEvent"].includes(id)) {
    const event = await account.call("createEvent", { ...examples("CreateEvent"), calendar_id });
    ids.event_id = String(event.body.event.id);
  }
  if (subscriber !== undefined) ids.subscriber_id = await subscribe(server, account, calendar_id, subscriber);
  return { account, ids };
}

/** Makes the printed subscriber: the API has no call that does (rulings R5.1). */
async function subscribe(
  { db }: TestServer,
  { id: account_id }: TestAccount,
  calendarId: string,
  printed: Json,
): Promise<string> {
  const text = (name: string): string => String(printed[name]);
  const known = (name: string): string | null => (text(name) === "null" ? null : text(name));
  const row = await db.transaction((trx) =>
    insertSubscriber(trx, {
      account_id,
      calendar_id: Number(calendarId),
      key_hash: hashFollowerKey(newFollowerKey()),
      name: text("name"),
      email: text("email"),
      ip: text("ip"),
      postal: known("postal"),
      city: known("city"),
      state: known("state"),
      country: text("country"),
      calendar_type: text("calendar_type"),
      active: text("active") === "true" ? 1 : 0,
      blocked: text("blocked") === "true" ? 1 : 0,
      subscribed_at: Number(printed["unixtime_stamp"]),
    }),
  );
  return String(row.id);
}

/** The answer with the ids, keys and request ids that the example has: those differ each time. All else stays. */
export function asPrinted(answer: unknown, printed: unknown, ids: Values): unknown {
  if (Array.isArray(answer))
    return answer.map((item, index) =>
      asPrinted(item, Array.isArray(printed) ? printed[index] : undefined, ids),
    );
  if (!isJson(answer) || !isJson(printed)) return answer;
  return Object.fromEntries(
    Object.entries(answer).map(([name, value]) => {
      const shown = printed[name];
      const isFresh = /^(uniquekey|request_id)$/.test(name) && sameForm(value, shown);
      const isOurs = /^(id|calendar)$/.test(name) && Object.values(ids).includes(String(value));
      return [
        name,
        isFresh || (isOurs && typeof value === typeof shown) ? shown : asPrinted(value, shown, ids),
      ];
    }),
  );
}

function sameForm(value: unknown, shown: unknown): boolean {
  const form = /^[0-9a-z]+$/;
  const [one, other] = [String(value), String(shown)];
  return form.test(one) && form.test(other) && one.length === other.length;
}
