import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { isDeepStrictEqual } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { breakingChanges, type Change } from "../scripts/compat/changes.js";
import {
  type Approval,
  documentProblems,
  problems as problemsOf,
  readApprovals,
  rowOf,
} from "../scripts/compat/gate.js";
import {
  at,
  contractDocument,
  extensionsDocument,
  type GatedDocument,
  gatedDocuments,
} from "../scripts/compat/documents.js";
import {
  alteredReleases,
  readJson,
  release,
  releasedDocuments,
  versionOf,
} from "../scripts/compat/released.js";
import { compareVersions, levelOf, raised } from "../scripts/compat/versions.js";
import { breakingEditsOfContract, harmlessEdits } from "./compat-edits.js";
import { edited } from "./edited.js";
import { plantedBreaks } from "./planted-breaks.js";
import { placesOfContract, placesOfExtensions } from "./planted-places.js";
import { type Json, record } from "./reading.js";

const folder = fileURLToPath(new URL("..", import.meta.url));
const document = readJson(`${folder}openapi.json`);

function problems(...of: readonly [Releases, Releases[number], readonly Approval[]]): readonly string[] {
  return problemsOf(contractDocument, ...of);
}
type Releases = ReturnType<typeof releasedDocuments>;

const reason = "as the release notes say, which followers of the API were sent";

describe.each([
  { gated: contractDocument, places: placesOfContract, own: breakingEditsOfContract },
  { gated: extensionsDocument, places: placesOfExtensions, own: [] },
])("in $gated.file the gate", ({ gated, places, own }) => {
  const whole = readJson(at(gated.file));
  const released = [{ version: "1.0.0", document: whole }];
  const releases = releasedDocuments(gated);
  const approvals = readApprovals(readFileSync(at(gated.approvals), "utf8"));
  const planted = plantedBreaks(places);

  test("is tried with more than 40 kinds of break", () => {
    expect(new Set(planted.map(({ title }) => title)).size).toBeGreaterThan(40);
  });

  describe.each([...planted, ...own])("finds that $title", (edit) => {
    const { operation, property, change } = edit;
    const changed = edited(whole, edit);
    const found = breakingChanges(whole, changed);
    const next = { version: "2.0.0", document: changed };
    const open = (approvals: readonly Approval[]) => problemsOf(gated, released, next, approvals);
    const approval = (line: Change): Approval => ({ version: "2.0.0", ...line, reason });

    test("alone, and says where", () => {
      expect(found).toContainEqual({ operation, property, change });
      expect(levelOf(whole, changed, found)).toBe("major");
      expect(open([])).toHaveLength(found.length);
      expect(open(found.map(approval))).toEqual([]);
    });

    test("beside approvals of everything else", () => {
      const others = found.filter((line) => !isDeepStrictEqual(line, { operation, property, change }));
      expect(open(others.map(approval))).toEqual([
        expect.stringContaining(`Breaking: ${operation}, ${property}: ${change}.`),
      ]);
    });

    test.each([
      { title: "change", other: { operation, property, change: `${change} and more` } },
      { title: "property", other: { operation, property: `${property} more`, change } },
      { title: "operation", other: { operation: `${operation}More`, property, change } },
    ])("beside an approval of another $title", ({ other }) => {
      const said = open([approval(other)]);
      expect(said).toHaveLength(found.length + 1);
      expect(said).toContainEqual(expect.stringContaining(`Breaking: ${operation}, ${property}: ${change}.`));
      expect(said).toContainEqual(expect.stringContaining("Approves nothing"));
    });

    test("beside the releases and approvals of the repository", () => {
      const current = { version: versionOf(whole), document: changed };
      const said = problemsOf(gated, releases, current, approvals);
      expect(said).toContainEqual(expect.stringContaining(`Breaking: ${operation}, ${property}: ${change}.`));
    });

    test("and its line is read from the table as it is printed", () => {
      expect(readApprovals(found.map((line) => rowOf(approval(line))).join("\n"))).toEqual(
        found.map(approval),
      );
    });
  });
});

describe("the gate passes what breaks no client", () => {
  test.each(harmlessEdits)("$title: a $level version", (edit) => {
    const changed = edited(document, edit);
    const found = breakingChanges(document, changed);
    expect(found).toEqual([]);
    expect(levelOf(document, changed, found)).toBe(edit.level);
  });

  test("the order of parameters, of mandatory fields and of tags", () => {
    const turned: unknown = JSON.parse(JSON.stringify(document), (key, value) =>
      ["parameters", "required", "tags"].includes(key) && Array.isArray(value) ? value.toReversed() : value,
    );
    expect(breakingChanges(document, record(turned))).toEqual([]);
  });
});

const renamed = { title: "", at: "paths /api/v1/calendars/list/ get operationId", value: "getCalendars" };

describe("a breaking change is let through by its line in approved-changes.md alone", () => {
  const changed = edited(document, renamed);
  const released = [{ version: "1.0.0", document }];
  const next = { version: "2.0.0", document: changed };
  const line: Approval = {
    version: "2.0.0",
    operation: "listCalendars",
    property: "operationId",
    change: "is now getCalendars",
    reason: "named like the other lists; described in the release notes",
  };

  test("with it the gate is silent", () => {
    expect(problems(released, next, [line])).toEqual([]);
  });

  test("without it the gate names the change, and the line to write", () => {
    expect(problems(released, next, [])).toEqual([
      expect.stringMatching(/^Breaking: listCalendars, operationId: is now getCalendars\..*\| 2\.0\.0 \|/s),
    ]);
  });

  test.each([
    { title: "for another version", given: { ...line, version: "3.0.0" } },
    { title: "for another operation", given: { ...line, operation: "listEvents" } },
    { title: "for another property", given: { ...line, property: "path" } },
    { title: "for another change", given: { ...line, change: "is now allCalendars" } },
  ])("a line $title approves nothing, and is named", ({ given }) => {
    expect(problems(released, next, [given])).toEqual([
      expect.stringContaining("Breaking: listCalendars"),
      expect.stringContaining("Approves nothing"),
    ]);
  });

  test("a line without a reason is refused", () => {
    expect(problems(released, next, [{ ...line, reason: "" }])).toEqual([
      expect.stringContaining("Gives no reason"),
    ]);
  });

  test("the line stays needed between two released versions", () => {
    const both = [...released, next];
    expect(problems(both, next, [line])).toEqual([]);
    expect(problems(both, next, [])).toHaveLength(1);
  });

  test("a line is read as it stands in the table", () => {
    const text = `# Approved\n\n| Version | Operation | Property | Change | Reason |\n| --- | --- | --- | --- | --- |\n| 2.0.0 | \`listCalendars\` | operationId | ${line.change} | ${line.reason} |\n`;
    expect(readApprovals(text)).toEqual([line]);
  });
});

describe("a change of the document without a raised version is noticed", () => {
  const problemsAs = (changed: Json, as: string) =>
    problems([{ version: "1.0.0", document }], { version: as, document: changed }, []);
  const [operation, , , , words] = harmlessEdits.map((edit) => edited(document, edit));

  test.each([
    { title: "words need a patch", changed: words, tooLow: ["1.0.0"], enough: ["1.0.1", "1.1.0", "2.0.0"] },
    {
      title: "additions need a minor",
      changed: operation,
      tooLow: ["1.0.0", "1.0.1"],
      enough: ["1.1.0", "2.0.0"],
    },
  ])("$title", ({ changed = document, tooLow, enough }) => {
    for (const as of tooLow) expect(problemsAs(changed, as)).toEqual([expect.stringContaining("Raise")]);
    for (const as of enough) expect(problemsAs(changed, as)).toEqual([]);
  });

  test("what breaks needs a major, approved or not", () => {
    expect(problemsAs(edited(document, renamed), "1.9.0")).toContainEqual(
      expect.stringMatching(/major change.*to 2\.0\.0/s),
    );
  });

  test("nothing changed, nothing raised", () => {
    expect(problemsAs(document, "1.0.0")).toEqual([]);
  });

  test("versions are compared by their numbers", () => {
    expect(compareVersions("1.10.0", "1.9.9")).toBeGreaterThan(0);
    expect([raised("1.2.3", "patch"), raised("1.2.3", "minor"), raised("1.2.3", "major")]).toEqual([
      "1.2.4",
      "1.3.0",
      "2.0.0",
    ]);
    expect(() => raised("1.2", "patch")).toThrow("1.2 is not a version");
  });
});

describe("the released documents", () => {
  test("are kept, of both documents from 1.0.0 on, each as it was released", () => {
    expect(gatedDocuments).toEqual([contractDocument, extensionsDocument]);
    for (const gated of gatedDocuments) {
      expect(releasedDocuments(gated).map(({ version }) => version)).toContain("1.0.0");
      expect(alteredReleases(gated)).toEqual([]);
    }
  });

  test("are compared by the script that `npm run lint` runs", () => {
    const { scripts } = readJson(`${folder}package.json`);
    expect(record(scripts)["lint"]).toContain("scripts/compat.ts");
    const run = () =>
      execFileSync(process.execPath, ["--import", "tsx", "scripts/compat.ts"], { cwd: folder });
    expect(run, "each leads to the current document without an open question").not.toThrow();
  });
});

describe("the document of the extensions, once it is released,", () => {
  const temporary = `${mkdtempSync(join(tmpdir(), "kalends-released-"))}/`;
  const gated: GatedDocument = {
    ...extensionsDocument,
    file: `${temporary}printed`,
    released: temporary,
    approvals: `${temporary}approved.md`,
  };
  const whole = readJson(at(extensionsDocument.file));
  const print = (value: Json) => writeFileSync(gated.file, JSON.stringify(value));
  const schema = "components schemas Event properties";

  beforeAll(() => {
    print(whole);
    writeFileSync(gated.approvals, "");
    writeFileSync(`${temporary}SHA256SUMS`, "");
    expect(release(gated)).toBe(`${temporary}${versionOf(whole)}.json`);
    expect(release(gated)).toBeUndefined();
  });
  afterAll(() => rmSync(temporary, { recursive: true }));

  test("is compared with its release, and the unchanged one passes", () => {
    expect(documentProblems(gated)).toEqual([]);
  });

  test.each([
    {
      title: "an operation is removed",
      edit: { at: "paths /api/kalends/v1/events/changes/" },
      found: "listEventChanges, path",
    },
    {
      title: "a field of an event is removed",
      edit: { at: `${schema} status` },
      found: "getEvent, 200 event.status",
    },
    {
      title: "a field of one kind of change is removed",
      edit: { at: "components schemas DeletedEventChange properties date_deleted" },
      found: "listEventChanges, 200 changes[]",
    },
    {
      title: "a field of a webhook is removed",
      edit: { at: "components schemas EventSavedMessage properties timestamp" },
      found: "event.saved, message timestamp",
    },
    {
      title: "a closed set of a request loses a value",
      edit: { at: "components schemas UpdateEventForm properties status enum", value: ["confirmed"] },
      found: "updateEvent, form status",
    },
    {
      title: "a header of a request is no longer read",
      edit: { at: "paths /api/kalends/v1/events/update/ post parameters", value: [] },
      found: "updateEvent, header If-Match",
    },
  ])("$title: that is found, and the line to write names its own table", ({ title, edit, found }) => {
    print(edited(whole, { title, ...edit }));
    const said = documentProblems(gated);
    expect(said).toContainEqual(expect.stringContaining(`Breaking: ${found}`));
    expect(said).toContainEqual(expect.stringContaining(`a line in ${gated.approvals}`));
    expect(said).toContainEqual(expect.stringContaining("version of extensionsInfo in src/document-info.ts"));
  });

  test("an operation is added: that needs a minor version", () => {
    const added = { get: { operationId: "countEvents", responses: { 200: { description: "The count." } } } };
    print(edited(whole, { title: "", at: "paths /api/kalends/v1/events/count/", value: added }));
    const least = raised(versionOf(whole), "minor");
    expect(documentProblems(gated)).toEqual([expect.stringContaining(`to ${least}`)]);
  });
});

test("a webhook that loses a field, or is gone, breaks those who receive it", () => {
  const payload = (fields: object) => ({
    post: {
      requestBody: { content: { "application/json": { schema: { type: "object", properties: fields } } } },
    },
  });
  const id = { type: "string" };
  const before = { webhooks: { "event.saved": payload({ id, title: id }) } };
  expect(breakingChanges(before, before)).toEqual([]);
  expect(
    breakingChanges(before, { webhooks: { "event.saved": payload({ id, title: id, more: id }) } }),
  ).toEqual([]);
  expect(breakingChanges(before, { webhooks: { "event.saved": payload({ id }) } })).toEqual([
    expect.objectContaining({ operation: "event.saved", property: "message title" }),
  ]);
  expect(breakingChanges(before, {})).toEqual([
    expect.objectContaining({ operation: "event.saved", property: "path" }),
  ]);
});
