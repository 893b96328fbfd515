import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestServer, type TestServer } from "../../apps/server/test/harness.js";
import { newProject, type Project, published } from "./project.js";
import { samples } from "./samples.js";

interface Generator {
  readonly name: string;
  /** The command line, from the published file to generated.ts. */
  readonly command: (document: string) => readonly string[];
  /** What a user of it installs, with the package that brings it along here. */
  readonly links: Readonly<Record<string, string>>;
  readonly sample: string;
}

const generators: readonly Generator[] = [
  {
    name: "openapi-typescript",
    command: (document) => ["openapi-typescript", document, "--output", "generated.ts"],
    links: { "openapi-fetch": "." },
    sample: samples.openapiTypescript,
  },
  {
    name: "oazapfts",
    command: (document) => ["oazapfts", document, "generated.ts"],
    links: { "@oazapfts/runtime": "oazapfts" },
    sample: samples.oazapfts,
  },
  {
    name: "swagger-typescript-api",
    command: (document) => [
      "swagger-typescript-api",
      "generate",
      "-p",
      document,
      "-o",
      ".",
      "-n",
      "generated.ts",
    ],
    links: {},
    sample: samples.swaggerTypescriptApi,
  },
  {
    name: "openapi-zod-client",
    command: (document) => ["openapi-zod-client", document, "--output", "generated.ts", "--with-alias"],
    // zodios wants zod 3, which comes with it.
    links: {
      "@zodios/core": "openapi-zod-client",
      axios: "openapi-zod-client > @zodios/core",
      zod: "openapi-zod-client > @zodios/core",
    },
    sample: samples.openapiZodClient,
  },
  {
    name: "orval",
    command: (document) => ["orval", "--input", document, "--output", "generated.ts", "--client", "fetch"],
    links: {},
    sample: samples.orval,
  },
];

const tsconfig = {
  compilerOptions: {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    target: "es2022",
    module: "esnext",
    moduleResolution: "bundler",
    lib: ["es2023", "dom", "dom.iterable"],
    types: ["node"],
    typeRoots: [join(import.meta.dirname, "../node_modules/@types")],
  },
  files: ["use.ts"],
};

/** Loaded into Node: the command tsx would start a second process. */
const tsx = import.meta.resolve("tsx");
const projects: Project[] = [];
let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});

afterAll(async () => {
  await server.stop();
  for (const project of projects) project.remove();
});

/** The document that is recommended to generators, and the full one, for those that differ most in what they make of it. */
const recommended = "openapi-generators.json" as const;
const readers: readonly string[] = ["openapi-typescript", "orval"];

describe.each(generators)("$name", ({ name: generator, command, links, sample }) => {
  test.each([recommended, ...(readers.includes(generator) ? (["openapi.json"] as const) : [])])(
    "generates from %s what compiles strictly and works with the server",
    async (name) => {
      const project = newProject(links);
      projects.push(project);
      project.write("tsconfig.json", JSON.stringify(tsconfig));
      project.write("use.ts", sample);
      const [program = "", ...args] = command(published(name));
      const said = await project.run(program, args);
      expect(said).not.toMatch(/warn|error|fail/i);
      const generated = readFileSync(join(project.folder, "generated.ts"), "utf8");
      expect(/ByGet/.test(generated)).toBe(name === "openapi.json");

      expect(await project.run("tsc", ["--project", ".", "--singleThreaded"])).toBe("");

      const account = await server.account();
      const printed = await project.run("node", ["--import", tsx, "use.ts", server.url, account.token]);
      expect(JSON.parse(printed)).toEqual(["Opening night", "number", true]);
    },
    60_000,
  );
});

test("openapi-typescript generates the same from each of the three published files", async () => {
  const project = newProject();
  projects.push(project);
  const files = ["openapi.json", "openapi.yaml", "openapi-3.1.json"] as const;
  const apis = files.map((file, index) => [
    `file${index}`,
    { root: published(file), "x-openapi-ts": { output: `${file}.ts` } },
  ]);
  project.write("redocly.yaml", JSON.stringify({ apis: Object.fromEntries(apis) }));
  await project.run("openapi-typescript", []);
  const texts = files.map((file) => readFileSync(join(project.folder, `${file}.ts`), "utf8"));
  expect(texts[0]).toContain("createCalendar");
  expect(new Set(texts).size).toBe(1);
}, 60_000);
