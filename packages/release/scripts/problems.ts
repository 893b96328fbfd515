import type { Manifest } from "./repository.js";

/** Files of a tarball by their paths, such as "dist/index.js". */
export type Packed = ReadonlyMap<string, string>;

export interface Expected {
  readonly name: string;
  readonly version: string;
  /** Folder in the repository, such as "packages/spec". */
  readonly folder: string;
  /** Names of all packages of the release. */
  readonly released: readonly string[];
  /** Absolute paths that no file may contain: where the package was built. */
  readonly buildFolders: readonly string[];
}

const address = "https://github.com/kalends/kalends";

/** Returns what is wrong with a packed package, one sentence each. */
export function problemsOf(packed: Packed, expected: Expected): readonly string[] {
  const manifest: Manifest = JSON.parse(packed.get("package.json") ?? "{}");
  const found = [
    ...problemsOfFiles(packed, expected),
    ...problemsOfPaths(packed, expected),
    ...problemsOfManifest(manifest, expected),
    ...problemsOfDependencies(manifest, expected),
    ...problemsOfExports(packed, manifest),
  ];
  return found.map((problem) => `${expected.name}: ${problem}`);
}

function problemsOfFiles(packed: Packed, { version }: Expected): readonly string[] {
  const wanted = ["CHANGELOG.md", "LICENSE", "README.md", "package.json"];
  const changelog = packed.get("CHANGELOG.md") ?? "";
  return [
    ...wanted
      .filter((name) => (packed.get(name) ?? "").trim() === "")
      .map((name) => `${name} is missing or empty`),
    ...[...packed.keys()].filter(isOfDevelopment).map((name) => `${name} is no file for users`),
    ...(changelog.split("\n").includes(`## ${version}`) ? [] : [`CHANGELOG.md has no section ${version}`]),
  ];
}

/** Tests, sources, configuration, and what tools leave behind. The server's .env.example lists its settings. */
function isOfDevelopment(name: string): boolean {
  if (name === ".env.example") return false;
  return (
    /(?:^|\/)(?:tests?|src|scripts|bench|fixtures|coverage|node_modules|\.[^/]*)\//.test(name) ||
    /\.(?:test|spec|test-d)\.|(?:^|\/)(?:tsconfig[^/]*|vitest\.config[^/]*|\.[^/]+)$|\.tsbuildinfo$/.test(
      name,
    ) ||
    /(?<!\.d)\.[cm]?ts$/.test(name)
  );
}

function problemsOfPaths(packed: Packed, { buildFolders }: Expected): readonly string[] {
  const absolute = /(?<![\w.:/-])\/(?:home|root|Users|tmp|var\/folders)\/[\w.-]/;
  return [...packed].flatMap(([name, text]) =>
    absolute.test(text) || buildFolders.some((folder) => text.includes(folder))
      ? [`${name} contains an absolute path`]
      : [],
  );
}

function problemsOfManifest(manifest: Manifest, { name, version, folder }: Expected): readonly string[] {
  const { repository, bugs, homepage, license } = manifest;
  const facts: readonly (readonly [fact: string, isRight: boolean])[] = [
    [`the name must be ${name}`, manifest.name === name],
    [`the version must be ${version}`, manifest.version === version],
    ["private must not be set", manifest.private !== true],
    ["license must be MIT", license === "MIT"],
    ["bugs must lead to the issues of the repository", bugs === `${address}/issues`],
    ["homepage must lead to its folder", homepage === `${address}/tree/main/${folder}#readme`],
    [
      "repository must name the repository and its folder",
      repository?.url === `git+${address}.git` && repository.directory === folder,
    ],
    [
      "no script may run when it is installed",
      !/"(?:pre|post)?install"/.test(JSON.stringify(manifest.scripts ?? {})),
    ],
  ];
  return facts.filter(([, isRight]) => !isRight).map(([fact]) => `package.json: ${fact}`);
}

function problemsOfDependencies(manifest: Manifest, { version, released }: Expected): readonly string[] {
  const protocol = /"(?:workspace|catalog|file|link|portal):/;
  return [
    ...(protocol.test(JSON.stringify(manifest))
      ? ["package.json has a version that only this repository knows"]
      : []),
    ...Object.entries(manifest.dependencies ?? {}).flatMap(([name, wanted]) =>
      released.includes(name)
        ? wanted === version
          ? []
          : [`depends on ${name} ${wanted}, not on ${version}`]
        : /^\d+\.\d+\.\d+(?:-[\w.]+)?$/.test(wanted)
          ? []
          : [`depends on ${name} ${wanted}, which is no exact version`],
    ),
  ];
}

function problemsOfExports(packed: Packed, { exports, bin }: Manifest): readonly string[] {
  const targets = [...textsIn(exports), ...textsIn(bin)];
  return [
    ...(targets.length === 0 ? ["package.json: nothing is exported"] : []),
    ...targets
      .filter((target) => !packed.has(target.replace(/^\.\//, "")))
      .map((target) => `package.json names ${target}, which is not packed`),
  ];
}

/** All texts in a value of JSON, at any depth. */
function textsIn(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
