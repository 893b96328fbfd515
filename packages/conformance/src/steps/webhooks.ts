import type { ExtensionClause } from "../clauses.js";
import { equal, expect, failure, notTestable } from "../engine/assert.js";
import type { Covers, Defined, Needs } from "../engine/check.js";
import { idOf, type Item, list, member, text } from "../engine/json.js";
import type { Kit } from "../engine/kit.js";
import { hasNext } from "../engine/lists.js";
import type { Session } from "../engine/session.js";
import type { Answer, CallOptions, Params } from "../engine/target.js";
import { extension, ok, send } from "./extensions.js";

/** A webhook that a check made, and the secret that was shown. */
export interface MadeWebhook {
  readonly webhook: Item;
  readonly id: string;
  readonly secret: string;
}

const lastTurn = new WeakMap<Session, Promise<unknown>>();

/** A check of webhooks. They run one after another, since an account may have only some webhooks. */
export function webhookCheck(
  id: string,
  covers: Covers<ExtensionClause>,
  title: string,
  run: (kit: Kit) => Promise<void>,
  needs: Needs = {},
): Defined {
  return extension(`webhooks.${id}`, covers, title, needs, async (kit) => {
    const before = lastTurn.get(kit.session) ?? Promise.resolve();
    const turn = before.then(() => run(kit));
    lastTurn.set(
      kit.session,
      turn.catch(() => undefined),
    );
    await turn;
  });
}

/** An address that no name server knows (RFC 6761 6.4). It names the run, as the titles of calendars do. */
export function urlOfRun(kit: Kit): string {
  return `https://${kit.name().replaceAll(" ", "-")}.invalid/messages`;
}

/** Creates a webhook, unless the account has as many as it may have: the account belongs to the operator of the server. */
export async function createWebhook(kit: Kit, params: Params, options: CallOptions = {}): Promise<Answer> {
  const answer = await send(kit, "POST webhooks/create/", params, options);
  if (answer.status === 409) throw notTestable("the account has as many webhooks as it may have");
  return answer;
}

/** Makes a webhook for as long as `judge` takes. */
export async function withWebhook(
  kit: Kit,
  params: Params,
  judge: (made: MadeWebhook) => Promise<void>,
  options: CallOptions = {},
): Promise<void> {
  const answer = await createWebhook(kit, { url: urlOfRun(kit), ...params }, options);
  equal(answer.status, 200, "HTTP status of webhooks/create/");
  const webhook = member(answer.body, "webhook");
  const made = { webhook, id: idOf(webhook), secret: text(member({ body: answer.body }, "body"), "secret") };
  try {
    await judge(made);
  } finally {
    await send(kit, "POST webhooks/delete/", { webhook_id: made.id }, options);
  }
}

/** The webhooks of the account that this run made. */
export async function webhooksOf(kit: Kit, options: CallOptions = {}): Promise<readonly Item[]> {
  const { body } = await ok(kit, "GET webhooks/list/", {}, options);
  return list(body, "webhooks").filter((webhook) => text(webhook, "url").includes(kit.session.mark));
}

const mostPages = 20;

/** The deliveries of a webhook, over all pages. */
export async function deliveriesOf(kit: Kit, webhook_id: string): Promise<readonly Item[]> {
  const found: Item[] = [];
  for (let page = 1; page <= mostPages; page++) {
    const params = page === 1 ? { webhook_id } : { webhook_id, page: String(page) };
    const { body } = await ok(kit, "GET webhooks/deliveries/", params);
    found.push(...list(body, "deliveries"));
    if (!hasNext(body)) return found;
  }
  throw failure(`webhooks/deliveries/: there is a next page after ${mostPages}.`);
}

/** The deliveries' types, oldest first. */
export async function typesSent(kit: Kit, webhook_id: string): Promise<readonly string[]> {
  return (await deliveriesOf(kit, webhook_id)).map((delivery) => text(delivery, "type")).toReversed();
}

/** A secret of Standard Webhooks. */
export function isSecret(secret: string): void {
  const bytes = /^whsec_([A-Za-z0-9+/]+=*)$/.exec(secret)?.[1];
  expect(
    bytes !== undefined && atob(bytes).length >= 24,
    "secret: expected whsec_ and base64 of 24 bytes or more.",
  );
}
