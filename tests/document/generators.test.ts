import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestServer, type TestServer } from "../../apps/server/test/harness.js";
import { newProject, published } from "./project.js";
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

/** JavaScript beside the sources: Node runs what the compiler read. */
const tsconfig = {
  compilerOptions: {
    strict: true,
    skipLibCheck: true,
    target: "es2022",
    module: "esnext",
    moduleResolution: "bundler",
    lib: ["es2023", "dom", "dom.iterable"],
    types: ["node"],
    typeRoots: [join(import.meta.dirname, "../node_modules/@types")],
  },
};

/** Its folder holds those of all projects: one run of the compiler reads them. */
const compiled = newProject();
let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});

afterAll(async () => {
  await server.stop();
  compiled.remove();
});

const newCase = (generator: Generator, document: "openapi.json" | "openapi-generators.json") => ({
  ...generator,
  document,
  project: newProject(generator.links, compiled.folder),
});
/** The document that is recommended to generators, and the full one, for those that differ most in what they make of it. */
const single = [
  ...generators.map((generator) => newCase(generator, "openapi-generators.json")),
  ...generators.filter(({ name }) => name === "orval").map((orval) => newCase(orval, "openapi.json")),
];
const ofAllForms = generators
  .filter(({ name }) => name === "openapi-typescript")
  .map((generator) => newCase(generator, "openapi.json"));
const cases = [...single, ...ofAllForms];

describe("what each generator generates", () => {
  test.each(single)(
    "$name, from $document: comes without a warning",
    async (it) => {
      it.project.write("use.ts", it.sample);
      const [program = "", ...args] = it.command(published(it.document));
      const said = await it.project.run(program, args);
      expect(said).not.toMatch(/warn|error|fail/i);
      const generated = readFileSync(join(it.project.folder, "generated.ts"), "utf8");
      expect(/ByGet/.test(generated)).toBe(it.document === "openapi.json");
    },
    60_000,
  );

  test.each(ofAllForms)(
    "$name: is the same from each of the three published files, and comes without a warning",
    async ({ project, sample }) => {
      project.write("use.ts", sample);
      const files = {
        "generated.ts": "openapi.json",
        "yaml.ts": "openapi.yaml",
        "newer.ts": "openapi-3.1.json",
      } as const;
      const apis = Object.entries(files).map(([output, file]) => [
        output,
        { root: published(file), "x-openapi-ts": { output } },
      ]);
      project.write("redocly.yaml", JSON.stringify({ apis: Object.fromEntries(apis) }));
      expect(await project.run("openapi-typescript", [])).not.toMatch(/warn|error|fail/i);
      const texts = Object.keys(files).map((name) => readFileSync(join(project.folder, name), "utf8"));
      expect(texts[0]).toContain("createCalendar");
      expect(texts[0]).toContain("ByGet");
      expect(new Set(texts).size).toBe(1);
    },
    60_000,
  );

  test("compiles strictly with the program of a user", async () => {
    // Of what is only imported, below node_modules, the compiler writes nothing.
    const files = cases.flatMap(({ project }) =>
      ["generated.ts", "use.ts"].map((name) => join(project.folder, name)),
    );
    compiled.write("tsconfig.json", JSON.stringify({ ...tsconfig, files }));
    expect(await compiled.run("tsc", ["--project", ".", "--singleThreaded"])).toBe("");
  }, 60_000);

  test.each(cases)(
    "$name, from $document: works with the server",
    async ({ project }) => {
      const account = await server.account();
      const printed = await project.run("node", ["use.js", server.url, account.token]);
      expect(JSON.parse(printed)).toEqual(["Opening night", "number", true]);
    },
    60_000,
  );
});
