/** Returns the file of a SQLite URL; undefined for PostgreSQL. */
export function sqlitePath(url: string): string | undefined {
  return url.startsWith("sqlite:") ? url.replace(/^sqlite:(?:\/\/)?/, "") : undefined;
}

/** Returns the rule that a database URL breaks, without its text, which may have a password; undefined when it is valid. */
export function databaseUrlFault(url: string): string | undefined {
  if (url !== url.trim()) return "must have no blank and no line break at its beginning or end";
  const path = sqlitePath(url);
  if (path !== undefined) return sqlitePathFault(path);
  if (!/^postgres(?:ql)?:\/\/./.test(url))
    return "must be sqlite: and the path of a file, such as sqlite:./data/kalends.sqlite, or postgres://user:password@host/database";
  if (!isPostgresUrl(url))
    return "must be postgres://user:password@host:port/database; special characters of the password are percent-encoded, such as %23 for # and %2F for /";
  return undefined;
}

/** SQLite takes a URI for the name of a file, so a mistake would create another database. */
function sqlitePathFault(path: string): string | undefined {
  if (/^file:/i.test(path)) return "must be sqlite: and the path without file:, such as sqlite:/x/y.db";
  if (path !== path.trimStart())
    return "must be sqlite: and the path of a file, without a blank before the path";
  if (path === "" || path === ":memory:")
    return "must be sqlite: and the path of a file, such as sqlite:./data/kalends.sqlite";
  if (/[?#]/.test(path))
    return "must be sqlite: and the path of a file, without ? and #: a SQLite file takes no parameters such as ?mode=ro";
  return undefined;
}

/**
 * Reports whether pg can read a URL. Like pg-connection-string, encodes a stray % and accepts an empty host, which the URL
 * standard refuses. pg ignores a fragment, so a # must come from the password.
 */
function isPostgresUrl(url: string): boolean {
  if (url.includes("#")) return false;
  try {
    const isEncoded = !/ |%[^a-f0-9]|%[a-f0-9][^a-f0-9]/i.test(url);
    const encoded = isEncoded ? url : encodeURI(url).replace(/%25(\d\d)/g, "%$1");
    const { username, password, hostname } = new URL(encoded.replace("@/", "@localhost/"));
    for (const part of [username, password, hostname]) decodeURIComponent(part);
    return true;
  } catch {
    return false;
  }
}
