import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import { EdgeVM } from "@edge-runtime/vm";
import { createExtensionsClient } from "@kalends/client/extensions";
import { build } from "esbuild";
import { afterEach, expect, test, vi } from "vitest";
import { startTestServer } from "../../apps/server/test/harness.js";
import { startReceiver } from "../../apps/server/test/webhook-receiver.js";
import { packageFolder } from "../../packages/client/test/program.js";

afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

/** A script that defines `verify`, which returns the verified message as JSON, or why there is none. */
async function bundle(): Promise<string> {
  const contents = `
    import { verifyWebhook } from "./extensions/index.js";
    globalThis.verify = (body, headers, secret, now) =>
      verifyWebhook(body, new Headers(headers), secret, { now: () => now }).then(JSON.stringify, ({ reason }) => reason);`;
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: `${packageFolder}src` },
    conditions: ["@kalends/source"],
    bundle: true,
    format: "iife",
    target: "es2022",
    write: false,
  });
  return outputFiles[0]?.text ?? "";
}

test("a webhook of the server is verified in an edge runtime, and one that was changed is not", async () => {
  const server = await startTestServer({ WEBHOOK_ALLOW_PRIVATE: "on" });
  const receiver = await startReceiver();
  const account = await server.account();
  const { secret } = (await account.call("webhooksCreate", { url: receiver.url })).body;
  await account.call("createCalendar", { title: "Près 🎉", timezone: "Europe/Paris" });
  await expect.poll(() => receiver.received).toHaveLength(1);
  const [message] = receiver.received;
  if (message === undefined) throw new Error("not received");
  const vm = new EdgeVM();
  vm.evaluate(await bundle());
  const { id, timestamp, signature } = message;
  const headers = { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": signature };
  const verify = (body: string): Promise<string> => {
    const values = [body, headers, secret, server.now * 1000].map((value) => JSON.stringify(value));
    return vm.evaluate(`verify(${values.join(", ")})`);
  };
  expect(JSON.parse(await verify(message.body))).toMatchObject({
    type: "calendar.created",
    data: { calendar: { title: "Près 🎉" } },
  });
  expect(await verify(message.body.replace("Près", "Pres"))).toBe("signature");
  await server.stop();
  await receiver.close();
});

test("the Express sample of docs/webhooks.md receives a webhook of the server, and refuses a changed one", async () => {
  const [code = ""] =
    readFileSync(`${packageFolder}../../docs/webhooks.md`, "utf8").match(
      /(?<=^```ts\n)(?:(?!^```).*\n)*?import express(?:(?!^```).*\n)*/m,
    ) ?? [];
  const folder = mkdtempSync(`${packageFolder}node_modules/express-`);
  await build({
    stdin: {
      contents: code.replace("app.listen(3000);", "export { app };"),
      resolveDir: folder,
      loader: "ts",
    },
    alias: { "@kalends/client/extensions": `${packageFolder}src/extensions/index.ts` },
    external: ["express"],
    bundle: true,
    format: "esm",
    outfile: join(folder, "sample.mjs"),
  });
  symlinkSync(`${packageFolder}../../apps/server/node_modules/express`, join(folder, "express"));
  const sample = await readFile(join(folder, "sample.mjs"), "utf8");
  await writeFile(join(folder, "sample.mjs"), sample.replace('"express"', '"./express/index.js"'));
  const { app } = await import(join(folder, "sample.mjs"));
  const listening = createServer(app).listen(0, "127.0.0.1");
  await once(listening, "listening");
  const address = listening.address();
  const url = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}/kalends`;
  const server = await startTestServer(
    { WEBHOOK_ALLOW_PRIVATE: "on" },
    { clock: () => Math.floor(Date.now() / 1000) }, // the sample has the clock of the machine
  );
  const { token } = await server.account();
  const { webhooks } = createExtensionsClient({ baseUrl: server.url, token });
  const { webhook, secret } = await webhooks.create({ url });
  vi.stubEnv("WEBHOOK_SECRET", secret);
  const printed = vi.spyOn(console, "log").mockReturnValue();
  await webhooks.test(webhook.id);
  const first = async () => (await webhooks.deliveries(webhook.id).toArray())[0];
  await expect.poll(first).toMatchObject({ status: "sent", response_status: 204 });
  expect(printed).toHaveBeenCalledWith("webhook.test");
  const forged = { "Content-Type": "application/json", "webhook-id": "a", "webhook-timestamp": "1" };
  expect((await fetch(url, { method: "POST", headers: forged, body: "{}" })).status).toBe(400);
  listening.close();
  await server.stop();
  rmSync(folder, { recursive: true });
});

test("the client does with webhooks what the server offers, from the first one to the last", async () => {
  const server = await startTestServer({ WEBHOOK_ALLOW_PRIVATE: "on", PAGE_SIZE: "2" });
  const receiver = await startReceiver();
  const { token } = await server.account();
  const { webhooks } = createExtensionsClient({ baseUrl: server.url, token });
  const created = await webhooks.create({ url: receiver.url, types: ["event.created"], with_person: true });
  const { id } = created.webhook;
  expect(created.webhook).toMatchObject({ types: ["event.created"], with_person: true, status: "enabled" });
  expect(await webhooks.list()).toEqual([created.webhook]);
  const rotated = await webhooks.rotate(id);
  expect(rotated.secret).toMatch(/^whsec_/);
  expect(rotated).toEqual({ webhook: created.webhook, secret: expect.not.stringMatching(created.secret) });
  const sent = [await webhooks.test(id), await webhooks.test(id), await webhooks.test(id)];
  const deliveries = () => webhooks.deliveries(id).toArray();
  await expect
    .poll(async () => (await deliveries()).map(({ status }) => status))
    .toEqual(["sent", "sent", "sent"]);
  expect((await deliveries()).map((delivery) => delivery.id)).toEqual(sent.map((one) => one.id).toReversed());
  expect((await webhooks.redeliver(sent[0]?.id ?? "")).message_id).toBe(sent[0]?.message_id);
  expect(await webhooks.enable(id)).toEqual(created.webhook);
  expect(await webhooks.delete(id)).toEqual({ id, status: "deleted" });
  expect(await webhooks.list()).toEqual([]);
  await expect(webhooks.test(id)).rejects.toMatchObject({ status: 404, errorType: "webhook_not_found" });
  await server.stop();
  await receiver.close();
});
