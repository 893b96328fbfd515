// Which operations of the document the suite and the client leave out. Both name the operations by themselves, so no compiler
// compares them: the suite judges the server and must not read its specification.
import { dirname, join } from "node:path/posix";
import { read as readFile } from "./files.mjs";

const suite = /^ +(?<id>\w+): "(?<path>\/api\/[^"]+)"/gm;

/** The documents, their clients, the lists of their operations, and what finds the id and the path of one in a list. */
const documents = [
  {
    document: "packages/spec/openapi.json",
    client: "packages/client/src/client.ts",
    lists: [
      {
        file: "packages/conformance/src/engine/operations.ts",
        pattern: suite,
        advice:
          "Add it to `paths`, `sections` and `mandatory`, and checks of it to packages/conformance/src/checks.",
      },
    ],
  },
  {
    document: "packages/spec/openapi-kalends.json",
    client: "packages/client/src/extensions/client.ts",
    lists: [
      {
        file: "packages/conformance/src/engine/extensions.ts",
        pattern: suite,
        advice: "Add it to `extensionPaths`, and checks of it to packages/conformance/src/checks.",
      },
    ],
  },
];

const checks = "packages/conformance/src/checks/index.ts";

/**
 * Compares all of them with the documents. Returns a line for each operation that is missing or unknown, with what to do.
 * @param {(path: string) => string} read
 * @returns {readonly string[]}
 */
export function operationProblems(read = readFile) {
  const judged = textsOf(checks, read, /\/(?:checks|steps)\/[^/]+$/).join("");
  return documents.flatMap(({ document, client, lists }) => {
    const declared = operationsOf(read(document));
    const called = textsOf(client, read, /(?<!\/schema\.ts)$/).join("");
    return [
      ...lists.flatMap((list) => problemsOf(list, declared, read)),
      ...[...declared].flatMap(([id, path]) => [
        ...(called.includes(`("${path}"`)
          ? []
          : [
              `No function of the client calls ${id} (${path}). Add one beside ${client}, and its types in types.ts.`,
            ]),
        ...(judged.includes(`"${id}"`) ? [] : [`No check calls ${id} (${path}). Add some beside ${checks}.`]),
      ]),
    ];
  });
}

/**
 * What one list lacks, and what it has too many.
 * @param {{ file: string, pattern: RegExp, advice: string }} list
 * @param {ReadonlyMap<string, string>} declared
 * @param {(path: string) => string} read
 */
function problemsOf({ file, pattern, advice }, declared, read) {
  const named = new Map(
    [...read(file).matchAll(pattern)].map(({ groups }) => [groups?.id ?? "", groups?.path]),
  );
  const missing = [...declared].filter(([id, path]) => named.get(id) !== path);
  const unknown = [...named.keys()].filter((id) => !declared.has(id));
  return [
    ...missing.map(([id, path]) => `${file} lacks ${id} (${path}). ${advice}`),
    ...unknown.map((id) => `${file} has ${id}, which the document has not. Remove it.`),
  ];
}

/**
 * The path of each operation, by its id. A write has its plain id on POST.
 * @param {string} text
 * @returns {ReadonlyMap<string, string>}
 */
function operationsOf(text) {
  const { paths } = JSON.parse(text);
  return new Map(Object.entries(paths).map(([path, { get, post = get }]) => [post.operationId, path]));
}

/**
 * The texts of a module and of what it imports, directly or not, as far as their paths match.
 * @param {string} file
 * @param {(path: string) => string} read
 * @param {RegExp} followed
 * @returns {readonly string[]}
 */
function textsOf(file, read, followed) {
  const texts = new Map();
  const waiting = [file];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (texts.has(path) || !followed.test(path)) continue;
    const text = read(path);
    texts.set(path, text);
    const imported = [...text.matchAll(/ from "(?<name>\.{1,2}\/[\w./-]+)\.js"/g)];
    waiting.push(...imported.map(({ groups }) => join(dirname(path), `${groups?.name}.ts`)));
  }
  return [...texts.values()];
}
