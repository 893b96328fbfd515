/** Numbers of sections, such as "4.1", "4.9 and 4.10" or "2.1, 4.12". */
const numbers = String.raw`\d+(?:\.\d+)?(?:(?:, | and | to | or )\d+(?:\.\d+)?)*`;

/** The ways in which sections of docs/contract.md are cited; each has one group, the numbers. */
const sectionForms = [
  new RegExp(String.raw`(?:contract\.md|[Cc]ontract)(?: |#)(${numbers})`, "g"),
  /\bsection: "([\d.]+)"/g, // an operation of packages/spec
];
const formsByFolder: readonly (readonly [folder: string, form: RegExp])[] = [
  ["packages/conformance/", /"([1-9](?:\.\d+)?) [a-z][\w-]*"/g], // a key of clauses.ts
  ["docs/wire-format.md", new RegExp(String.raw`\((${numbers})\)`, "g")],
];

/** The numbers that a file cites: sections of the contract, such as "4.6", rulings, "R4.2", and rules of the extensions, "X2.1". */
export function citationsIn(path: string, text: string): readonly string[] {
  const forms = [
    ...sectionForms,
    ...formsByFolder.flatMap(([folder, form]) => (path.startsWith(folder) ? [form] : [])),
  ];
  const sections = forms.flatMap((form) =>
    [...text.matchAll(form)].flatMap(([, cited = ""]) => cited.match(/\d+(?:\.\d+)?/g) ?? []),
  );
  const named = /\b(?:(?:R[1-9]|X\d+)\.\d+|(?<=rulings )R[1-9]|(?<=extensions )X\d+)\b/g;
  return [...sections, ...[...text.matchAll(named)].map(([name]) => name)];
}
