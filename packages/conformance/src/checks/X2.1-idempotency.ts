import { equal, expect } from "../engine/assert.js";
import { twoAccounts } from "../engine/check.js";
import type { OperationName } from "../engine/operations.js";
import { idOf, idsOf, member, text } from "../engine/json.js";
import { type Kit, someStart } from "../engine/kit.js";
import type { Answer, CallOptions, Params } from "../engine/target.js";
import { eventDetails, extension, newKey, ok, refuses, send, withKey } from "../steps/extensions.js";

const replayed = "idempotency-replayed";

/** Sends a write twice with one key: the second answer is the first one, and says so. */
async function twice(kit: Kit, operation: OperationName, params: Params, options: CallOptions = {}): Promise<Answer> {
  const sent = { ...options, ...withKey(newKey(kit)) };
  const first = await ok(kit, operation, params, sent);
  expect(first.headers[replayed] === undefined, "The first answer must not have Idempotency-Replayed.");
  const second = await send(kit, operation, params, sent);
  equal([second.status, second.text], [first.status, first.text], "status and body of the second answer");
  equal(second.headers[replayed], "true", "Idempotency-Replayed of the second answer");
  return first;
}

/** Sentences of docs/extensions.md. */
export const sentences = {
  "X2.1 replay": "Same key and parameters: the same answer with Idempotency-Replayed; nothing is written.",
  "X2.1 reused": "Same key, other parameters or operation: 422 idempotency_key_reused.",
  "X2.1 key": "Idempotency-Key: 1 to 255 visible ASCII characters, on any write; its scope is the account.",
  "X2.1 refused": "Only answers that were committed are stored; a 4xx is not.",
};

/** extensions X2.1: Idempotency-Key. */
export const checks = [
  ...(["query", "form"] as const).map((how) =>
    extension(`idempotency.create-event-${how}`, "X2.1 replay", `An event created twice with one key in a ${how} is there once`, async (kit) => {
      const calendar_id = idOf(await kit.calendar());
      const { body } = await twice(kit, "createEvent", { calendar_id, title: "Once", start_date: someStart }, { send: how });
      equal(idsOf(await kit.events(calendar_id)), [idOf(member(body, "event"))], "events");
    }),
  ),
  extension("idempotency.create-calendar", "X2.1 replay", "A calendar created twice with one key is there once", async (kit) => {
    const title = kit.name();
    const options = withKey(newKey(kit));
    const { text: first } = await kit.ok("createCalendar", { title }, options);
    const second = await ok(kit, "createCalendar", { title }, options);
    equal([second.text, second.headers[replayed]], [first, "true"], "the second answer, Idempotency-Replayed");
    equal((await kit.calendars(title)).length, 1, "number of calendars");
  }),
  extension("idempotency.save", "X2.1 replay", "A save that is repeated with one key counts once", async (kit) => {
    const event_id = idOf(await kit.event(await kit.calendar()));
    await twice(kit, "saveEvent", { event_id, title: "Saved", start_date: someStart });
    equal((await eventDetails(kit, event_id))["updated_times"], 1, "updated_times");
  }),
  extension("idempotency.delete", "X2.1 replay", "A delete that is repeated with one key succeeds again", async (kit) => {
    const calendar = await kit.calendar();
    await twice(kit, "deleteEvent", { event_id: idOf(await kit.event(calendar)) });
  }),
  extension("idempotency.extensions", "X2.1 replay", "Writes of the extensions that are repeated with one key are done once", async (kit) => {
    const calendar_id = idOf(await kit.calendar());
    const { body } = await twice(kit, "POST events/create/", { calendar_id, title: "Once", start_date: someStart });
    const event_id = idOf(member(body, "event"));
    equal(idsOf(await kit.events(calendar_id)), [event_id], "events");
    await twice(kit, "POST events/update/", { event_id, location: "Here" });
    equal((await eventDetails(kit, event_id))["updated_times"], 1, "updated_times");
    await twice(kit, "POST calendars/update/", { calendar_id, description: "Text" });
  }),
  extension("idempotency.at-once", "X2.1 replay", "Of equal writes at the same time with one key one is done", async (kit) => {
    const calendar_id = idOf(await kit.calendar());
    const params = { calendar_id, title: "Once", start_date: someStart };
    const options = { send: "form", ...withKey(newKey(kit)) } as const;
    const answers = await Promise.all([1, 2, 3, 4].map(async () => send(kit, "createEvent", params, options)));
    const done = answers.filter(({ status }) => status === 200);
    equal([new Set(done.map((one) => one.text)).size, (await kit.events(calendar_id)).length], [1, 1], "different answers, events");
    for (const { status, body } of answers.filter((one) => !done.includes(one)))
      equal([status, member(body, "meta")["error_type"]], [409, "idempotency_in_progress"], "status and error_type of the others");
  }),
  extension("idempotency.other-parameters", "X2.1 reused", "The same key with other parameters is a 422 and writes nothing", async (kit) => {
    const calendar_id = idOf(await kit.calendar());
    const params = { calendar_id, title: "Once", start_date: someStart };
    const options = withKey(newKey(kit));
    await ok(kit, "createEvent", params, options);
    await refuses(kit, [422, "idempotency_key_reused"], "createEvent", { ...params, title: "Other" }, options);
    await refuses(kit, [422, "idempotency_key_reused"], "createEvent", { ...params, location: "More" }, options);
    equal(
      (await kit.events(calendar_id)).map((event) => text(event, "title")),
      ["Once"],
      "events",
    );
  }),
  extension("idempotency.other-operation", "X2.1 reused", "The same key with another operation is a 422 and writes nothing", async (kit) => {
    const calendar_id = idOf(await kit.calendar());
    const params = { calendar_id, title: "Once", start_date: someStart };
    const options = withKey(newKey(kit));
    await ok(kit, "createEvent", params, options);
    await refuses(kit, [422, "idempotency_key_reused"], "POST events/create/", params, options);
    equal((await kit.events(calendar_id)).length, 1, "number of events");
  }),
  extension("idempotency.invalid-keys", "X2.1 key", "A key that is too long, empty or has a blank is a 400 and writes nothing", async (kit) => {
    const calendar_id = idOf(await kit.calendar());
    const params = { calendar_id, title: "Never", start_date: someStart };
    for (const key of ["k".repeat(256), "", "two words"]) await refuses(kit, [400, "idempotency_key_invalid"], "createEvent", params, withKey(key));
    equal(await kit.events(calendar_id), [], "events");
  }),
  extension("idempotency.valid-keys", "X2.1 key", "A key has up to 255 visible ASCII characters", async (kit) => {
    const calendar_id = idOf(await kit.calendar());
    const params = { calendar_id, title: "One", start_date: someStart };
    for (const key of [newKey(kit).padEnd(255, "k"), `${newKey(kit)}!"#$%&'()*+,-./:;<=>?@[]^_{|}~`])
      await ok(kit, "createEvent", params, withKey(key));
    equal((await kit.events(calendar_id)).length, 2, "number of events");
  }),
  extension("idempotency.refused", "X2.1 refused", "A refused request leaves its key free", async (kit) => {
    const calendar_id = idOf(await kit.calendar());
    const options = withKey(newKey(kit));
    await refuses(kit, [400], "createEvent", { calendar_id, title: "x", start_date: "never" }, options);
    await refuses(kit, [404], "createEvent", { calendar_id: "9007199254740991", title: "x", start_date: someStart }, options);
    const { headers } = await ok(kit, "createEvent", { calendar_id, title: "x", start_date: someStart }, options);
    equal(headers[replayed], undefined, "Idempotency-Replayed");
    equal((await kit.events(calendar_id)).length, 1, "number of events");
  }),
  extension("idempotency.accounts", "X2.1 key", "Two accounts may use the same key", twoAccounts, async (kit) => {
    const options = withKey(newKey(kit));
    const title = kit.name();
    const [one, other] = [await kit.ok("createCalendar", { title }, options), await kit.ok("createCalendar", { title }, { ...options, as: "other" })];
    expect(idOf(member(one.body, "calendar")) !== idOf(member(other.body, "calendar")), "The second account got the first one's calendar.");
    equal(other.headers[replayed], undefined, "Idempotency-Replayed");
  }),
];
