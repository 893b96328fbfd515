import { equal, expect, notTestable } from "../engine/assert.js";
import { twoAccounts } from "../engine/check.js";
import { idOf, type Item, list, member, text } from "../engine/json.js";
import type { Kit } from "../engine/kit.js";
import type { CallOptions, Params } from "../engine/target.js";
import { extension, ok, refuses, send } from "../steps/extensions.js";

/** Makes a token for as long as `judge` takes. */
async function withToken(kit: Kit, params: Params, judge: (token: Item, secret: string, options: CallOptions) => Promise<void>): Promise<void> {
  const answer = await send(kit, "POST tokens/create/", { name: kit.name(), ...params });
  if (answer.status === 409) throw notTestable("the account has as many tokens as it may have");
  equal(answer.status, 200, "HTTP status of tokens/create/");
  const [token, secret] = [member(answer.body, "token"), text(member({ body: answer.body }, "body"), "secret")];
  try {
    await judge(token, secret, { as: { token: secret } });
  } finally {
    await send(kit, "POST tokens/revoke/", { token_id: idOf(token) });
  }
}

/** Makes a sync of a host that no name server knows, for as long as `judge` takes. */
async function withSync(kit: Kit, calendar_id: string, judge: (sync: Item) => Promise<void>): Promise<void> {
  const answer = await send(kit, "POST syncs/create/", { calendar_id, url: "webcal://host.invalid/town.ics" });
  if (answer.status === 409) throw notTestable("the account has as many syncs as it may have");
  equal(answer.status, 200, "HTTP status of syncs/create/");
  const sync = member(answer.body, "sync");
  try {
    await judge(sync);
  } finally {
    await send(kit, "POST syncs/delete/", { sync_id: idOf(sync) });
  }
}

const syncsOf = async (kit: Kit, calendar_id: string) => list((await ok(kit, "GET syncs/list/", { calendar_id })).body, "syncs");

/** Sentences of docs/extensions.md. */
export const sentences = {
  "X8.6 syncs": "syncs/create/, update/, run/ and delete/ change a sync, which syncs/list/ shows.",
  "X8.6 tokens": "A token is created with no more rights than that of the request, shown once, listed and revoked.",
};

/** extensions X8.6: tokens, and files that are fetched. */
export const checks = [
  extension("tokens.create", "X8.6 tokens", "A token is accepted until it is revoked, and only its creation shows it", async (kit) => {
    const calendar_id = idOf(await kit.calendar());
    await withToken(kit, { scope: "write" }, async (token, secret, options) => {
      equal([token["scope"], token["status"], token["date_expires"]], ["write", "valid", ""], "scope, status, date_expires");
      await ok(kit, "POST calendars/update/", { calendar_id, description: "by the token" }, options);
      const listed = await ok(kit, "GET tokens/list/", {}, options);
      const tokens = list(listed.body, "tokens");
      const own = tokens.find((one) => idOf(one) === idOf(token));
      equal(own?.["current"], true, "current of the token of the request");
      expect(!JSON.stringify(tokens).includes(secret), "The list shows the token.");
      const { body } = await ok(kit, "POST tokens/revoke/", { token_id: idOf(token) });
      equal(member(body, "token")["status"], "revoked", "status");
      await kit.tick();
      await kit.tick(); // every server refuses it within two seconds
      await refuses(kit, [401, "token_unknown"], "GET tokens/list/", {}, options);
    });
  }),
  extension("tokens.scope", "X8.6 tokens", "Without a scope a token may only read, and so it makes no token", async (kit) => {
    await withToken(kit, {}, async (token, _secret, options) => {
      equal(token["scope"], "read", "scope");
      await ok(kit, "GET tokens/list/", {}, options);
      await refuses(kit, [403, "scope_insufficient"], "POST tokens/create/", { name: kit.name() }, options);
    });
  }),
  extension("tokens.expiry", "X8.6 tokens", "No token outlasts the one that makes it", async (kit) => {
    await withToken(kit, { scope: "write", expires_in_days: "2" }, async (token, _secret, options) => {
      const { body } = await refuses(kit, [400, "parameter_invalid"], "POST tokens/create/", { name: kit.name(), expires_in_days: "3" }, options);
      equal(list(member(body, "meta"), "errors")[0]?.["parameter"], "expires_in_days", "parameter");
      const made = await ok(kit, "POST tokens/create/", { name: kit.name() }, options);
      await ok(kit, "POST tokens/revoke/", { token_id: idOf(member(made.body, "token")) });
      equal(member(made.body, "token")["date_expires"], token["date_expires"], "date_expires");
    });
  }),
  extension("tokens.repeat", ["X8.6 tokens", "X2.1 replay"], "A repeated creation makes no second token, and does not show it", async (kit) => {
    const headers = { "Idempotency-Key": kit.name().replaceAll(" ", "-") };
    const name = kit.name();
    const first = await ok(kit, "POST tokens/create/", { name }, { headers });
    const token_id = idOf(member(first.body, "token"));
    const second = await send(kit, "POST tokens/create/", { name }, { headers });
    await ok(kit, "POST tokens/revoke/", { token_id });
    equal(member({ body: second.body }, "body")["secret"], "", "secret of the second answer");
    equal(idOf(member(second.body, "token")), token_id, "id");
  }),
  extension("tokens.foreign", "X8.6 tokens", "A token of another account is not found", twoAccounts, async (kit) => {
    await withToken(kit, {}, async (token, _secret, options) => {
      await refuses(kit, [404, "token_not_found"], "POST tokens/revoke/", { token_id: idOf(token) }, { as: "other" });
      await ok(kit, "GET tokens/list/", {}, options);
    });
  }),
  extension("syncs.changes", "X8.6 syncs", "A sync is what was sent, is changed, run and deleted", async (kit) => {
    const calendar_id = idOf(await kit.calendar());
    await withSync(kit, calendar_id, async (sync) => {
      const sync_id = idOf(sync);
      equal(
        [sync["calendar_id"], sync["url"], sync["every_minutes"]],
        [calendar_id, "https://host.invalid/town.ics", 60],
        "calendar_id, url, every_minutes",
      );
      equal((await syncsOf(kit, calendar_id)).map(idOf), [sync_id], "the list");
      const { body } = await ok(kit, "POST syncs/update/", { sync_id, every_minutes: "1440" });
      equal([member(body, "sync")["every_minutes"], member(body, "sync")["url"]], [1440, sync["url"]], "every_minutes, url");
      equal(idOf(member((await ok(kit, "POST syncs/run/", { sync_id })).body, "sync")), sync_id, "id of the sync that is run");
      const deleted = await ok(kit, "POST syncs/delete/", { sync_id });
      equal(member(deleted.body, "sync"), { id: sync_id, status: "deleted" }, "sync");
      equal(await syncsOf(kit, calendar_id), [], "the list after the deletion");
      await refuses(kit, [404, "sync_not_found"], "POST syncs/run/", { sync_id });
    });
  }),
  extension("syncs.refused", "X8.6 syncs", "Intervals and addresses that are not accepted are a 400", async (kit) => {
    const calendar_id = idOf(await kit.calendar());
    for (const wrong of [
      { every_minutes: "14" },
      { every_minutes: "43201" },
      { url: "ftp://host.invalid/" },
      { url: "https://ada:secret@host.invalid/" },
    ])
      await refuses(kit, [400, "parameter_invalid"], "POST syncs/create/", { calendar_id, url: "https://host.invalid/", ...wrong });
    equal(await syncsOf(kit, calendar_id), [], "the list");
  }),
  extension("syncs.foreign", "X8.6 syncs", "A sync of another account is not found", twoAccounts, async (kit) => {
    const calendar_id = idOf(await kit.calendar());
    await withSync(kit, calendar_id, async (sync) => {
      const sync_id = idOf(sync);
      for (const name of ["POST syncs/update/", "POST syncs/run/", "POST syncs/delete/"] as const)
        await refuses(kit, [404, "sync_not_found"], name, { sync_id }, { as: "other" });
      await refuses(kit, [404, "calendar_not_found"], "GET syncs/list/", { calendar_id }, { as: "other" });
      equal((await syncsOf(kit, calendar_id)).map(idOf), [sync_id], "the list");
    });
  }),
];
