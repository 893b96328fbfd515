import { equal } from "../engine/assert.js";
import { followers, required } from "../engine/check.js";
import { idOf } from "../engine/json.js";
import { fits } from "../engine/shapes.js";
import { details, everyone, some } from "../steps/subscribers.js";

const mostDetails = 8;

/** contract 4.10: the details of a subscriber. */
export const checks = [
  required("subscribers.details.array", ["4.10 result", "2.5 details"], "Details come as an array of one", followers, async (kit) => {
    const id = idOf((await some(kit))[0]);
    equal(idOf(await details(kit, id)), id, "id");
  }),
  required(
    "subscribers.details.fields",
    ["2.5 fields", "2.5 null", "4.10 result"],
    "Details have the fields and values of the list",
    followers,
    async (kit) => {
      await some(kit);
      for (const subscriber of (await everyone(kit)).slice(0, mostDetails)) {
        const one = await details(kit, idOf(subscriber));
        fits(one, "subscriber");
        for (const [field, value] of Object.entries(subscriber)) equal(one[field], value, `${field} of the details`);
      }
    },
  ),
  required(
    "subscribers.details.ids-are-mandatory",
    "4.10 ids",
    "Details without calendar_id or subscriber_id are refused",
    followers,
    async (kit) => {
      const subscriber_id = idOf((await some(kit))[0]);
      await kit.refused("getSubscriber", { subscriber_id });
      await kit.refused("getSubscriber", { calendar_id: kit.followed });
    },
  ),
  required(
    "subscribers.details.of-this-calendar",
    "4.10 result",
    "A subscriber is not found under another calendar",
    { subscribers: true },
    async (kit) => {
      const subscriber_id = idOf((await some(kit))[0]);
      await kit.refused("getSubscriber", { calendar_id: idOf(await kit.calendar()), subscriber_id });
    },
  ),
  required("subscribers.details.unknown", "4.10 result", "A subscriber that does not exist is refused", followers, async (kit) => {
    await kit.refused("getSubscriber", { calendar_id: kit.followed, subscriber_id: "9007199254740991" });
  }),
];
