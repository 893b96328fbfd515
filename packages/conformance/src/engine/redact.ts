/** Hides secrets in a text, in whatever form they were written. */
export interface Redactor {
  readonly redact: (text: string) => string;
  /** The first characters of a text, redacted before it is cut, so that no half of a secret stays. */
  redactStart(text: string, characters: number): string;
  /** Hides a text that is derived from a secret: the run derives wrong tokens from the right one. */
  add(secret: string): void;
}

export function redactor(secrets: readonly (string | undefined)[]): Redactor {
  const known = new Set<string>();
  let ordered: readonly string[] = [];
  const add = (secret: string): void => {
    if (secret === "") return;
    const json = JSON.stringify(secret).slice(1, -1);
    const percent = encodeURIComponent(secret);
    const lower = percent.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase());
    for (const form of [secret, percent, lower, formEncoded(secret), json]) known.add(form);
    for (const form of Array.from(known)) known.add(form.replaceAll("/", "\\/"));
    known.add(Buffer.from(secret).toString("base64"));
    // The longest first, since a secret may begin with another one.
    ordered = [...known].sort((a, b) => b.length - a.length);
  };
  const real = secrets.filter((secret) => secret !== undefined);
  for (const secret of real) add(secret);
  const redact = (text: string): string =>
    ordered.reduce((result, form) => (result.includes(form) ? result.replaceAll(form, "***") : result), text);
  return {
    add: (secret) => {
      if (real.some((token) => resembles(secret, token))) add(secret);
    },
    redact,
    redactStart: (text, characters) => {
      const longest = ordered[0]?.length ?? 0;
      const start =
        text.length > 4 * (characters + longest) ? text.slice(0, 4 * (characters + longest)) : text;
      return redact(start).slice(0, characters);
    },
  };
}

/** Whether most of the token could be read off the text. */
function resembles(text: string, token: string): boolean {
  return text.toLowerCase().includes(token.toLowerCase().slice(0, Math.ceil(token.length * 0.6)));
}

function formEncoded(secret: string): string {
  return new URLSearchParams({ t: secret }).toString().slice(2);
}
