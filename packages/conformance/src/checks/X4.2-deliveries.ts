import { equal, expect, failure, show } from "../engine/assert.js";
import { idOf, idsOf, type Item, list, member, only, text } from "../engine/json.js";
import { ok, refuses } from "../steps/extensions.js";
import { deliveriesOf, webhookCheck, withWebhook } from "../steps/webhooks.js";

const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;

const forms = {
  id: /^[0-9]+$/,
  webhook_id: /^[0-9]+$/,
  calendar_id: /^[0-9]*$/,
  message_id: /^\S+$/,
  type: /^[a-z]+\.[a-z]+$/,
  status: /^(pending|sent|failed)$/,
  error: /^[^]*$/,
  date_create: instant,
  date_attempted: /^$|Z$/,
  date_next: /^$|Z$/,
} as const;

function hasShape(delivery: Item): void {
  for (const [name, form] of Object.entries(forms)) {
    const value = delivery[name];
    if (typeof value !== "string" || !form.test(value)) throw failure(`${name}: expected ${form.source}, got ${show(value)}.`);
  }
  for (const name of ["attempts", "response_status", "duration_ms"])
    expect(Number.isSafeInteger(delivery[name]), `${name}: expected an integer, got ${show(delivery[name])}.`);
}

/** Sentences of docs/extensions.md. */
export const sentences = {
  "X4.2 deliveries": "A message is stored with each write; its delivery can be listed.",
  "X4.2 again": "Deliveries can be sent again.",
};

/** extensions X4.2: what became of each message. Its receiver cannot be reached, so it may be tried or not. */
export const checks = [
  webhookCheck(
    "deliveries.write",
    ["X4.2 deliveries"],
    "A write leaves a delivery, which is listed at once, though no one receives it",
    async (kit) => {
      const calendar_id = idOf(await kit.calendar());
      await withWebhook(kit, { calendar_id }, async ({ webhook, id }) => {
        equal(await deliveriesOf(kit, id), [], "deliveries before the write");
        await kit.event(calendar_id);
        const { body } = await ok(kit, "GET webhooks/deliveries/", { webhook_id: id });
        equal(idOf(member(body, "webhook")), idOf(webhook), "id of the webhook");
        const delivery = only(list(body, "deliveries"), "deliveries");
        hasShape(delivery);
        const shown = [delivery["webhook_id"], delivery["calendar_id"], delivery["type"], delivery["response_status"]];
        equal(shown, [id, calendar_id, "event.created", 0], "webhook_id, calendar_id, type, response_status");
        expect(delivery["status"] !== "sent", "status: sent, although no one receives it.");
      });
    },
  ),
  webhookCheck("deliveries.order", ["X4.2 deliveries"], "Deliveries come newest first", async (kit) => {
    const calendar_id = idOf(await kit.calendar());
    await withWebhook(kit, { calendar_id }, async ({ id }) => {
      const event_id = idOf(await kit.event(calendar_id));
      await ok(kit, "deleteEvent", { event_id });
      const sent = (await deliveriesOf(kit, id)).map((delivery) => text(delivery, "type"));
      equal(sent, ["event.deleted", "event.created"], "types");
    });
  }),
  webhookCheck("deliveries.refused", ["X4.2 deliveries"], "A write that is refused leaves no delivery", async (kit) => {
    const calendar_id = idOf(await kit.calendar());
    await withWebhook(kit, { calendar_id }, async ({ id }) => {
      await refuses(kit, [400], "createEvent", { calendar_id, title: "x", start_date: "never" });
      equal(await deliveriesOf(kit, id), [], "deliveries");
    });
  }),
  webhookCheck("deliveries.test", ["X4.2 deliveries"], "A test is a delivery of the type webhook.test", async (kit) => {
    await withWebhook(kit, { types: "calendar.deleted" }, async ({ id: webhook_id }) => {
      const delivery = member((await ok(kit, "POST webhooks/test/", { webhook_id })).body, "delivery");
      hasShape(delivery);
      equal([delivery["type"], delivery["webhook_id"], delivery["calendar_id"]], ["webhook.test", webhook_id, ""], "type, webhook_id, calendar_id");
      const listed = (await deliveriesOf(kit, webhook_id)).filter(({ type }) => type === "webhook.test");
      equal(idsOf(listed), [idOf(delivery)], "ids of the listed tests");
    });
  }),
  webhookCheck("deliveries.again", ["X4.2 again"], "A message that is sent again keeps its id, and is no second delivery", async (kit) => {
    await withWebhook(kit, { types: "calendar.deleted" }, async ({ id: webhook_id }) => {
      const first = member((await ok(kit, "POST webhooks/test/", { webhook_id })).body, "delivery");
      const again = member((await ok(kit, "POST webhooks/redeliver/", { delivery_id: idOf(first) })).body, "delivery");
      equal([again["id"], again["message_id"]], [first["id"], first["message_id"]], "id, message_id");
      const listed = (await deliveriesOf(kit, webhook_id)).filter(({ type }) => type === "webhook.test");
      equal(idsOf(listed), [idOf(first)], "ids of the listed tests");
    });
  }),
];
