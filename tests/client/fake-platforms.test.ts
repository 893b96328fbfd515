import { once } from "node:events";
import { createServer } from "node:http";
import { runInThisContext } from "node:vm";
import { EdgeVM } from "@edge-runtime/vm";
import { build } from "esbuild";
import { expect, test } from "vitest";
import { launchBrowser, withoutBrowser } from "../../apps/server/test/browser.js";
import { packageFolder } from "../../packages/client/test/program.js";

/** Client and fake as a script that defines `tour`, a walk through both that returns what it saw. */
async function bundle(): Promise<string> {
  const contents = `
    import { createCalendarClient } from "./index.js";
    import { createFakeServer } from "./testing/index.js";
    globalThis.tour = async () => {
      const fake = createFakeServer({ pageSize: 2, faults: [{ kind: "lost" }] });
      const { baseUrl, token, fetch } = fake;
      const client = createCalendarClient({ baseUrl, token, fetch });
      const calendar = { title: "Près 🎉", timezone: "Europe/Paris" };
      const { title: retried } = await client.calendars.create(calendar);
      const { id } = await client.calendars.create(calendar);
      for (const day of ["01", "02", "03"])
        await client.events.create({ calendar_id: id, title: day, start_date: "07/" + day + "/2026 13:30" });
      const titles = [];
      for await (const { title } of client.events.list({ calendar_id: id, order_by: "id-asc" })) titles.push(title);
      const zones = await (await fetch(baseUrl + "/api/v1/timezones")).json();
      const form = new FormData();
      form.set("calendar_id", id);
      const deleted = await fetch(baseUrl + "/api/v1/me/calendars/delete/?token=" + token, { method: "POST", body: form });
      fake.fail({ kind: "cut" }, { kind: "slow", ms: Infinity });
      const cut = await client.calendars.create(calendar, { retries: 0 }).catch((error) => error.kind);
      const slow = await client.calendars.create(calendar, { timeoutMs: 50 }).catch((error) => error.kind);
      return JSON.stringify([retried, titles, zones.data.length > 300, deleted.status, cut, slow, fake.calendars.length,
        fake.calendars[0].title, fake.events.length]);
    };`;
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

const seen = ["Près 🎉", ["01", "02", "03"], true, 200, "network", "timeout", 3, "Près 🎉", 0];

test("the fake works in Node", async () => {
  const result: string = await runInThisContext(`${await bundle()}; tour()`);
  expect(JSON.parse(result)).toEqual(seen);
});

test("the fake works in an edge runtime", async () => {
  const vm = new EdgeVM();
  vm.evaluate(await bundle());
  const text: string = await vm.evaluate("tour()");
  expect(JSON.parse(text)).toEqual(seen);
});

test.skipIf(withoutBrowser !== "")(
  `the fake works in a browser, without a request to the network${withoutBrowser}`,
  async () => {
    const script = await bundle();
    const requested: string[] = [];
    const site = createServer((request, response) => {
      requested.push(request.url ?? "");
      const isPage = request.url === "/";
      response.writeHead(200, { "Content-Type": isPage ? "text/html" : "text/javascript; charset=utf-8" });
      response.end(
        isPage ? '<!doctype html><link rel="icon" href="data:,"><script src="/fake.js"></script>' : script,
      );
    });
    await once(site.listen(0, "127.0.0.1"), "listening");
    const chrome = await launchBrowser();
    try {
      const page = await chrome.newPage();
      const address = site.address();
      if (typeof address !== "object" || address === null) throw new Error("no port");
      await page.goto(`http://127.0.0.1:${address.port}/`);
      expect(JSON.parse(await page.evaluate<string>("tour()"))).toEqual(seen);
      expect(requested).toEqual(["/", "/fake.js"]);
    } finally {
      await chrome.close();
      site.closeAllConnections();
      site.close();
    }
  },
  60_000,
);
