/**
 * Parses settings as systemd reads an EnvironmentFile, so that the command line has what the service has: one `NAME=value` a
 * line, comments begin with # or ; at the start of a line, and the value may be quoted.
 * @throws Error that names the number of a line with another form, never its content
 */
export function parseEnvFile(text: string): ReadonlyMap<string, string> {
  const joined = text.replace(/\\\r?\n/g, ""); // a backslash at the end of a line continues it
  const found = new Map<string, string>();
  for (const [index, raw] of joined.split(/\r?\n/).entries()) {
    const line = raw.trim();
    if (line === "" || /^[#;]/.test(line)) continue;
    const [, name, value] = /^([A-Za-z_][A-Za-z0-9_]*)\s*=\s*(.*)$/.exec(line) ?? [];
    if (name === undefined || value === undefined)
      throw new Error(`Line ${index + 1} must have the form NAME=value.`);
    found.set(name, unquoted(value));
  }
  return found;
}

function unquoted(value: string): string {
  const [, single] = /^'([^']*)'$/.exec(value) ?? [];
  if (single !== undefined) return single;
  const [, double] = /^"((?:[^"\\]|\\.)*)"$/.exec(value) ?? [];
  return double === undefined ? value : double.replace(/\\(["\\`$])/g, "$1");
}
