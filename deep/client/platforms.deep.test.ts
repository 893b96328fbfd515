import { once } from "node:events";
import { createServer } from "node:http";
import { EdgeVM } from "@edge-runtime/vm";
import { build } from "esbuild";
import { afterAll, beforeAll, expect, test } from "vitest";
import { launchBrowser, withoutBrowser } from "../server/browser.js";
import { startTestServer, type TestServer } from "../../apps/server/test/harness.js";
import { packageFolder } from "../../packages/client/test/program.js";

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer({ PAGE_SIZE: "2" });
});
afterAll(() => server.stop());

/** The whole client as a script that defines `tour`, a walk through it that returns what it saw. */
async function bundle(): Promise<string> {
  const contents = `
    import { createCalendarClient, CalendarApiError } from "./index.js";
    globalThis.tour = async (baseUrl, token) => {
      const client = createCalendarClient({ baseUrl, token });
      const { id } = await client.calendars.create({ title: "Près 🎉", timezone: "Europe/Paris" });
      for (const day of ["01", "02", "03"])
        await client.events.create({ calendar_id: id, title: day, start_date: "07/" + day + "/2026 13:30" });
      const titles = [];
      for await (const { title } of client.events.list({ calendar_id: id, order_by: "id-asc" })) titles.push(title);
      let zones = 0;
      for await (const _zone of client.timezones.list()) zones += 1;
      await client.calendars.delete(id);
      const gone = await client.calendars.delete(id).catch((error) => error);
      const refused = await createCalendarClient({ baseUrl: "http://localhost:1", token, retries: 1 })
        .calendars.list().pages()[Symbol.asyncIterator]().next().catch((error) => error);
      return JSON.stringify([titles, zones > 300, gone instanceof CalendarApiError, gone.status, gone.errorType,
        gone.requestId?.length > 8, refused.kind]);
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

const seen = [["01", "02", "03"], true, true, 404, "calendar_not_found", true, "network"];

test("the client works in an edge runtime", async () => {
  const { token } = await server.account();
  const vm = new EdgeVM();
  vm.evaluate(await bundle());
  const text: string = await vm.evaluate(`tour(${JSON.stringify(server.url)}, ${JSON.stringify(token)})`);
  expect(JSON.parse(text)).toEqual(seen);
});

test.skipIf(withoutBrowser !== "")(
  `the client works in a browser page of another origin${withoutBrowser}`,
  async () => {
    const { token } = await server.account();
    const script = await bundle();
    const site = createServer((request, response) => {
      const isPage = request.url === "/";
      response.writeHead(200, { "Content-Type": isPage ? "text/html" : "text/javascript; charset=utf-8" });
      response.end(isPage ? '<!doctype html><script src="/client.js"></script>' : script);
    });
    await once(site.listen(0, "127.0.0.1"), "listening");
    const chrome = await launchBrowser();
    try {
      const page = await chrome.newPage();
      const address = site.address();
      if (typeof address !== "object" || address === null) throw new Error("no port");
      await page.goto(`http://127.0.0.1:${address.port}/`);
      const call = `tour(${JSON.stringify(server.url)}, ${JSON.stringify(token)})`;
      expect(JSON.parse(await page.evaluate<string>(call))).toEqual(seen);
    } finally {
      await chrome.close();
      site.closeAllConnections();
      site.close();
    }
  },
);
