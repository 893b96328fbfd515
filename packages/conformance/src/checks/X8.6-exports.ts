import { concerning, equal, expect } from "../engine/assert.js";
import { followers } from "../engine/check.js";
import { idOf, list } from "../engine/json.js";
import { type Kit, someStart } from "../engine/kit.js";
import type { Answer, Params } from "../engine/target.js";
import { extension, ok, refuses, send } from "../steps/extensions.js";
import { subscribers } from "../steps/subscribers.js";

/** Sends one call that must answer a file of this type. */
async function file(kit: Kit, operation: "GET calendars/export/" | "GET subscribers/export/", params: Params, type: string): Promise<Answer> {
  const answer = await send(kit, operation, params);
  concerning(answer.exchange, () => {
    equal(answer.status, 200, "HTTP status");
    const { "content-type": found = "", "content-disposition": disposition = "" } = answer.headers;
    equal(found.split(";")[0], type, "Content-Type");
    expect(/^attachment; filename="[^"]+"/.test(disposition), "Content-Disposition: expected the name of a file.");
  });
  return answer;
}

/** The lines of a CSV file, in which no text has a line break. */
const linesOf = ({ text }: Answer): readonly string[] =>
  text
    .replace(/^\uFEFF/, "")
    .split("\r\n")
    .slice(0, -1);

/** Sentences of docs/extensions.md. */
export const sentences = {
  "X8.6 export": "calendars/export/ returns a calendar as a file that imports back, or as CSV; subscribers/export/ its subscribers.",
};

/** extensions X8.6: files of a calendar and of its subscribers. */
export const checks = [
  extension("exports.ics", "X8.6 export", "An exported calendar imports back to the same events", async (kit) => {
    const title = kit.name("Übung");
    const calendar_id = idOf(await kit.calendar({ title }));
    await kit.event(calendar_id, { title: "Öffnung" });
    const { text, headers } = await file(kit, "GET calendars/export/", { calendar_id }, "text/calendar");
    const named = `filename*=UTF-8''${encodeURIComponent(`${title}.ics`)}`;
    expect((headers["content-disposition"] ?? "").includes(named), `Content-Disposition: expected ${named}.`);
    const { body } = await ok(kit, "POST calendars/import/", { calendar_id, ics: text });
    const [event] = list(body, "events");
    equal([event?.["title"], event?.["result"]], ["Öffnung", "unchanged"], "title, result");
  }),
  extension("exports.csv", "X8.6 export", "CSV has a line for each event, and no formula", async (kit) => {
    const calendar_id = idOf(await kit.calendar());
    await kit.event(calendar_id, { title: "Öffnung, groß", location: "=1+1", start_date: someStart });
    const [columns = "", event = "", ...more] = linesOf(await file(kit, "GET calendars/export/", { calendar_id, format: "csv" }, "text/csv"));
    for (const column of ["event_id", "uid", "title", "start_date"]) expect(columns.includes(column), `the first line: expected ${column}.`);
    expect(event.includes(`"Öffnung, groß"`), "expected the title in quotes.");
    expect(event.includes("'=1+1") && !/(^|,)"?=/.test(event), "expected an apostrophe before the formula.");
    equal(more, [], "lines after the event");
    await refuses(kit, [400, "parameter_invalid"], "GET calendars/export/", { calendar_id, format: "pdf" });
  }),
  extension("exports.subscribers", "X8.6 export", "CSV has a line for each subscriber", followers, async (kit) => {
    const found = await subscribers(kit, "listSubscribers", { order_by: "id-asc" });
    const [columns = "", ...lines] = linesOf(await file(kit, "GET subscribers/export/", { calendar_id: kit.followed }, "text/csv"));
    expect(columns.includes("email"), "the first line: expected email.");
    equal(lines.length, found.length, "lines after the first");
  }),
];
