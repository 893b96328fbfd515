import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build, type BuildOptions, type Plugin, transformSync } from "esbuild";
import { parseAst } from "vitest/node";

// Finds every asynchronous boundary of the background work, and builds a server that throws at a chosen one of them.

const folder = fileURLToPath(new URL("../..", import.meta.url));
const source = `${folder}src`;

/**
 * Where background work begins, and the drivers that it runs on. What these functions do not use, such as the queries of requests and of
 * commands, is no background work; nor is the thread of a file, which its import ends.
 */
const beginnings = `
  export { flushJobs, machineJobs } from "./process/jobs.js";
  export { createFailing } from "./background/failing.js";
  export { startJobs } from "./background/scheduler.js";
  export { startSender } from "./webhooks/sender.js";
  export { createFetchRecorder } from "./subscribers/fetch-recorder.js";
  export { createUses } from "./accounts/uses.js";
  export { openSqlite } from "./db/sqlite/open.js";
  export { openPostgres } from "./db/postgres/open.js";`;

/** A place where a throw concerns no caller, or only one that waits. */
export interface Boundary {
  readonly number: number;
  readonly file: string;
  readonly kind: string;
  /** The beginning of its text, and which of those with that text in its file it is, unless the first. */
  readonly text: string;
}

/** Functions that take a callback to be called later. */
const takers = new Set([
  "addEventListener",
  "addListener",
  "catch",
  "finally",
  "nextTick",
  "on",
  "once",
  "prependListener",
  "queueMicrotask",
  "setImmediate",
  "setInterval",
  "setTimeout",
  "then",
]);

/** A node of ESTree, as far as it is looked at. */
interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
}

const isNode = (value: unknown): value is Node =>
  typeof value === "object" && value !== null && "type" in value && "start" in value && "end" in value;
const child = (node: Node, name: string): Node | undefined => {
  const value: unknown = Reflect.get(node, name);
  return isNode(value) ? value : undefined;
};
const children = (node: Node, name: string): readonly Node[] => {
  const value: unknown = Reflect.get(node, name);
  return Array.isArray(value) ? value.filter(isNode) : [];
};
const nameOf = (node: Node | undefined): string => {
  const name: unknown = node === undefined ? "" : Reflect.get(node, "name");
  return typeof name === "string" ? name : "";
};
const isFunction = ({ type }: Node): boolean =>
  /^(?:Arrow)?Function(?:Expression)?$/.test(type.replace("ArrowFunctionExpression", "FunctionExpression"));

function everyNode(node: Node, visit: (node: Node) => void): void {
  visit(node);
  for (const value of Object.values(node)) {
    if (isNode(value)) everyNode(value, visit);
    else if (Array.isArray(value)) for (const each of value) if (isNode(each)) everyNode(each, visit);
  }
}

/** Returns the files that a file of the sources imports, and those that they import; those that only give types left out. */
function filesOf(code: string, folder: string, found = new Set<string>()): ReadonlySet<string> {
  for (const [, target = ""] of code.matchAll(/(?:from|import)\s*\(?\s*"(\.[^"]+)\.js"/g)) {
    const file = `${resolve(folder, target)}.ts`;
    if (found.has(file) || !existsSync(file)) continue;
    found.add(file);
    const { code } = transformSync(readFileSync(file, "utf8"), { loader: "ts", format: "esm" });
    filesOf(code, dirname(file), found);
  }
  return found;
}

/** Puts a call at each boundary of a file. */
function plantedIn(
  file: string,
  first: number,
): { readonly code: string; readonly boundaries: readonly Boundary[] } {
  const { code } = transformSync(readFileSync(file, "utf8"), {
    loader: "ts",
    format: "esm",
    target: "esnext",
  });
  const boundaries: Boundary[] = [];
  const insertions: { at: number; text: string; order: number }[] = [];
  const add = (kind: string, { start, end }: Node): number => {
    const number = first + boundaries.length;
    const text = code.slice(start, end).replaceAll(/\s+/g, " ").slice(0, 70);
    const same = boundaries.filter(
      (each) => each.kind === kind && each.text.replace(/ \(\d+\)$/, "") === text,
    );
    const which = same.length === 0 ? "" : ` (${same.length + 1})`;
    boundaries.push({ number, file: relative(source, file), kind, text: `${text}${which}` });
    return number;
  };
  const insert = (at: number, text: string): void =>
    void insertions.push({ at, text, order: insertions.length });
  const planted = new Set<Node>();
  const endings: Node[] = []; // blocks after "finally"
  const isDriver = /^db\/(?:sqlite|postgres)\//.test(relative(source, file));

  /**
   * In a driver what is awaited fails itself: a throw after it would lose a connection that was just acquired, or fail a committed
   * transaction, and none of our code runs there. What ends something is done all the same.
   */
  function plantAwait(node: Node): void {
    const isEnding = endings.some(({ start, end }) => start <= node.start && node.end <= end);
    const argument = child(node, "argument");
    const number = add("await", node);
    if (isDriver && !isEnding && argument !== undefined) {
      insert(argument.start, `(__plant(${number}), `);
      insert(argument.end, ")");
      return;
    }
    insert(node.start, `__after(${number}, (`);
    insert(node.end, "))");
  }

  function plantFunction(kind: string, node: Node): void {
    const body = child(node, "body");
    if (body === undefined || planted.has(node)) return;
    planted.add(node);
    const number = add(kind, node);
    if (body.type === "BlockStatement") insert(body.start + 1, ` __plant(${number});`);
    else {
      insert(body.start, `(__plant(${number}), `);
      insert(body.end, ")");
    }
  }

  /** A handler that another function returns, such as one that is guarded, is the function that was given to that. */
  function plantArgument(kind: string, node: Node): void {
    if (isFunction(node)) plantFunction(kind, node);
    else if (node.type === "CallExpression")
      for (const each of children(node, "arguments")) if (isFunction(each)) plantFunction(kind, each);
    if (node.type !== "Identifier" && node.type !== "MemberExpression") return;
    const number = add(kind, node);
    insert(node.start, `__wrap(${number}, `);
    insert(node.end, ")");
  }

  everyNode(programOf(code), (node) => {
    if (node.type === "CallExpression") {
      const callee = child(node, "callee");
      const name = callee?.type === "MemberExpression" ? nameOf(child(callee, "property")) : nameOf(callee);
      const isEvent = /^(?:on|once|add|prepend)/.test(name);
      const given = children(node, "arguments").slice(isEvent ? 1 : 0, isEvent ? 2 : name === "then" ? 2 : 1);
      if (takers.has(name)) for (const each of given) plantArgument(name, each);
    }
    if (node.type === "NewExpression" && nameOf(child(node, "callee")) === "Promise")
      for (const each of children(node, "arguments")) plantArgument("new Promise", each);
    if (isFunction(node) && children(node, "params").some((each) => nameOf(each) === "callback"))
      plantFunction("look-up", node);
    const ending = node.type === "TryStatement" ? child(node, "finalizer") : undefined;
    if (ending !== undefined) endings.push(ending);
    if (node.type === "AwaitExpression") plantAwait(node);
    const body = child(node, "body");
    if (
      node.type === "ForOfStatement" &&
      Reflect.get(node, "await") === true &&
      body?.type === "BlockStatement"
    )
      insert(body.start + 1, ` __plant(${add("for await", node)});`);
  });
  return { code: inserted(code, insertions), boundaries };
}

function programOf(code: string): Node {
  const program: unknown = parseAst(code);
  if (!isNode(program)) throw new Error("not parsed");
  return program;
}

/** Of what is inserted at one place, what ends an inner expression comes first, and what begins an outer one. */
function inserted(code: string, insertions: readonly { at: number; text: string; order: number }[]): string {
  const ends = (text: string): boolean => text.startsWith(")");
  const inOrder = insertions.toSorted(
    (one, other) =>
      one.at - other.at ||
      Number(ends(other.text)) - Number(ends(one.text)) ||
      (ends(one.text) ? other.order - one.order : one.order - other.order),
  );
  let text = "";
  let at = 0;
  for (const each of inOrder) {
    text += code.slice(at, each.at) + each.text;
    ({ at } = each);
  }
  return text + code.slice(at);
}

/** Exists in this copy alone: the test says by the channel where to throw next, once each, and asks what was reached. */
const control = `
import { writeSync } from "node:fs";
const reachedPlants = new Set();
const numbersIn = (text) => new Set(text.split(",").filter((each) => each !== "").map(Number));
let chosenPlants = numbersIn(process.env.PLANTED_AT_START ?? "");
globalThis.__plant = (number) => {
  reachedPlants.add(number);
  if (!chosenPlants.delete(number)) return;
  writeSync(2, "planted " + number + "\\n"); // at once, since the process may end
  throw new Error("planted " + number);
};
globalThis.__after = (number, value) => (globalThis.__plant(number), value);
globalThis.__wrap = (number, call) => typeof call !== "function" ? call : function (...given) {
  globalThis.__plant(number);
  return call.apply(this, given);
};
process.on("message", ({ choose }) => {
  if (choose !== undefined) chosenPlants = numbersIn(choose);
  process.send({ reached: [...reachedPlants] });
  reachedPlants.clear();
});
process.channel?.unref(); // none in a thread
// The jobs of an hour in a minute.
const setIntervalOf = globalThis.setInterval;
globalThis.setInterval = (call, ms, ...given) => setIntervalOf(call, ms >= 5000 ? 250 : ms, ...given);
`;

const banner = `import "./control.mjs";
import { createRequire as requireOf } from "node:module";
const require = requireOf(import.meta.url);`;

/** Not bundled: what has native parts, is loaded at need, or is named by Knex and pg for others (scripts/build.mjs). */
const installed =
  "maxmind pg sqlite3 better-sqlite3 mariadb/callback mysql mysql2 oracledb pg-native pg-query-stream tedious".split(
    " ",
  );

const common = {
  absWorkingDir: folder,
  bundle: true,
  format: "esm",
  platform: "node",
  target: "node20.19",
  conditions: ["@kalends/source"],
  external: ["./control.mjs", ...installed],
  logLevel: "warning",
} satisfies BuildOptions;

/** Returns the numbers of the boundaries that are left when a bundler has removed the functions that background work does not use. */
async function usedBy(plugin: Plugin): Promise<ReadonlySet<number>> {
  const { outputFiles } = await build({
    ...common,
    stdin: { contents: beginnings, resolveDir: source },
    plugins: [plugin],
    write: false,
  });
  const found = outputFiles.flatMap(({ text }) => [...text.matchAll(/__(?:plant|after|wrap)\((\d+)/g)]);
  return new Set(found.map(([, number]) => Number(number)));
}

/** Builds the server with a call at each boundary. Returns the boundaries. */
export async function buildPlanted(outdir: string): Promise<readonly Boundary[]> {
  const planted = new Map<string, string>();
  const all: Boundary[] = [];
  for (const file of [...filesOf(beginnings, source)].toSorted()) {
    const { code, boundaries } = plantedIn(file, all.length);
    planted.set(file, code);
    all.push(...boundaries);
  }
  const plugin: Plugin = {
    name: "planted",
    setup: ({ onLoad }) =>
      onLoad({ filter: /\/apps\/server\/src\/.*\.ts$/ }, ({ path }) => {
        const contents = planted.get(path);
        return contents === undefined ? undefined : { contents, loader: "js" };
      }),
  };
  rmSync(outdir, { recursive: true, force: true });
  mkdirSync(outdir, { recursive: true });
  writeFileSync(`${outdir}/control.mjs`, control);
  writeFileSync(`${outdir}/package.json`, '{"type":"module","imports":{"#assets/*":"./assets/*"}}');
  symlinkSync(`${folder}assets`, `${outdir}/assets`);
  symlinkSync(`${folder}node_modules/swagger-ui-dist`, `${outdir}/reference`);
  symlinkSync(`${folder}dist/console`, `${outdir}/console`);
  const used = await usedBy(plugin);
  await build({
    ...common,
    entryPoints: { main: "src/main.ts", "import-thread": "src/imports/thread.ts" },
    outdir,
    splitting: true,
    banner: { js: banner },
    plugins: [plugin],
  });
  return all.filter(({ number }) => used.has(number));
}
