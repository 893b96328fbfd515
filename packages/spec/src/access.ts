/** What a person may do in a calendar, from the most to the least (extensions X9.1). */
export const roles = ["owner", "editor", "viewer"] as const;
export type Role = (typeof roles)[number];

/** What a person needs to call an operation. A token may do all that its scope lets it. */
export interface Access {
  readonly role: Role;
  /**
   * Where the role is needed: in the calendars of what its parameters name, and where they name none, or always, in all calendars; in
   * those that the answer is made of, which leaves out the others; or in any.
   */
  readonly calendar: "parameters" | "all" | "listed" | "any";
  /** Whether it is for those alone who see names and addresses of followers: owners, and people who were given that permission. */
  readonly followers?: true;
}

/** The rules that operations have. */
export const access = {
  viewer: { role: "viewer", calendar: "parameters" },
  editor: { role: "editor", calendar: "parameters" },
  owner: { role: "owner", calendar: "parameters" },
  viewerOfFollowers: { role: "viewer", calendar: "parameters", followers: true },
  ownerOfAll: { role: "owner", calendar: "all" },
  listed: { role: "viewer", calendar: "listed" },
  anyone: { role: "viewer", calendar: "any" },
  editorOfAny: { role: "editor", calendar: "any" },
} as const satisfies Readonly<Record<string, Access>>;
