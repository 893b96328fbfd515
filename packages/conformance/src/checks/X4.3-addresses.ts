import { equal, notTestable } from "../engine/assert.js";
import { idOf, member } from "../engine/json.js";
import { ok, refuses } from "../steps/extensions.js";
import { createWebhook, urlOfRun, webhookCheck, webhooksOf, withWebhook } from "../steps/webhooks.js";

const privateUrls = ["https://127.0.0.1/", "https://10.0.0.1/", "https://192.168.1.1/a", "https://169.254.169.254/latest", "https://[::1]/"];

/** Sentences of docs/extensions.md. */
export const sentences = {
  "X4.3 addresses": "Private, loopback, link-local and metadata addresses are refused, and http, unless the server allows them.",
  "X4.3 person": "A person's name and e-mail are only for endpoints created with with_person.",
};

/** extensions X4.3: where messages may go, and what is in them. */
export const checks = [
  webhookCheck("addresses", ["X4.3 addresses"], "Private addresses, and http, are a 400 unless the server allows them", async (kit) => {
    const plain = await createWebhook(kit, { url: urlOfRun(kit).replace("https:", "http:") });
    if (plain.status === 200) {
      await ok(kit, "POST webhooks/delete/", { webhook_id: idOf(member(plain.body, "webhook")) });
      throw notTestable("the server allows http and private addresses (WEBHOOK_ALLOW_PRIVATE)");
    }
    equal(plain.status, 400, "HTTP status of a webhook at http");
    for (const url of privateUrls) await refuses(kit, [400, "parameter_invalid"], "POST webhooks/create/", { url });
    for (const url of ["https://ada:secret@hooks.example/", "https://hooks.example/#part"])
      await refuses(kit, [400, "parameter_invalid"], "POST webhooks/create/", { url });
  }),
  webhookCheck("person", ["X4.3 person"], "with_person is what was sent, and false when nothing was", async (kit) => {
    for (const [params, expected] of [
      [{}, false],
      [{ with_person: "false" }, false],
      [{ with_person: "true" }, true],
    ] as const)
      await withWebhook(kit, params, async ({ webhook, id }) => {
        const listed = (await webhooksOf(kit)).find((one) => idOf(one) === id);
        equal([webhook["with_person"], listed?.["with_person"]], [expected, expected], "with_person after create, in the list");
      });
  }),
];
