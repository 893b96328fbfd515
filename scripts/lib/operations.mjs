// Which operations of the document the suite, the client and its model leave out. Each of them names the operations by itself, so
// no compiler compares them: the suite and the model judge the server and must not read its specification.
import { read as readFile } from "./files.mjs";

/** Prints what `npm run check` compares with. */
const document = "packages/spec/openapi.json";

/** Their lists, with the id and the path of an operation. */
const lists = [
  {
    file: "packages/conformance/src/engine/operations.ts",
    pattern: /^ +(?<id>\w+): "(?<path>\/api\/[^"]+)"/gm,
    advice:
      "Add it to `paths`, `sections` and `mandatory`, and checks of it to packages/conformance/src/checks.",
  },
  {
    file: "packages/client/src/testing/operations.ts",
    pattern: /id: "(?<id>\w+)",\s+path: "(?<path>\/api\/[^"]+)"/g,
    advice: "Add it to `OperationName` and `operations`.",
  },
];

const client = "packages/client/src/client.ts";

/**
 * Compares all of them with the document. Returns a line for each operation that is missing or unknown, with what to do.
 * @param {(path: string) => string} read
 * @returns {readonly string[]}
 */
export function operationProblems(read = readFile) {
  const declared = operationsOf(read(document));
  const ofLists = lists.flatMap(({ file, pattern, advice }) => {
    const named = new Map(
      [...read(file).matchAll(pattern)].map(({ groups }) => [groups?.id ?? "", groups?.path]),
    );
    const missing = [...declared].filter(([id, path]) => named.get(id) !== path);
    const unknown = [...named.keys()].filter((id) => !declared.has(id));
    return [
      ...missing.map(([id, path]) => `${file} lacks ${id} (${path}). ${advice}`),
      ...unknown.map((id) => `${file} has ${id}, which the document has not. Remove it.`),
    ];
  });
  const called = pathsOfClient(read);
  const uncalled = [...declared].filter(([, path]) => !called.has(path));
  return [
    ...ofLists,
    ...uncalled.map(
      ([id, path]) =>
        `No function of the client calls ${id} (${path}). Add one in packages/client/src, and its types in types.ts.`,
    ),
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
 * The paths that the client's resources call.
 * @param {(path: string) => string} read
 */
function pathsOfClient(read) {
  const imported = [...read(client).matchAll(/ from "\.\/([\w-]+)\.js"/g)].map(([, name]) => name);
  const texts = imported.map((name) => read(`packages/client/src/${name}.ts`));
  return new Set(texts.flatMap((text) => [...text.matchAll(/\("(\/api\/[^"]+)"/g)].map(([, path]) => path)));
}
