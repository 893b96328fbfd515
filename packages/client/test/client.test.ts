import { execFile } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createCalendarClient, type CalendarClient } from "../src/index.js";

const packageFolder = fileURLToPath(new URL("..", import.meta.url));
const token = "a-secret-token/with+signs=";

describe("src/schema.d.ts", () => {
  test("is what the OpenAPI document gives", async () => {
    const folder = mkdtempSync(join(tmpdir(), "kalends-client-"));
    try {
      const printed = join(folder, "schema.d.ts");
      const { scripts } = JSON.parse(readFileSync(join(packageFolder, "package.json"), "utf8"));
      const [tool, ...args] = String(scripts.emit).split(" ");
      expect([tool, args]).toEqual(["openapi-typescript", expect.arrayContaining(["src/schema.d.ts"])]);
      const generate = args.with(args.indexOf("src/schema.d.ts"), printed);
      expect(await run("openapi-typescript/bin/cli.js", generate)).toBe("");
      const committed = readFileSync(join(packageFolder, "src/schema.d.ts"), "utf8");
      expect(readFileSync(printed, "utf8") === committed, "src/schema.d.ts is stale: run npm run emit").toBe(
        true,
      );
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

describe("types", () => {
  test("refuse what is not in the document, and nothing else: tsc has no complaint", async () => {
    expect(await run("typescript/bin/tsc", ["-p", "."])).toBe("");
  });
});

describe("the client", () => {
  /** What the server saw last, and what it shall answer. */
  let seen: {
    method: string | undefined;
    url: string | undefined;
    headers: IncomingHttpHeaders;
    body: string;
  };
  let answer: { status: number; body: object };
  let client: CalendarClient;
  let baseUrl: string;

  const server = createServer((request, response) => void exchange(request, response));

  async function exchange(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method, url, headers } = request;
    seen = { method, url, headers, body: await text(request) };
    response.writeHead(answer.status, { "Content-Type": "application/json" });
    response.end(JSON.stringify(answer.body));
  }

  beforeEach(async () => {
    await once(server.listen(0, "127.0.0.1"), "listening");
    const address = server.address();
    if (typeof address !== "object" || address === null) throw new Error("no port");
    baseUrl = `http://127.0.0.1:${address.port}`;
    client = createCalendarClient({ baseUrl, token });
  });

  afterEach(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  test("sends the token in the header Authorization and never in the URL", async () => {
    answer = {
      status: 200,
      body: { meta: { code: "200" }, calendars: [], paging: { previous: "", next: "" } },
    };
    const { data, error } = await client.GET("/api/v1/calendars/list/", { params: { query: { page: "2" } } });
    expect(seen).toMatchObject({ method: "GET", url: "/api/v1/calendars/list/?page=2", body: "" });
    expect(seen.headers.authorization).toBe(`Bearer ${token}`);
    expect(seen.headers).not.toHaveProperty("content-type");
    expect(data?.calendars).toEqual([]);
    expect(error).toBeUndefined();
  });

  test("sends no token for the time zone list", async () => {
    answer = {
      status: 200,
      body: { meta: { code: 200 }, data: [{ label: "Africa/Abidjan", offset: "00:00" }] },
    };
    const { data } = await client.GET("/api/v1/timezones");
    expect(seen.url).toBe("/api/v1/timezones");
    expect(seen.headers).not.toHaveProperty("authorization");
    expect(data?.data[0]?.label).toBe("Africa/Abidjan");
  });

  test("sends a write as a form: the values are in the body, whatever they hold", async () => {
    answer = {
      status: 200,
      body: { meta: { code: "200" }, calendar: { id: "1", title: "100 % & more + 🎉" } },
    };
    const { data } = await client.POST("/api/v1/calendars/save/", {
      body: { calendar_id: "1", title: "100 % & more + 🎉", timezone: "Europe/Paris", description: "" },
    });
    expect(seen).toMatchObject({ method: "POST", url: "/api/v1/calendars/save/" });
    expect(seen.headers["content-type"]).toBe("application/x-www-form-urlencoded;charset=UTF-8");
    expect(seen.headers.authorization).toBe(`Bearer ${token}`);
    expect([...new URLSearchParams(seen.body)]).toEqual([
      ["calendar_id", "1"],
      ["title", "100 % & more + 🎉"],
      ["timezone", "Europe/Paris"],
      ["description", ""],
    ]);
    expect(data?.calendar.title).toBe("100 % & more + 🎉");
  });

  test("leaves out a parameter that is undefined, so that save keeps its value (rulings R4.6)", async () => {
    answer = { status: 200, body: { meta: { code: "200" }, calendar: {} } };
    const partial: Record<string, string | undefined> = { description: undefined };
    const body = { calendar_id: "1", title: "Concerts", timezone: "Europe/Paris", ...partial };
    await client.POST("/api/v1/calendars/save/", { body });
    expect(seen.body).toBe("calendar_id=1&title=Concerts&timezone=Europe%2FParis");
  });

  test("gives an error answer as error, with its type and its sentence, and no data", async () => {
    const meta = {
      code: "404",
      error_type: "calendar_not_found",
      error_message: "There is no such calendar.",
      request_id: "5f0c",
    };
    answer = { status: 404, body: { meta } };
    const { data, error, response } = await client.GET("/api/v1/calendars/events/list/", {
      params: { query: { calendar_id: "99" } },
    });
    expect(data).toBeUndefined();
    expect(error?.meta.error_type).toBe("calendar_not_found");
    expect(error?.meta).toEqual(meta);
    expect(response.status).toBe(404);
  });

  test("takes a base address with a slash behind it, and a fetch of the caller's", async () => {
    answer = { status: 200, body: { meta: { code: "200" }, calendar: { id: "1", status: "deleted" } } };
    const urls: string[] = [];
    const own = createCalendarClient({
      baseUrl: `${baseUrl}/`,
      token,
      fetch: (request) => {
        urls.push(request.url);
        return fetch(request);
      },
    });
    const { data } = await own.POST("/api/v1/calendars/delete/", { body: { calendar_id: "1" } });
    expect(urls).toEqual([`${baseUrl}/api/v1/calendars/delete/`]);
    expect(seen.headers.authorization).toBe(`Bearer ${token}`);
    expect(data?.calendar.status).toBe("deleted");
  });
});

/** Runs a program of a dependency in this package, and returns what it prints when it fails, else "". */
async function run(program: string, args: readonly string[]): Promise<string> {
  const file = join(packageFolder, "node_modules", program);
  try {
    await promisify(execFile)(process.execPath, [file, ...args], { cwd: packageFolder });
    return "";
  } catch (error) {
    if (error instanceof Error && "stdout" in error) return `${error.message}\n${String(error.stdout)}`;
    throw error;
  }
}
