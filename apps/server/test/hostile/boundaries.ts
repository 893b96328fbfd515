import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build, type Plugin, transformSync } from "esbuild";
import { parseAst } from "vitest/node";

// Finds every asynchronous boundary of the background work, and builds a server that throws at a chosen one of them.

const folder = fileURLToPath(new URL("../..", import.meta.url));
const source = `${folder}src`;

/** Where background work begins; what it imports is found. */
const roots = [
  "accounts/token-uses.ts",
  "background-jobs.ts",
  "background-units.ts",
  "calendars/purge.ts",
  "events/forget.ts",
  "events/rezone.ts",
  "idempotency/queries.ts",
  "imports/run.ts",
  "jobs.ts",
  "series/extend.ts",
  "subscribers/fetch-recorder.ts",
  "subscribers/life.ts",
  "syncs/run.ts",
  "webhooks/outbox.ts",
  "webhooks/purge.ts",
  "webhooks/sender.ts",
];

/** A place where a throw concerns no caller, or only one that waits. */
export interface Boundary {
  readonly number: number;
  readonly file: string;
  readonly kind: string;
  /** The beginning of its text. */
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

/** Returns the files that background work runs, those that only give types left out. */
function filesOf(from: readonly string[]): readonly string[] {
  const found = new Set<string>();
  const visit = (file: string): void => {
    if (found.has(file)) return;
    found.add(file);
    const { code } = transformSync(readFileSync(file, "utf8"), { loader: "ts", format: "esm" });
    for (const [, target = ""] of code.matchAll(/(?:from|import)\s*\(?\s*"(\.[^"]+)\.js"/g)) {
      const path = `${resolve(dirname(file), target)}.ts`;
      if (existsSync(path)) visit(path);
    }
  };
  for (const root of from) visit(`${source}/${root}`);
  return [...found].toSorted();
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
    boundaries.push({ number, file: relative(source, file), kind, text });
    return number;
  };
  const insert = (at: number, text: string): void =>
    void insertions.push({ at, text, order: insertions.length });
  const planted = new Set<Node>();

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
    if (node.type === "AwaitExpression") {
      insert(node.start, `__after(${add("await", node)}, (`);
      insert(node.end, "))");
    }
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

/** Exists in this copy alone: the test says by the channel where to throw next, once, and asks what was reached. */
const control = `
const reachedPlants = new Set();
let chosenPlant = Number(process.env.PLANTED_AT_START ?? -1);
globalThis.__plant = (number) => {
  reachedPlants.add(number);
  if (number !== chosenPlant) return;
  chosenPlant = -1;
  process.send?.({ thrown: number });
  throw new Error("planted " + number);
};
globalThis.__after = (number, value) => (globalThis.__plant(number), value);
globalThis.__wrap = (number, call) => typeof call !== "function" ? call : function (...given) {
  globalThis.__plant(number);
  return call.apply(this, given);
};
process.on("message", ({ choose, report }) => {
  if (choose !== undefined) { chosenPlant = choose; process.send({ chosen: choose }); }
  if (report) { process.send({ reached: [...reachedPlants] }); reachedPlants.clear(); }
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

/** Builds the server with a call at each boundary. Returns the boundaries. */
export async function buildPlanted(outdir: string): Promise<readonly Boundary[]> {
  const planted = new Map<string, string>();
  const all: Boundary[] = [];
  for (const file of filesOf(roots)) {
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
  await build({
    absWorkingDir: folder,
    entryPoints: ["src/main.ts", "src/import-worker.ts"],
    outdir,
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node20.19",
    conditions: ["@kalends/source"],
    external: ["./control.mjs", ...installed],
    banner: { js: banner },
    plugins: [plugin],
    logLevel: "warning",
  });
  return all;
}
