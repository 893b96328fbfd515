import { equal } from "../engine/assert.js";
import type { OperationName } from "../engine/operations.js";
import { idsOf } from "../engine/json.js";
import { someStart } from "../engine/kit.js";
import type { Params } from "../engine/target.js";
import { eventDetails, extension, fullEvent, ok, refuses, updateEvent } from "../steps/extensions.js";

const writes: readonly (readonly [name: string, operation: OperationName, params: Params])[] = [
  ["save", "saveEvent", { title: "Changed", start_date: someStart }],
  ["update", "POST events/update/", { location: "Changed" }],
  ["delete", "deleteEvent", {}],
];

function ifMatch(tag: string) {
  return { headers: { "If-Match": tag } };
}

/** Sentences of docs/extensions.md. */
export const sentences = {
  "X2.2 match": "If-Match on save, update and delete of an event: 412 event_changed when updated_times differs.",
};

/** extensions X2.2: If-Match. */
export const checks = writes.flatMap(([name, operation, params]) => [
  extension(`if-match.${name}-differs`, "X2.2 match", `${name} of an event with an If-Match of before is a 412 and changes nothing`, async (kit) => {
    const { calendar, id: event_id } = await fullEvent(kit);
    await updateEvent(kit, event_id, { location: "Meanwhile" });
    const before = await eventDetails(kit, event_id);
    for (const tag of [`"0"`, `"2"`]) await refuses(kit, [412, "event_changed"], operation, { event_id, ...params }, ifMatch(tag));
    equal(await eventDetails(kit, event_id), before, "the event");
    equal(idsOf(await kit.events(calendar)), [event_id], "events");
  }),
  extension(`if-match.${name}-matches`, "X2.2 match", `${name} of an event with its own If-Match succeeds`, async (kit) => {
    const { id: event_id } = await fullEvent(kit);
    await updateEvent(kit, event_id, { location: "Meanwhile" }, ifMatch(`"0"`));
    await ok(kit, operation, { event_id, ...params }, ifMatch(`"1"`));
  }),
]);
