// Preloaded into a release's processes: each statement that goes to SQLite, its values and what came back, as a line of JSON
// in the file that RECORD_TO names.
import { appendFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

const { Statement } = createRequire(join(process.cwd(), "package.json"))("sqlite3");
// What holds a transaction or starts a server, not what the server does.
const ours = /^(?:begin|commit|rollback|pragma|select 1\b)|\bsqlite_master\b|`migrations`/i;

for (const method of ["all", "run"]) {
  const original = Statement.prototype[method];
  Statement.prototype[method] = function recorded(...args) {
    const callback = typeof args.at(-1) === "function" ? args.pop() : undefined;
    const values = Array.isArray(args[0]) ? args[0] : args;
    const { sql } = this;
    return original.call(this, ...args, function answered(error, rows) {
      if (error === null && !ours.test(sql)) {
        const result = method === "all" ? { rows } : { changes: this.changes };
        appendFileSync(process.env.RECORD_TO, `${JSON.stringify({ sql, values, ...result })}\n`);
      }
      callback?.call(this, error, rows);
    });
  };
}
