import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { breakingChanges } from "../scripts/compat/changes.js";
import { type Approval, problems, readApprovals } from "../scripts/compat/gate.js";
import { alteredReleases, readJson, releasedDocuments } from "../scripts/compat/released.js";
import { compareVersions, levelOf, raised } from "../scripts/compat/versions.js";
import { breakingEdits, harmlessEdits, moreBreakingEdits } from "./compat-edits.js";
import { edited } from "./edited.js";
import { type Json, record } from "./reading.js";

const folder = fileURLToPath(new URL("..", import.meta.url));
const document = readJson(`${folder}openapi.json`);
const version = String(record(document["info"])["version"]);

describe("the gate finds each breaking edit, and says where", () => {
  test("of 18 kinds", () => {
    expect(breakingEdits).toHaveLength(18);
  });

  test.each([...breakingEdits, ...moreBreakingEdits])("$title", (edit) => {
    const changed = edited(document, edit);
    const found = breakingChanges(document, changed);
    expect(found).toContainEqual({
      operation: edit.operation,
      property: edit.property,
      what: expect.stringMatching(/./),
    });
    expect(new Set(found.map(({ property }) => property.split(" ")[0])).size).toBeLessThanOrEqual(2);
    expect(levelOf(document, changed, found)).toBe("major");
  });
});

describe("the gate passes what breaks nobody", () => {
  test("in 6 kinds", () => {
    expect(harmlessEdits).toHaveLength(6);
  });

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

describe("a breaking change is let through by its line in approved-changes.md alone", () => {
  const [edit] = breakingEdits.filter(({ property }) => property === "operationId");
  const changed = edit === undefined ? document : edited(document, edit);
  const released = [{ version: "1.0.0", document }];
  const next = { version: "2.0.0", document: changed };
  const line: Approval = {
    version: "2.0.0",
    operation: "listCalendars",
    property: "operationId",
    reason: "named like the other lists; told in the release notes",
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
    const text = `# Approved\n\n| Version | Operation | Property | Reason |\n| --- | --- | --- | --- |\n| 2.0.0 | \`listCalendars\` | operationId | ${line.reason} |\n`;
    expect(readApprovals(text)).toEqual([line]);
  });
});

describe("a change of the document without a raised version is noticed", () => {
  const problemsOf = (changed: Json, as: string) =>
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
    for (const as of tooLow) expect(problemsOf(changed, as)).toEqual([expect.stringContaining("Raise")]);
    for (const as of enough) expect(problemsOf(changed, as)).toEqual([]);
  });

  test("what breaks needs a major, approved or not", () => {
    const [edit] = breakingEdits;
    const changed = edit === undefined ? document : edited(document, edit);
    expect(problemsOf(changed, "1.9.0")).toContainEqual(expect.stringMatching(/major change.*to 2\.0\.0/s));
  });

  test("nothing changed, nothing raised", () => {
    expect(problemsOf(document, "1.0.0")).toEqual([]);
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
  test("are kept, from 1.0.0 on, each as it was released", () => {
    expect(alteredReleases()).toEqual([]);
    expect(releasedDocuments().map((released) => released.version)).toContain("1.0.0");
  });

  test("lead to the current document without an open question", () => {
    const approvals = readApprovals(readFileSync(`${folder}openapi/approved-changes.md`, "utf8"));
    expect(problems(releasedDocuments(), { version, document }, approvals)).toEqual([]);
  });

  test("are compared by the script that `npm run lint` runs", () => {
    const { scripts } = readJson(`${folder}package.json`);
    expect(record(scripts)["lint"]).toContain("scripts/compat.ts");
    const run = () =>
      execFileSync(process.execPath, ["--import", "tsx", "scripts/compat.ts"], { cwd: folder });
    expect(run).not.toThrow();
  });
});
