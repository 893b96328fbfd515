import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { build } from "esbuild";
import { afterAll, beforeAll, expect, test } from "vitest";
import { launchBrowser, withoutBrowser } from "../server/browser.js";
import { startTestServer, type TestServer } from "../../apps/server/test/harness.js";
import { compiler, packageFolder, run } from "../../packages/client/test/program.js";

// The component of the README, with openapi-react-query over `raw`.
const readme = readFileSync(join(packageFolder, "README.md"), "utf8");
const [, component = ""] = /^```tsx\n(.*?)^```/ms.exec(readme) ?? [];
const page = `
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { createRoot } from "react-dom/client";
import { Calendars } from "./component";
const root = document.querySelector("main");
if (root) createRoot(root).render(<QueryClientProvider client={new QueryClient()}><Calendars /></QueryClientProvider>);
`;
let server: TestServer;
let folder: string;

beforeAll(async () => {
  server = await startTestServer();
  folder = mkdtempSync(join(packageFolder, "node_modules/react-"));
  writeFileSync(join(folder, "component.tsx"), component);
  writeFileSync(join(folder, "page.tsx"), page);
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await server.stop();
});

test("the component of the README compiles strictly", async () => {
  const config = {
    extends: "../../tsconfig.json",
    compilerOptions: {
      jsx: "react-jsx",
      lib: ["es2023", "dom", "dom.iterable"],
      module: "esnext",
      moduleResolution: "bundler",
      paths: { "@kalends/client": ["../../src/index.ts"] },
      types: [],
    },
    files: ["component.tsx", "page.tsx"],
    include: [],
  };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(config));
  expect(await run(compiler, ["--singleThreaded", "-p", join(folder, "tsconfig.json")])).toBe("");
});

test.skipIf(withoutBrowser !== "")(
  `the component of the README lists the calendars and makes one, over a server that adds the token${withoutBrowser}`,
  async () => {
    const { outputFiles } = await build({
      entryPoints: [join(folder, "page.tsx")],
      alias: { "@kalends/client": join(packageFolder, "src/index.ts") },
      define: { "process.env.NODE_ENV": '"production"' },
      jsx: "automatic",
      bundle: true,
      write: false,
    });
    const account = await server.account();
    await account.call("createCalendar", { title: "Town hall", timezone: "Europe/Paris" });
    const site = createServer((request, response) => {
      if (request.url?.startsWith("/api/")) void forward(request, response, account.token);
      else if (request.url === "/page.js") response.end(outputFiles[0]?.text);
      else response.setHeader("Content-Type", "text/html; charset=utf-8").end(shell);
    });
    await once(site.listen(0, "127.0.0.1"), "listening");
    const chrome = await launchBrowser();
    try {
      const address = site.address();
      if (typeof address !== "object" || address === null) throw new Error("no port");
      const tab = await chrome.newPage();
      await tab.goto(`http://127.0.0.1:${address.port}/`);
      await tab.getByText("Town hall").waitFor();
      await tab.getByRole("button", { name: "New calendar" }).click();
      await tab.getByText("Concerts").waitFor();
      expect(await tab.getByRole("listitem").allTextContents()).toEqual(["Concerts", "Town hall"]);
    } finally {
      await chrome.close();
      site.closeAllConnections();
      site.close();
    }
  },
);

const shell = '<!doctype html><title>Calendars</title><main></main><script src="/page.js"></script>';

/** What the server of an app does: sends the request on, with the token. */
async function forward(request: IncomingMessage, response: ServerResponse, token: string): Promise<void> {
  const { method = "GET", url = "/", headers } = request;
  const answer = await fetch(`${server.url}${url}`, {
    method,
    headers: { Authorization: `Bearer ${token}`, "Content-Type": headers["content-type"] ?? "" },
    ...(method === "POST" && { body: await buffer(request) }),
  });
  response.writeHead(answer.status, { "Content-Type": "application/json" }).end(await answer.text());
}
