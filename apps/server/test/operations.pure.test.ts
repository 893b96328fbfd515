import { expect, test } from "vitest";
import { readPage } from "./pages.js";

const script = new URL("../../../scripts/lib/operations.mjs", import.meta.url).href;
const { operationProblems }: { operationProblems: (read?: (path: string) => string) => readonly string[] } =
  await import(script);

// A step of `npm run check`: the suite and the client have the operations of the document.

/** The repository with another text in one file. */
const edited =
  (file: string, from: string | RegExp, to: string) =>
  (path: string): string => {
    const text = readPage(path);
    if (path !== file) return text;
    const changed = text.replace(from, to);
    expect(changed).not.toBe(text);
    return changed;
  };

test("all of them have every operation", () => {
  expect(operationProblems()).toEqual([]);
});

const document = "packages/spec/openapi.json";
const suite = "packages/conformance/src/engine/operations.ts";
const extensions = "packages/spec/openapi-kalends.json";
const suiteOfExtensions = "packages/conformance/src/engine/extensions.ts";
const checkIndex = "packages/conformance/src/checks/index.ts";

test("an operation that only the specification has is missing in each, with what to do", () => {
  const added = `"paths": { "/api/v1/x/": { "get": { "operationId": "getX" } },`;
  const problems = operationProblems(edited(document, '"paths": {', added));
  expect(problems).toEqual([
    expect.stringMatching(/^packages\/conformance\/\S+ lacks getX \(\/api\/v1\/x\/\)\. Add it to/),
    expect.stringMatching(
      /^No function of the client calls getX .* Add one beside packages\/client\/src\/client/,
    ),
    expect.stringMatching(/^No check calls getX .* Add some beside packages\/conformance\/src\/checks/),
  ]);
});

test("so is an operation that only the document of the extensions has", () => {
  const added = `"paths": { "/api/kalends/v1/x/": { "post": { "operationId": "doX" } },`;
  expect(operationProblems(edited(extensions, '"paths": {', added))).toEqual([
    expect.stringMatching(/^packages\/conformance\/\S+ lacks doX \(\/api\/kalends\/v1\/x\/\)\. Add it to/),
    expect.stringMatching(/^No function of the client calls doX .* Add one beside \S+\/extensions\/client/),
    expect.stringMatching(/^No check calls doX .* Add some beside packages\/conformance\/src\/checks/),
  ]);
});

test.each([
  ["the suite lacks one", suite, /^ +getSubscriber: ".*\n/m, `${suite} lacks getSubscriber`],
  ["the suite has another path", suite, "/events/save/", `${suite} lacks saveEvent`],
  [
    "the suite lacks an extension",
    suiteOfExtensions,
    /^ +getEvent: ".*\n/m,
    `${suiteOfExtensions} lacks getEvent`,
  ],
  [
    "the client lacks one",
    "packages/client/src/events.ts",
    "/events/delete/",
    "No function of the client calls deleteEvent",
  ],
  [
    "the client lacks an extension",
    "packages/client/src/extensions/webhooks.ts",
    "/webhooks/rotate/",
    "No function of the client calls rotateWebhook",
  ],
  [
    "the client does not use a function that calls an extension",
    "packages/client/src/extensions/events.ts",
    /^import .* from ".\/changes.js";\n/m,
    "No function of the client calls listEventChanges",
  ],
  [
    "no check calls an extension",
    "packages/conformance/src/checks/X4.1-webhooks.ts",
    /"rotateWebhook"/g,
    "No check calls rotateWebhook",
  ],
  [
    "the checks of a file are not run",
    checkIndex,
    /^import .*X4.1-webhooks.js";\n/m,
    "No check calls rotateWebhook",
  ],
])("it fails when %s", (_title, file, from, problem) => {
  const to = typeof from === "string" ? `${from}x` : "";
  expect(operationProblems(edited(file, from, to))[0]).toContain(problem);
});

test("it fails when one of them has an operation that the document has not", () => {
  const more = 'paths = {\n  getNothing: "/api/v1/nothing/",';
  expect(operationProblems(edited(suite, "paths = {", more))).toEqual([
    `${suite} has getNothing, which the document has not. Remove it.`,
  ]);
});
