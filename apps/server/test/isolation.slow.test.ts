import { isWrite } from "@kalends/spec";
import { describe, expect, test } from "vitest";
import {
  blamed,
  type Call,
  callsWithToken,
  freshItems,
  freshParams,
  freshSeries,
  idParams,
  mandatoryParams,
  send,
  type Values,
  withOnly,
  withoutRequestId,
} from "./calls.js";
import { holdContent } from "./database-content.js";
import { type TestAccount, testServer } from "./harness.js";

// No account sees or changes what is another's, for every operation of the spec that takes an id (rulings R2.3).

const server = await testServer({ WEBHOOKS_PER_ACCOUNT: "1000", LOG_LEVEL: "debug" });
const victim = await server.account();
const attacker = await server.account();
const theirs = await itemsOf(victim);
const deleted = await deletedItems(attacker);
const orphaned = await itemsOfDeletedCalendar(attacker);
expect((await attacker.call("trashPurge", { all: "true" })).status).toBe(200); // else some could be restored
for (const { token_id } of [deleted, orphaned])
  // of no calendar, and never deleted by a call
  await server.db.transaction((trx) =>
    trx("tokens")
      .where({ id: Number(token_id) })
      .delete(),
  );
const neverUsed = "9007199254740991";

async function itemsOf(account: TestAccount): Promise<Values> {
  const items = await freshItems(server, account);
  const event_id = await freshSeries(account, items.calendar_id);
  return { ...items, series_id: (await account.call("eventsDetails", { event_id })).body.event.series_id };
}

/** Ids that the account has used once and deleted. */
async function deletedItems(account: TestAccount): Promise<Values> {
  const items = await itemsOf(account);
  const { event_id = "", calendar_id = "", subscriber_id, webhook_id = "" } = items;
  await deleteToken(items);
  await server.db.transaction((trx) =>
    trx("subscribers")
      .where({ id: Number(subscriber_id) })
      .delete(),
  );
  await account.call("deleteEvent", { event_id });
  await account.call("webhooksDelete", { webhook_id });
  await account.call("deleteCalendar", { calendar_id });
  return items;
}

/** Ids of what a calendar and a webhook hold that the account has deleted, and that has not been purged yet. */
async function itemsOfDeletedCalendar(account: TestAccount): Promise<Values> {
  const items = await itemsOf(account);
  const { calendar_id = "", webhook_id = "" } = items;
  await deleteToken(items);
  expect((await account.call("webhooksDelete", { webhook_id })).status).toBe(200);
  expect((await account.call("deleteCalendar", { calendar_id })).status).toBe(200);
  return items;
}

/** A token goes only with its account. */
async function deleteToken({ token_id }: Values): Promise<void> {
  await server.db.transaction((trx) =>
    trx("tokens")
      .where({ id: Number(token_id) })
      .delete(),
  );
}

function item(items: Values, name: string): string {
  const value = items[name];
  if (value === undefined) throw new Error(`there is no ${name}`);
  return value;
}

/** Of an operation that takes one of several ids, with this one. */
async function paramsOf({ id }: Call, name: string): Promise<Record<string, string>> {
  const params = await freshParams(server, attacker, id);
  return id === "trashPurge" ? withOnly(params, name) : params;
}

const calls: readonly { readonly call: Call; readonly name: string }[] = callsWithToken.flatMap((call) =>
  idParams(call.op).map((name) => ({ call, name })),
);

describe.each(calls.map(({ call, name }) => ({ title: `${call.title} ${name}`, call, name })))(
  "$title",
  ({ call, name }) => {
    test("foreign, deleted, orphaned and never used ids get the same 404, and nothing is changed", async () => {
      const params = await paramsOf(call, name);
      await using content = await holdContent(server);
      const foreign = { ...params, [name]: item(theirs, name) };
      const gone = { ...params, [name]: item(deleted, name) };
      const answers = [
        foreign,
        gone,
        { ...params, [name]: item(orphaned, name) },
        { ...params, [name]: neverUsed },
        { ...params, [name]: "999999999" },
      ].map((given) => send(server, call, given, { token: attacker.token }));
      const texts = new Set<string>();
      for (const answer of await Promise.all(answers)) {
        expect(answer.status).toBe(404);
        expect(answer.body.meta.error_type).toBe(`${name.replace(/_id$/, "")}_not_found`);
        expect([...answer.headers.keys()]).not.toContain("etag");
        texts.add(withoutRequestId(answer));
      }
      expect(texts.size).toBe(1);
      await content.expectSame();
    });

    test("a foreign id and one never used need the same queries", async () => {
      const params = await paramsOf(call, name);
      const queriesOf = async (id: string): Promise<readonly string[]> => {
        const before = server.logLines.length;
        await send(server, call, { ...params, [name]: id }, { token: attacker.token });
        const logged = server.logLines.slice(before).filter(({ msg }) => msg === "query");
        return logged.map(({ query }) => String(query)).toSorted();
      };
      const same = async () => {
        const [foreign, unused] = [await queriesOf(item(theirs, name)), await queriesOf(neverUsed)];
        return JSON.stringify(foreign) === JSON.stringify(unused) ? "the same" : { foreign, unused };
      };
      await expect.poll(same).toBe("the same"); // other work of the server may run a query meanwhile
    });

    test("a malformed id is a 400 that does not depend on whose it is", async () => {
      const params = await paramsOf(call, name);
      const texts = new Set<string>();
      for (const value of [
        `0${item(theirs, name)}`,
        ` ${item(theirs, name)}`,
        `${item(theirs, name)}.0`,
        "abc",
      ]) {
        const answer = await send(server, call, { ...params, [name]: value }, { token: attacker.token });
        expect(answer.status).toBe(400);
        expect(blamed(answer)).toStrictEqual([name]);
        texts.add(withoutRequestId(answer));
      }
      expect(texts.size).toBe(1);
    });

    test("wrong parameters are reported before the owner is checked, so that a 400 reveals nothing", async () => {
      if (!("title" in call.op.params.shape)) return;
      const params = await paramsOf(call, name);
      const own = params[name] === undefined ? [] : [params[name]];
      const given = [item(theirs, name), item(deleted, name), neverUsed, ...own];
      const answers = await Promise.all(
        given.map((id) =>
          send(server, call, { ...params, title: " ", [name]: id }, { token: attacker.token }),
        ),
      );
      expect(new Set(answers.map(({ status }) => status))).toStrictEqual(new Set([400]));
      expect(new Set(answers.map(withoutRequestId)).size).toBe(1);
    });
  },
);

test.each(callsWithToken.filter(({ op }) => !isWrite(op) && mandatoryParams(op).length === 0))(
  "$title has nothing of another account",
  async (call) => {
    if (call.id === "palettesList" || call.id === "timezonesList") return;
    const own = await server.account();
    const read = async (account: TestAccount) =>
      itemsIn((await send(server, call, {}, { token: account.token })).body);
    const ids = (await read(victim)).map(({ id }) => id);
    const items = await read(own);
    expect(items.filter(({ id }) => ids.includes(id))).toEqual([]);
    expect(items.length).toBe(call.id === "tokensList" ? 1 : 0);
  },
);

/** The items of the list in a body. */
function itemsIn(body: object): readonly { readonly id: string }[] {
  return Object.values(body).find(Array.isArray) ?? [];
}

test("an own subscriber is not found through another own calendar", async () => {
  const one = await freshItems(server, attacker);
  const other = await freshItems(server, attacker);
  const right = await attacker.call("getSubscriber", {
    calendar_id: item(one, "calendar_id"),
    subscriber_id: item(one, "subscriber_id"),
  });
  expect(right.status).toBe(200);
  const wrong = await attacker.call("getSubscriber", {
    calendar_id: item(other, "calendar_id"),
    subscriber_id: item(one, "subscriber_id"),
  });
  const never = await attacker.call("getSubscriber", {
    calendar_id: item(other, "calendar_id"),
    subscriber_id: neverUsed,
  });
  expect(wrong.status).toBe(404);
  expect(withoutRequestId(wrong)).toBe(withoutRequestId(never));
});

test("another's subscriber is not found through an own calendar, nor through the other's", async () => {
  const own = await freshItems(server, attacker);
  for (const calendar_id of [item(own, "calendar_id"), item(theirs, "calendar_id")]) {
    const answer = await attacker.call("getSubscriber", {
      calendar_id,
      subscriber_id: item(theirs, "subscriber_id"),
    });
    expect(answer.status).toBe(404);
  }
});

test("nothing in a deleted calendar can be reached any more: events and subscribers are 404", async () => {
  const { calendar_id = "", event_id = "", subscriber_id = "" } = await freshItems(server, attacker);
  await attacker.call("deleteCalendar", { calendar_id });
  await using before = await holdContent(server);
  const save = { event_id, title: "x", start_date: "07/04/2026 10:00" };
  const create = { calendar_id, title: "x", start_date: "07/04/2026 10:00" };
  const answers = [
    await attacker.call("saveEvent", save),
    await attacker.get("saveEvent", save),
    await attacker.call("deleteEvent", { event_id }),
    await attacker.get("deleteEvent", { event_id }),
    await attacker.call("createEvent", create),
    await attacker.call("listEvents", { calendar_id }),
    await attacker.call("listSubscribers", { calendar_id }),
    await attacker.call("getSubscriber", { calendar_id, subscriber_id }),
    await attacker.call("saveCalendar", { calendar_id, title: "x" }),
    await attacker.call("deleteCalendar", { calendar_id }),
  ];
  expect(answers.map(({ status }) => status)).toStrictEqual(answers.map(() => 404));
  const never = await attacker.call("saveEvent", { ...save, event_id: neverUsed });
  expect(answers.slice(0, 1).map(withoutRequestId)).toStrictEqual([withoutRequestId(never)]);
  await before.expectSame();
  expect((await attacker.call("listCalendars")).text).not.toContain(`"id":"${calendar_id}"`);
});

test("the time of a 404 does not show whether an id with long texts is another account's", async () => {
  const description = "🎉".repeat(65_535);
  const calendar = (await victim.call("createCalendar", { title: "x", description })).body.calendar;
  const dates = { title: "x", start_date: "07/04/2026 10:00" };
  const event = (await victim.call("createEvent", { calendar_id: calendar.id, ...dates, description })).body
    .event;
  for (const [id, name, foreign, more] of [
    ["listEvents", "calendar_id", calendar.id, {}],
    ["createEvent", "calendar_id", calendar.id, dates],
    ["saveCalendar", "calendar_id", calendar.id, { title: "x" }],
    ["listSubscribers", "calendar_id", calendar.id, {}],
    ["saveEvent", "event_id", String(event.id), dates],
    ["deleteEvent", "event_id", String(event.id), {}],
  ] as const) {
    const timeOf = async (value: string): Promise<number> => {
      const started = performance.now();
      expect((await attacker.get(id, { ...more, [name]: value })).status).toBe(404);
      return performance.now() - started;
    };
    const [theirs, none]: [number[], number[]] = [[], []];
    // The shortest times, since those have waited for nothing else. To read the texts takes more than 1 ms each time.
    const isTold = (): boolean => Math.min(...theirs) - Math.min(...none) > 0.7;
    for (let n = 0; n < 20 || (n < 2_000 && isTold()); n++) {
      theirs.push(await timeOf(foreign));
      none.push(await timeOf(neverUsed));
    }
    expect([id, isTold()]).toEqual([id, false]);
  }
});
