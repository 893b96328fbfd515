import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { testServer } from "../../test/harness.js";
import { temporaryFolder } from "../../test/temporary.js";

const server = await testServer();
const folder = temporaryFolder();

test("PostgreSQL reads an exported file as CSV (RFC 4180)", async () => {
  const owner = await server.account();
  const { id: calendar_id } = (await owner.call("calendarsCreate", { title: "Town" })).body.calendar;
  const texts = ['say "hi", twice', "Öl; Zwölf\r\nneue\tZeile", "=1+1", "\\."];
  for (const description of texts)
    await owner.call("eventsCreate", {
      calendar_id,
      title: "Fest",
      start_date: "2026-07-04T13:30",
      description,
    });
  const { text } = await owner.call("calendarsExport", { calendar_id, format: "csv" });
  const file = join(folder, "town.csv");
  writeFileSync(file, text);
  chmodSync(folder, 0o755); // PostgreSQL may be another user
  const columns = text.slice(0, text.indexOf("\r\n")).replaceAll('"', "").split(",");
  const rows = await server.db.transaction(async (trx) => {
    await trx.raw(
      `create temporary table copied (${columns.map((column) => `${column} text`).join(", ")}) on commit drop`,
    );
    await trx.raw(`copy copied from '${file}' with (format csv, header, encoding 'UTF8')`);
    return trx("copied").select("title", "description", "start_date");
  });
  const shown = texts.map((one) => (one.startsWith("=") ? `'${one}` : one));
  expect(rows).toEqual(
    shown.map((description) => ({ title: "Fest", description, start_date: "2026-07-04T13:30" })),
  );
});
