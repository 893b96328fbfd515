import type { Payload } from "@kalends/spec";
import type { Handlers } from "../http/handler.js";
import { ImportTooLarge } from "./import-plan.js";
import { FileRefused } from "./reader.js";
import { imported } from "./report.js";
import { CalendarMissing, runImport } from "./import-run.js";

/** The import of calendar files (extensions X6). */
export const importHandlers = {
  async calendarsImport(
    { calendar_id, ics, dry_run, classes },
    { db, accountId, now, isKept, encoding, wrote, error },
  ) {
    const calendarId = Number(calendar_id);
    const isDryRun = dry_run === "true";
    const takesPrivate = classes === "all";
    const file = { accountId, calendarId, text: ics, now, isDryRun, takesPrivate, syncId: null, isKept };
    try {
      return await runImport<Payload<"calendarsImport">>(db, file, ({ report }) => {
        wrote({ calendarId });
        return imported(calendarId, isDryRun, report, encoding);
      });
    } catch (thrown) {
      if (thrown instanceof CalendarMissing) throw error("calendar_not_found");
      if (thrown instanceof FileRefused)
        throw error("calendar_file_invalid", [
          { parameter: "ics", message: thrown.message, code: "refused" },
        ]);
      if (!(thrown instanceof ImportTooLarge)) throw thrown;
      throw error("write_too_large", [{ parameter: "ics", message: thrown.message, code: "refused" }]);
    }
  },
} satisfies Partial<Handlers>;
