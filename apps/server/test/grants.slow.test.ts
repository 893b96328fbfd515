import {
  allOperationIds,
  allOperations,
  type AnyOperationId,
  isExtension,
  isWrite,
  type Operation,
  type OperationId,
  operationIds,
  operations,
  type Role,
  roles,
} from "@kalends/spec";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { namingParameters } from "../src/people/restrict.js";
import type { GrantRow } from "../src/db/rows.js";
import { addFollower, freshParams, withoutRequestId } from "./calls.js";
import { startTestServer, type Answer, type TestAccount, type TestServer, withMail } from "./harness.js";
import { ownerGrant, signIn, type SignedInPerson } from "./people.js";

// Extensions X9.1: every operation of the extensions by every role, on calendars that are granted, that are not, and of another account.

let server: TestServer;
let own: TestAccount;
let other: TestAccount;
let people: Readonly<Record<Role, SignedInPerson>>;

beforeAll(async () => {
  server = await startTestServer({
    ...withMail,
    PUBLIC_URL: "http://127.0.0.1",
    WEBHOOKS_PER_ACCOUNT: "1000",
  });
  [own, other] = [await server.account(), await server.account()];
  const [owner, editor, viewer] = [
    await signIn(server, own.id, []),
    await signIn(server, own.id, []),
    await signIn(server, own.id, []),
  ];
  people = { owner, editor, viewer };
});
afterAll(() => server.stop());

const all = operationIds.flatMap((id) => {
  const op: Operation = operations[id];
  return isExtension(op) ? [{ id, op }] : [];
});
const naming = all.filter(({ op }) => namingParameters(op).length > 0);

/** Gives a person these grants, and no others. */
async function grant(
  person: SignedInPerson,
  ...grants: readonly Omit<GrantRow, "person_id">[]
): Promise<void> {
  await server.db.transaction(async (trx) => {
    await trx("grants").where({ person_id: person.id }).delete();
    for (const one of grants) await trx("grants").insert({ ...one, person_id: person.id });
  });
}

/** What the requests that change nothing share: made once for each account and operation. */
const made = new Map<string, ReturnType<typeof fresh>>();

/** Parameters of an operation for items of a new calendar, and the id of that. */
async function fresh(account: TestAccount, id: OperationId) {
  if (id === "tokensCreate" || id === "syncsCreate") made.clear(); // freshParams ends what an account may have few of
  const params = await freshParams(server, account, id);
  if (id === "eventsBatch") {
    delete params.calendar_id;
    params.events = (await freshParams(server, account, "eventsDetails")).event_id ?? "";
  }
  const newest = server.db.read("calendars").where({ account_id: account.id }).orderBy("id", "desc");
  const row: { readonly id: number } | undefined = await newest.first("id");
  return { params, calendarId: row?.id ?? 0 };
}

/** As `fresh`, for a request that is refused or reads. */
function shared(account: TestAccount, id: OperationId): ReturnType<typeof fresh> {
  const key = `${account.id} ${id}`;
  const items = made.get(key) ?? fresh(account, id);
  made.set(key, items);
  return items;
}

/** As `fresh`, for a request of a role. */
function forRole(role: Role, id: OperationId): ReturnType<typeof fresh> {
  const op: Operation = operations[id];
  return isWrite(op) && isEnough(role, op) ? fresh(own, id) : shared(own, id);
}

const outcome = (answer: Answer) => [answer.status, withoutRequestId(answer)];
const errorOf = ({ body }: Answer): unknown => body?.meta?.error_type;

const isEnough = (role: Role, { access }: Operation): boolean =>
  roles.indexOf(role) <= roles.indexOf(access.role) && (access.followers !== true || role === "owner");

const inCalendar = (calendar_id: number, role: Role) => ({
  calendar_id,
  role,
  sees_followers: 0,
});

describe.each(naming)("$id", ({ id, op }) => {
  test("does for each role what it may, in the calendars that are granted", async () => {
    for (const role of roles) {
      const { params, calendarId } = await forRole(role, id);
      await grant(people[role], inCalendar(calendarId, role));
      const answer = await people[role].call(id, params);
      const expected = isEnough(role, op) ? [200, undefined] : [403, "role_insufficient"];
      expect([answer.status, errorOf(answer)], `${role}: ${answer.text}`).toEqual(expected);
    }
  });

  test("answers ids of other calendars and accounts as ids that do not exist", async () => {
    const [elsewhere, foreign, granted] = [
      await shared(own, id),
      await shared(other, id),
      await fresh(own, id),
    ];
    const names = namingParameters(op).filter((name) => granted.params[name] !== undefined);
    expect(names.length).toBeGreaterThan(0);
    for (const role of roles) {
      await grant(people[role], inCalendar(granted.calendarId, role));
      for (const name of names) {
        const sent = (value = "") => people[role].call(id, { ...granted.params, [name]: value });
        const absent = await sent("9007199254740990");
        // A batch says it of each event; a copy names something else too, which the role is too low for.
        const status = id === "eventsBatch" ? 200 : names.length > 1 && !isEnough(role, op) ? 403 : 404;
        expect(absent.status, `${role} ${name}: ${absent.text}`).toBe(status);
        for (const { params } of [elsewhere, foreign]) {
          const hidden = await sent(params[name]);
          const shown = hidden.text.replace(`"${params[name]}"`, '"9007199254740990"');
          expect([hidden.status, withoutRequestId({ ...hidden, text: shown })]).toEqual(outcome(absent));
        }
      }
    }
  });
});

describe.each(all.filter(({ op }) => op.access.calendar === "all"))("$id", ({ id }) => {
  test("needs an owner of all calendars", async () => {
    const { params, calendarId } = await fresh(own, id);
    for (const role of roles) {
      await grant(people[role], inCalendar(calendarId, role));
      expect(errorOf(await people[role].call(id, params)), role).toBe("role_insufficient");
    }
    for (const role of ["editor", "viewer"] as const) {
      await grant(people[role], inCalendar(0, role));
      expect(errorOf(await people[role].call(id, params)), role).toBe("role_insufficient");
    }
    await grant(people.owner, ownerGrant);
    const answer = await people.owner.call(id, params);
    expect(answer.status, answer.text).toBe(200);
  });
});

describe.each(all.filter(({ op }) => op.access.calendar === "any"))("$id", ({ id, op }) => {
  test("needs its role in any calendar", async () => {
    const { params, calendarId } = await fresh(own, id);
    for (const role of roles) {
      await grant(people[role], inCalendar(calendarId, role));
      const expected = isEnough(role, op) ? [200, undefined] : [403, "role_insufficient"];
      const answer = await people[role].call(id, params);
      expect([answer.status, errorOf(answer)], `${role}: ${answer.text}`).toEqual(expected);
    }
  });
});

const ofConsole = allOperationIds.filter((id) => {
  const { auth, access }: Operation = allOperations[id];
  return auth === "session" && access.calendar === "all";
});

test.each(ofConsole)("%s, of the console alone, needs an owner of all calendars", async (id) => {
  const { example }: Operation = allOperations[id];
  for (const given of [inCalendar(0, "editor"), inCalendar(0, "viewer"), inCalendar(1, "owner")]) {
    await grant(people.viewer, given);
    const answer = await people.viewer.call(id, example.request);
    expect([answer.status, errorOf(answer)]).toEqual([403, "role_insufficient"]);
  }
});

test("what each role may do in all calendars, it may do in each", async () => {
  for (const role of roles) await grant(people[role], inCalendar(0, role));
  for (const { id, op } of naming)
    for (const role of roles) {
      const { params } = await forRole(role, id);
      const answer = await people[role].call(id, params);
      expect([id, role, answer.status]).toEqual([id, role, isEnough(role, op) ? 200 : 403]);
      const foreign = await people[role].call(id, (await shared(other, id)).params);
      if (id !== "eventsBatch" && isEnough(role, op))
        expect([id, role, foreign.status]).toEqual([id, role, 404]);
    }
}, 120_000);

test("a person without a grant gets nothing, and one role in all calendars with a higher one in one has both", async () => {
  await grant(people.viewer);
  for (const { id } of all) {
    const { status, body } = await people.viewer.call(id, (await shared(own, id)).params);
    const items: unknown = body.calendars ?? body.trash ?? body.event_ids ?? "none";
    if (status === 200) expect([id, items]).toEqual([id, []]);
    else expect([id, [403, 404].includes(status)]).toEqual([id, true]);
  }
  const [one, two] = [await fresh(own, "eventsCreate"), await fresh(own, "eventsCreate")];
  await grant(people.viewer, inCalendar(0, "viewer"), inCalendar(one.calendarId, "editor"));
  expect((await people.viewer.call("eventsCreate", one.params)).status).toBe(200);
  expect((await people.viewer.call("eventsCreate", two.params)).status).toBe(403);
}, 120_000);

test("lists leave out other calendars: of calendars, of the trash, and of events", async () => {
  const [one, two] = [await fresh(own, "eventsRestore"), await fresh(own, "eventsRestore")];
  await grant(people.viewer, inCalendar(one.calendarId, "viewer"));
  const ids = async (person: SignedInPerson, id: AnyOperationId, params = {}): Promise<readonly string[]> => {
    const { body } = await person.call(id, params);
    const items: readonly { readonly id: string; readonly calendar_id?: string }[] =
      body.calendars ?? body.trash;
    return [...new Set(items.map((item) => item.calendar_id ?? item.id))];
  };
  for (const id of ["calendarsList", "trashList"] as const)
    expect(await ids(people.viewer, id), id).toEqual([String(one.calendarId)]);
  await grant(people.owner, ownerGrant);
  expect(await ids(people.owner, "trashList")).toEqual(
    expect.arrayContaining([one, two].map(({ calendarId }) => String(calendarId))),
  );
  const both = { calendar_id: String(one.calendarId), calendar_ids: String(two.calendarId) };
  expect(errorOf(await people.viewer.call("eventsList", both))).toBe("calendar_not_found");
});

test("a batch changes no event of another calendar, whatever else it names", async () => {
  const [one, two] = [await fresh(own, "eventsBatch"), await fresh(own, "eventsBatch")];
  await grant(people.editor, inCalendar(one.calendarId, "editor"));
  const events = `${one.params.events},${two.params.events}`;
  const answer = await people.editor.call("eventsBatch", { events, title: "New", partial: "true" });
  expect(answer.body, answer.text).toMatchObject({
    event_ids: [one.params.events],
    failed: [{ event_id: two.params.events }],
  });
  await grant(people.editor, inCalendar(one.calendarId, "editor"), inCalendar(two.calendarId, "viewer"));
  const refused = await people.editor.call("eventsBatch", { events, title: "Newer", partial: "true" });
  expect(errorOf(refused)).toBe("role_insufficient");
  const moved = { events: one.params.events ?? "", calendar_id: String(two.calendarId), partial: "true" };
  expect(errorOf(await people.editor.call("eventsBatch", moved))).toBe("role_insufficient");
  await grant(people.editor, inCalendar(one.calendarId, "editor"));
  expect(errorOf(await people.editor.call("eventsBatch", moved))).toBe("calendar_not_found");
});

test("followers are shown to those who may see them", async () => {
  const { params, calendarId } = await fresh(own, "subscribersList");
  await addFollower(server, own, String(calendarId), { name: "Ada Byron" });
  await grant(people.viewer, { ...inCalendar(calendarId, "viewer"), sees_followers: 1 });
  expect((await people.viewer.call("subscribersList", params)).text).toContain("Ada Byron");
  await grant(people.editor, inCalendar(calendarId, "editor"));
  const hidden = await people.editor.call("subscribersList", params);
  const person = { name: "", email: "", ip: "", postal: "", city: "", state: "", country: "" };
  expect(hidden.body.subscribers.length).toBeGreaterThan(0);
  for (const shown of hidden.body.subscribers) expect(shown).toMatchObject(person);
  expect(errorOf(await people.editor.call("subscribersExport", params))).toBe("role_insufficient");
});

test("a cached answer, and one that is kept under a key, is for those with the same grants", async () => {
  const { params, calendarId } = await fresh(own, "eventsList");
  await grant(people.owner, ownerGrant);
  await grant(people.viewer);
  const list = { calendar_id: String(calendarId) };
  expect((await people.owner.call("eventsList", list)).status).toBe(200);
  expect((await people.viewer.call("eventsList", list)).status).toBe(404);
  await grant(people.viewer, inCalendar(calendarId + 1_000, "owner"));
  expect((await people.viewer.call("eventsList", list)).status).toBe(404);
  const key = { "Idempotency-Key": "one" };
  const { body } = await people.owner.call("calendarsCreate", { title: "Mine" }, key);
  expect((await people.owner.call("calendarsCreate", { title: "Mine" }, key)).body).toEqual(body);
  expect((await people.viewer.call("calendarsCreate", { title: "Mine" }, key)).status).toBe(403);
  expect(params).toBeDefined();
});
