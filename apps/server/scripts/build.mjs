// Writes dist/: the programs, with our packages and most of what they depend on, in a few files. Node reads ten files sooner than
// 780 (docs/decisions/0005-launcher-versions-bundle.md). Types are looked at by `types`, not here.
import { chmodSync, copyFileSync, cpSync, mkdirSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { writeTestingTypes } from "./testing-types.mjs";

const folder = fileURLToPath(new URL("..", import.meta.url));

/** Read from node_modules: what has native parts or is loaded only at need. */
const installed = ["maxmind", "pg", "sharp", "sqlite3"];

/** Named by Knex and pg for those who use them. */
const absent = [
  "better-sqlite3",
  "mariadb/callback",
  "mysql",
  "mysql2",
  "oracledb",
  "pg-native",
  "pg-query-stream",
  "tedious",
];

rmSync(`${folder}/dist`, { recursive: true, force: true }); // the names of parts come from what is in them
await build({
  absWorkingDir: folder,
  entryPoints: {
    main: "src/main.ts",
    cli: "src/cli.ts",
    testing: "src/process/testing.ts",
    "import-thread": "src/files/thread.ts",
    "picture-process": "src/files/picture-process.ts",
  },
  outdir: "dist",
  bundle: true,
  splitting: true,
  format: "esm",
  platform: "node",
  target: "node20.19",
  conditions: ["@kalends/source"],
  external: [...installed, ...absent],
  // CommonJS modules ask for Node's own by `require`, which an ES module has not.
  banner: {
    js: 'import { createRequire as requireOf } from "node:module";\nconst require = requireOf(import.meta.url);',
  },
  sourcemap: "linked",
  sourcesContent: false,
  logLevel: "warning",
});

chmodSync(`${folder}/dist/cli.js`, 0o755); // the command kalends

writeTestingTypes(`${folder}/dist`);

// The API reference (docs/decisions/0008-api-documents.md): of the package only what a browser loads, with its licences.
const { resolve } = createRequire(import.meta.url);
mkdirSync(`${folder}/dist/reference`);
for (const file of ["swagger-ui-bundle.js", "swagger-ui-bundle.js.LICENSE.txt", "swagger-ui.css"])
  copyFileSync(resolve(`swagger-ui-dist/${file}`), `${folder}/dist/reference/${file}`);
// Not by their own names: they would be taken for those of the package.
for (const file of ["LICENSE", "NOTICE"])
  copyFileSync(resolve(`swagger-ui-dist/${file}`), `${folder}/dist/reference/swagger-ui.${file}.txt`);

// The console (docs/decisions/0022-console.md): what its own build has made, and the colours that the public pages share with it.
const consoleFolder = dirname(resolve("@kalends/console/package.json"));
cpSync(`${consoleFolder}/dist`, `${folder}/dist/console`, { recursive: true });
copyFileSync(`${consoleFolder}/src/tokens.css`, `${folder}/dist/console/tokens.css`);
