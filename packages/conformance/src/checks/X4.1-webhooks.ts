import { equal, expect } from "../engine/assert.js";
import { twoAccounts } from "../engine/check.js";
import { type ExtensionName, isWrite, namesOf } from "../engine/operations.js";
import { idOf, idsOf, member, text } from "../engine/json.js";
import type { Params } from "../engine/target.js";
import { newKey, ok, refuses, updateEvent, withKey } from "../steps/extensions.js";
import { createWebhook, isSecret, typesSent, urlOfRun, webhookCheck, webhooksOf, withWebhook } from "../steps/webhooks.js";

const absent = "9007199254740991";

const types = [
  "calendar.created",
  "calendar.saved",
  "calendar.deleted",
  "event.created",
  "event.saved",
  "event.deleted",
  "event.cancelled",
  "subscriber.created",
  "subscriber.unfollowed",
  "subscriber.deleted",
  "subscriber.blocked",
  "subscriber.unblocked",
];

/** What each operation needs, for this webhook and this delivery. */
function needed(url: string, webhook_id: string, delivery_id: string): Readonly<Record<ExtensionName, Params>> {
  return {
    "GET webhooks/list/": {},
    "POST webhooks/create/": { url },
    "POST webhooks/rotate/": { webhook_id },
    "POST webhooks/enable/": { webhook_id },
    "POST webhooks/test/": { webhook_id },
    "GET webhooks/deliveries/": { webhook_id },
    "POST webhooks/redeliver/": { delivery_id },
    "POST webhooks/delete/": { webhook_id },
  };
}

export const ownCalls = namesOf(needed("", "", ""));
const ofOne = ownCalls.filter((name) => name !== "GET webhooks/list/" && name !== "POST webhooks/create/");

/** Sentences of docs/extensions.md. */
export const sentences = {
  "X4.1 webhooks": "Extension operations create, list, delete, rotate, enable and test webhooks.",
  "X4.1 secrets": "Secrets whsec_… are shown once; a rotation makes a new one.",
  "X4.1 types":
    "Types: calendar.created|saved|deleted, event.created|saved|deleted|cancelled, subscriber.created|unfollowed|deleted|blocked|unblocked.",
};

/** extensions X4.1: webhooks and their secrets. */
export const checks = [
  webhookCheck("create", ["X4.1 webhooks", "X4.1 secrets"], "A webhook is what was sent, with a secret, and is in the list", async (kit) => {
    const calendar_id = idOf(await kit.calendar());
    const url = urlOfRun(kit);
    const params = { url, types: "event.created,subscriber.created", calendar_id, with_person: "true" };
    await withWebhook(kit, params, async ({ webhook, id, secret }) => {
      isSecret(secret);
      const shown = ["url", "types", "calendar_id", "with_person", "status", "disabled_reason", "date_disabled"].map((name) => webhook[name]);
      equal(shown, [url, ["event.created", "subscriber.created"], calendar_id, true, "enabled", "", ""], "the webhook");
      equal(
        (await webhooksOf(kit)).filter((listed) => idOf(listed) === id),
        [webhook],
        "the webhook in the list",
      );
    });
  }),
  webhookCheck(
    "defaults",
    ["X4.1 types", "X4.3 person"],
    "Without more than a URL a webhook has all types, of all calendars, without persons",
    async (kit) => {
      await withWebhook(kit, {}, async ({ webhook }) => {
        equal([webhook["types"], webhook["calendar_id"], webhook["with_person"]], [types, "", false], "types, calendar_id, with_person");
      });
    },
  ),
  webhookCheck("json", ["X4.1 webhooks", "X1.2 bodies"], "A JSON body has types as a list and with_person as a boolean", async (kit) => {
    const json = { url: urlOfRun(kit), types: ["event.deleted"], with_person: false };
    const { body } = await createWebhook(kit, {}, { send: "json", json });
    const webhook = member(body, "webhook");
    await ok(kit, "POST webhooks/delete/", { webhook_id: idOf(webhook) });
    equal([webhook["types"], webhook["with_person"]], [["event.deleted"], false], "types, with_person");
  }),
  webhookCheck("secret-once", ["X4.1 secrets"], "No other answer shows the secret", async (kit) => {
    await withWebhook(kit, {}, async ({ id: webhook_id, secret }) => {
      const delivery = await ok(kit, "POST webhooks/test/", { webhook_id });
      const delivery_id = idOf(member(delivery.body, "delivery"));
      const answers = [
        delivery,
        await ok(kit, "GET webhooks/list/"),
        await ok(kit, "GET webhooks/deliveries/", { webhook_id }),
        await ok(kit, "POST webhooks/redeliver/", { delivery_id }),
        await ok(kit, "POST webhooks/enable/", { webhook_id }),
      ];
      for (const answer of answers) expect(!answer.text.includes(secret), "An answer shows the secret of the webhook again.");
    });
  }),
  webhookCheck("rotate", ["X4.1 secrets"], "A rotation returns another secret of the same webhook", async (kit) => {
    await withWebhook(kit, {}, async ({ webhook, id, secret }) => {
      const { body } = await ok(kit, "POST webhooks/rotate/", { webhook_id: id });
      const rotated = text(member({ body }, "body"), "secret");
      isSecret(rotated);
      expect(rotated !== secret, "secret: the same as before the rotation.");
      equal(member(body, "webhook"), webhook, "the webhook");
    });
  }),
  webhookCheck("enable", ["X4.1 webhooks"], "Enabling a webhook that is enabled changes nothing", async (kit) => {
    await withWebhook(kit, {}, async ({ webhook, id }) => {
      equal(member((await ok(kit, "POST webhooks/enable/", { webhook_id: id })).body, "webhook"), webhook, "the webhook");
    });
  }),
  webhookCheck("delete", ["X4.1 webhooks"], "A deleted webhook is gone: from the list, and for every operation", async (kit) => {
    await withWebhook(kit, {}, async ({ id: webhook_id }) => {
      const { body } = await ok(kit, "POST webhooks/delete/", { webhook_id });
      equal(member(body, "webhook"), { id: webhook_id, status: "deleted" }, "webhook");
      expect(!idsOf(await webhooksOf(kit)).includes(webhook_id), "The deleted webhook is in the list.");
      for (const name of ofOne.filter((one) => one !== "POST webhooks/redeliver/"))
        await refuses(kit, [404, "webhook_not_found"], name, { webhook_id });
    });
  }),
  webhookCheck("once", ["X4.1 webhooks", "X2.1 replay"], "A webhook created twice with one key is there once, with one secret", async (kit) => {
    const params = { url: urlOfRun(kit) };
    const options = withKey(newKey(kit));
    const [first, second] = [await createWebhook(kit, params, options), await createWebhook(kit, params, options)];
    const webhooks = (await webhooksOf(kit)).filter((webhook) => webhook["url"] === params.url);
    for (const webhook_id of idsOf(webhooks)) await ok(kit, "POST webhooks/delete/", { webhook_id });
    equal([second.text, webhooks.length], [first.text, 1], "the second answer, number of webhooks");
  }),
  webhookCheck(
    "refused",
    ["X4.1 webhooks", "X4.1 types"],
    "What a webhook cannot be is a 400, and an absent calendar a 404; none is made",
    async (kit) => {
      const url = urlOfRun(kit);
      await refuses(kit, [400, "parameter_missing"], "POST webhooks/create/");
      for (const wrong of [
        { types: "event.renamed" },
        { types: "event.created," },
        { with_person: "maybe" },
        { url: "hooks.example" },
        { url: "ftp://hooks.example/" },
      ])
        await refuses(kit, [400, "parameter_invalid"], "POST webhooks/create/", { url, ...wrong });
      await refuses(kit, [404, "calendar_not_found"], "POST webhooks/create/", { url, calendar_id: absent });
      for (const name of ofOne) {
        const params = needed(url, absent, absent)[name];
        await refuses(kit, [404, name === "POST webhooks/redeliver/" ? "delivery_not_found" : "webhook_not_found"], name, params);
      }
      equal((await webhooksOf(kit)).filter((webhook) => webhook["url"] === url).length, 0, "number of webhooks");
    },
  ),
  webhookCheck(
    "requests",
    ["X4.1 webhooks", "X1.2 methods", "X1.2 same"],
    "Reads answer GET, writes POST alone, both only with a token",
    async (kit) => {
      await withWebhook(kit, {}, async ({ id: webhook_id }) => {
        const delivery_id = idOf(member((await ok(kit, "POST webhooks/test/", { webhook_id })).body, "delivery"));
        const params = needed(urlOfRun(kit), webhook_id, delivery_id);
        for (const name of ownCalls) {
          await refuses(kit, [401, "token_missing"], name, params[name], { as: "none" });
          if (isWrite(name)) await refuses(kit, [405], name, params[name], { send: "query", method: "GET" });
          else await refuses(kit, [405], name, params[name], { send: "form" });
          if (name === "POST webhooks/create/" || name === "POST webhooks/delete/") continue;
          const { body } = await ok(kit, name, params[name]);
          equal(member(body, "meta"), { code: "200" }, `${name}: meta`);
        }
        expect(idsOf(await webhooksOf(kit)).includes(webhook_id), "The webhook is not in the list after GET on webhooks/delete/.");
      });
    },
  ),
  webhookCheck(
    "foreign",
    ["X4.1 webhooks", "X1.2 same"],
    "Another account's webhooks and deliveries are the same 404 as absent ones",
    async (kit) => {
      const calendar_id = idOf(await kit.calendar());
      await withWebhook(kit, { calendar_id }, async ({ webhook, id: webhook_id }) => {
        const delivery_id = idOf(member((await ok(kit, "POST webhooks/test/", { webhook_id })).body, "delivery"));
        const url = urlOfRun(kit);
        for (const name of ofOne) {
          const foreign = await refuses(kit, [404], name, needed(url, webhook_id, delivery_id)[name], { as: "other" });
          const unknown = await refuses(kit, [404], name, needed(url, absent, absent)[name], { as: "other" });
          const typeOf = ({ body }: typeof foreign) => member(body, "meta")["error_type"];
          equal(typeOf(foreign), typeOf(unknown), `${name}: error_type of foreign, absent`);
        }
        await refuses(kit, [404, "calendar_not_found"], "POST webhooks/create/", { url, calendar_id }, { as: "other" });
        expect(!idsOf(await webhooksOf(kit, { as: "other" })).includes(webhook_id), "The webhook is in another account's list.");
        equal(
          (await webhooksOf(kit)).filter((listed) => idOf(listed) === webhook_id),
          [webhook],
          "the webhook",
        );
      });
    },
    twoAccounts,
  ),
  webhookCheck(
    "types",
    ["X4.1 types"],
    "Each write of a calendar and its events is announced with its type, and only what was asked for",
    async (kit) => {
      const calendar_id = idOf(await kit.calendar());
      await withWebhook(kit, { calendar_id }, async ({ id }) => {
        await withWebhook(kit, { calendar_id, types: "event.created,calendar.deleted" }, async (some) => {
          const event_id = idOf(await kit.event(calendar_id));
          await updateEvent(kit, event_id, { location: "Here" });
          await updateEvent(kit, event_id, { status: "cancelled" });
          await updateEvent(kit, event_id, { location: "There" });
          await ok(kit, "deleteEvent", { event_id });
          await ok(kit, "POST calendars/update/", { calendar_id, description: "Text" });
          await kit.ok("deleteCalendar", { calendar_id });
          const sent = ["event.created", "event.saved", "event.cancelled", "event.saved", "event.deleted", "calendar.saved", "calendar.deleted"];
          equal(await typesSent(kit, id), sent, "types");
          equal(await typesSent(kit, some.id), ["event.created", "calendar.deleted"], "types of the webhook with two types");
        });
      });
    },
  ),
  webhookCheck("calendar", ["X4.1 webhooks"], "A webhook of one calendar receives messages of no other", async (kit) => {
    const [calendar_id, other] = [idOf(await kit.calendar()), idOf(await kit.calendar())];
    await withWebhook(kit, { calendar_id, types: "event.created" }, async ({ id }) => {
      await kit.event(other);
      await kit.event(calendar_id);
      equal(await typesSent(kit, id), ["event.created"], "types");
    });
  }),
];
