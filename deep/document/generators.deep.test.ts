import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestServer, type TestServer } from "../../apps/server/test/harness.js";
import { extensionSamples } from "./extension-samples.js";
import { newProject, published } from "./project.js";
import { samples } from "./samples.js";

interface Generator {
  readonly name: string;
  /** The command line, from the published file to generated.ts. */
  readonly command: (document: string) => readonly string[];
  /** What a user of it installs, with the package that brings it along here. */
  readonly links: Readonly<Record<string, string>>;
  readonly sample: keyof typeof samples;
}

const generators: readonly Generator[] = [
  {
    name: "openapi-typescript",
    command: (document) => ["openapi-typescript", document, "--output", "generated.ts"],
    links: { "openapi-fetch": "." },
    sample: "openapiTypescript",
  },
  {
    name: "oazapfts",
    command: (document) => ["oazapfts", document, "generated.ts"],
    links: { "@oazapfts/runtime": "oazapfts" },
    sample: "oazapfts",
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
    sample: "swaggerTypescriptApi",
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
    sample: "openapiZodClient",
  },
  {
    name: "orval",
    command: (document) => ["orval", "--input", document, "--output", "generated.ts", "--client", "fetch"],
    links: {},
    sample: "orval",
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

/** What the programs of a document are, and what they print. */
const documents = {
  "openapi.json": { programs: samples, printed: ["Opening night", "number", true] },
  "openapi-generators.json": { programs: samples, printed: ["Opening night", "number", true] },
  "openapi-kalends.json": { programs: extensionSamples, printed: ["Opening night", "tentative", 3, 4] },
  "openapi-kalends-generators.json": {
    programs: extensionSamples,
    printed: ["Opening night", "tentative", 3, 4],
  },
} as const;
const newCase = (generator: Generator, document: keyof typeof documents) => ({
  ...generator,
  document,
  program: documents[document].programs[generator.sample],
  printed: documents[document].printed,
  project: newProject(generator.links, compiled.folder),
});
/** The documents that are recommended to generators, and the full ones, of the contract for those that differ most in what they make of it. */
const single = [
  ...generators.map((generator) => newCase(generator, "openapi-generators.json")),
  ...generators.filter(({ name }) => name === "orval").map((orval) => newCase(orval, "openapi.json")),
  ...generators.map((generator) => newCase(generator, "openapi-kalends-generators.json")),
  // The schema of OpenAPI 3.1 by which orval judges refuses the description of a variable of the servers.
  ...generators
    .filter(({ name }) => name !== "orval")
    .map((generator) => newCase(generator, "openapi-kalends.json")),
];
const ofAllForms = generators
  .filter(({ name }) => name === "openapi-typescript")
  .map((generator) => newCase(generator, "openapi.json"));
const cases = [...single, ...ofAllForms];

describe("what each generator generates", () => {
  test.each(single)("$name, from $document: comes without a warning", async (it) => {
    it.project.write("use.ts", it.program);
    const [program = "", ...args] = it.command(published(it.document));
    const said = await it.project.run(program, args);
    expect(said).not.toMatch(/warn|error|fail/i);
    const generated = readFileSync(join(it.project.folder, "generated.ts"), "utf8");
    expect(/ByGet/.test(generated)).toBe(it.document === "openapi.json");
  });

  test.each(ofAllForms)(
    "$name: is the same from each of the three published files, and comes without a warning",
    async ({ project, program }) => {
      project.write("use.ts", program);
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
  );

  test("compiles strictly with the program of a user", async () => {
    // Of what is only imported, below node_modules, the compiler writes nothing.
    const files = cases.flatMap(({ project }) =>
      ["generated.ts", "use.ts"].map((name) => join(project.folder, name)),
    );
    compiled.write("tsconfig.json", JSON.stringify({ ...tsconfig, files }));
    expect(await compiled.run("tsc", ["--project", ".", "--singleThreaded"])).toBe("");
  });

  test.each(cases)("$name, from $document: works with the server", async ({ project, printed }) => {
    const account = await server.account();
    const said = await project.run("node", ["use.js", server.url, account.token]);
    expect(JSON.parse(said)).toEqual(printed);
  });
});
