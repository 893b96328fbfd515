type Fields = Readonly<Record<string, string>>;

/** Fields that mean one another: both are sent, or none. */
const together: Readonly<Record<string, string>> = {
  picture_id: "picture_alt",
  picture_alt: "picture_id",
  logo_id: "logo_alt",
  logo_alt: "logo_id",
};

/** The fields that differ, so that a save or its undo leaves alone what others changed. */
export function differing<Names extends Fields>(from: Names, to: Names): Partial<Names> {
  const differs = (name = ""): boolean => from[name] !== to[name];
  const found: Partial<Names> = {};
  for (const name in to) if (differs(name) || differs(together[name])) found[name] = to[name];
  return found;
}
