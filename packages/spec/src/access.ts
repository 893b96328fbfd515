/** The roles of a person in a calendar, from the most to the least rights (extensions X9.1). */
export const roles = ["owner", "editor", "viewer"] as const;
export type Role = (typeof roles)[number];

/** The rights that a person needs to call an operation. A token may do all that its scope allows. */
export interface Access {
  readonly role: Role;
  /**
   * Where the role is needed: in the calendars of the parameters' items (without such a parameter, in all); always in all; in
   * the calendars of the result, which omits others; or in any.
   */
  readonly calendar: "parameters" | "all" | "listed" | "any";
  /** Whether the person must see names and addresses of followers: owners do, and people with that permission. */
  readonly followers?: true;
}

export const access = {
  viewer: { role: "viewer", calendar: "parameters" },
  editor: { role: "editor", calendar: "parameters" },
  owner: { role: "owner", calendar: "parameters" },
  viewerOfFollowers: { role: "viewer", calendar: "parameters", followers: true },
  ownerOfAll: { role: "owner", calendar: "all" },
  listed: { role: "viewer", calendar: "listed" },
  editorOfAny: { role: "editor", calendar: "any" },
  anyone: { role: "viewer", calendar: "any" },
} as const satisfies Readonly<Record<string, Access>>;
