import { asAnyone, byDefault, param } from "./changes.js";
import type { Faults, Planted } from "./proxy.js";

const webhooks = "x/webhooks/list";
const createWebhook = "x/webhooks/create";
const deliveries = "x/webhooks/deliveries";

/** Removes deliveries that do not match. */
const onlyDeliveries =
  (isKept: (delivery: { readonly type: string }) => boolean): NonNullable<Planted["answer"]> =>
  (body, { path }) => {
    if (path === deliveries) body.deliveries = body.deliveries.filter(isKept);
  };

/** Remembers what the answers that create webhooks show. */
const rememberWebhook: NonNullable<Planted["answer"]> = (body, { path }, { memory }) => {
  if (path === createWebhook && body.secret !== undefined) memory.set(body.webhook.id, body);
};

/** Faults of webhooks (extensions X4). */
export const faults: Faults = {
  X23: {
    clause: "extensions.md X4.1",
    foundBy: "extensions.webhooks.secret-once",
    title: "the list of webhooks shows their secrets",
    answer: (body, ask, around) => {
      rememberWebhook(body, ask, around);
      if (ask.path === webhooks)
        for (const webhook of body.webhooks) webhook.secret = around.memory.get(webhook.id)?.secret;
    },
  },
  X24: {
    clause: "extensions.md X4.1",
    foundBy: "extensions.webhooks.defaults",
    title: "a webhook without types receives nothing",
    answer: (body, { path, params }) =>
      void (path === createWebhook && !params.has("types") && (body.webhook.types = [])),
  },
  X25: {
    clause: "extensions.md X4.1",
    foundBy: "extensions.webhooks.calendar",
    title: "a webhook of one calendar receives messages of the others",
    ask: param([createWebhook], "calendar_id", () => undefined),
  },
  X26: {
    clause: "extensions.md X4.1",
    foundBy: "extensions.webhooks.rotate",
    title: "a rotation keeps the secret",
    answer: (body, ask, around) => {
      rememberWebhook(body, ask, around);
      if (ask.path === "x/webhooks/rotate" && body.secret !== undefined)
        body.secret = around.memory.get(body.webhook.id)?.secret;
    },
  },
  X27: {
    clause: "extensions.md X4.2",
    foundBy: "extensions.webhooks.deliveries.test",
    title: "a test leaves no delivery",
    answer: onlyDeliveries(({ type }) => type !== "webhook.test"),
  },
  X28: {
    clause: "extensions.md X4.2",
    foundBy: "extensions.webhooks.deliveries.write",
    title: "writes leave no deliveries",
    answer: onlyDeliveries(({ type }) => type === "webhook.test"),
  },
  X29: {
    clause: "extensions.md X4.2",
    foundBy: "extensions.webhooks.deliveries.again",
    title: "a message that is sent again is another one",
    answer: (body, { path }) =>
      void (path === "x/webhooks/redeliver" && (body.delivery.message_id = "msg_another")),
  },
  X30: {
    clause: "extensions.md X4.3",
    foundBy: "extensions.webhooks.addresses",
    title: "a webhook may be at a private address",
    ask: param([createWebhook], "url", (value) =>
      /^https:\/\/(\d|\[)/.test(value) ? "https://hooks.invalid/" : value,
    ),
  },
  X31: {
    clause: "extensions.md X4.1",
    foundBy: "extensions.webhooks.foreign",
    alsoClauses: ["extensions.md X1.2"],
    title: "accounts reach the webhooks of others",
    instead: asAnyone((path) => path.startsWith("x/webhooks/")),
  },
  X32: {
    clause: "extensions.md X4.1",
    foundBy: "extensions.webhooks.delete",
    title: "a deleted webhook stays in the list",
    answer: (body, ask, around) => {
      rememberWebhook(body, ask, around);
      const { memory } = around;
      const id = ask.params.get("webhook_id") ?? "";
      if (ask.path === "x/webhooks/delete" && memory.has(id)) memory.set("gone", memory.get(id).webhook);
      if (ask.path === webhooks && memory.has("gone")) body.webhooks.push(memory.get("gone"));
    },
  },
  X33: {
    clause: "extensions.md X4.1",
    foundBy: "extensions.webhooks.types",
    title: "a cancelled event is one that was saved",
    answer: (body, { path }) => {
      if (path === deliveries)
        for (const one of body.deliveries) if (one.type === "event.cancelled") one.type = "event.saved";
    },
  },
  X34: {
    clause: "extensions.md X4.2",
    foundBy: "extensions.webhooks.deliveries.order",
    title: "deliveries come oldest first",
    answer: (body, { path }) =>
      void (path === deliveries && (body.deliveries = body.deliveries.toReversed())),
  },
  X35: {
    clause: "extensions.md X4.1",
    foundBy: "extensions.webhooks.refused",
    title: "any text is a type",
    instead: async (ask, { pass }) => {
      const answered = await pass(ask);
      if (answered.status !== 400 || !answered.body.includes('"parameter":"types"')) return answered;
      ask.params.delete("types");
      return pass(ask);
    },
  },
  X36: {
    clause: "extensions.md X4.3",
    foundBy: "extensions.webhooks.person",
    title: "every webhook receives persons",
    ask: byDefault([createWebhook], "with_person", "true"),
  },
};
