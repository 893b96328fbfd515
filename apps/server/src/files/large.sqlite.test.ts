import { monitorEventLoopDelay } from "node:perf_hooks";
import { describe, expect, test } from "vitest";
import { calendarFile, importFile, vevent } from "../../test/calendar-files.js";
import { type Answer, testServer } from "../../test/harness.js";

const server = await testServer();
const account = await server.account();

async function newCalendar(): Promise<string> {
  return (await account.call("createCalendar", { title: "Town", timezone: "Europe/Berlin" })).body.calendar
    .id;
}

const results = (body: { events: readonly { result: string }[] }) => body.events.map(({ result }) => result);

describe("the body of an import", () => {
  const padded = (bytes: number): string => {
    const file = calendarFile(vevent(), "X-PADDING:");
    return file.replace("X-PADDING:", `X-PADDING:${"x".repeat(bytes - Buffer.byteLength(file))}`);
  };
  const mebibyte = 1024 * 1024;
  const typeOf = ({ status, body }: Answer) => [status, body.meta.error_type];

  test("may have 10 MB, and not a byte more", async () => {
    const id = await newCalendar();
    expect(results((await importFile(server, account, id, padded(10_000_000))).body)).toEqual(["created"]);
    const answer = await importFile(server, account, id, padded(10_000_001));
    expect(typeOf(answer)).toEqual([413, "file_too_large"]);
  });

  test("is read beyond 1 MiB only after the token was checked", async () => {
    const id = await newCalendar();
    const unknown = await importFile(server, { token: "x".repeat(32) }, id, padded(2 * mebibyte));
    expect(typeOf(unknown)).toEqual([401, "token_unknown"]);
    const none = await importFile(server, account, id, padded(2 * mebibyte), {
      headers: { Authorization: "" },
    });
    expect(typeOf(none)).toEqual([413, "file_too_large"]);
    const reader = await server.account({ scope: "read" });
    expect(typeOf(await importFile(server, reader, id, padded(2 * mebibyte)))).toEqual([
      403,
      "scope_insufficient",
    ]);
  });

  test("is refused as a form of more than 1 MiB, and as a file by other operations", async () => {
    const id = await newCalendar();
    const form = await account.call("calendarsImport", { calendar_id: id, ics: padded(2 * mebibyte) });
    expect(typeOf(form)).toEqual([413, "body_too_large"]);
    for (const size of [100, 2 * mebibyte]) {
      const answer = await server.request("/api/kalends/v1/events/create/", {
        method: "POST",
        headers: { Authorization: `Bearer ${account.token}`, "Content-Type": "text/calendar" },
        body: padded(Math.max(size, 400)),
      });
      expect(answer.status).toBe(size > mebibyte ? 413 : 415);
    }
  });

  test.each(["text/plain", "application/x-www-form-urlencoded"])(
    "sent as %s is refused with the type to send",
    async (type) => {
      const id = await newCalendar();
      const file = calendarFile(vevent("SUMMARY:50 % off & more"));
      const answer = await importFile(server, account, id, file, { headers: { "Content-Type": type } });
      expect(answer.status).toBe(type === "text/plain" ? 415 : 400);
      const advice = / Send a file as text\/calendar, with the other parameters in the query\.$/;
      expect(answer.body.meta.error_message).toMatch(advice);
    },
  );

  test("may be a file of a form, under the name of its parameter alone", async () => {
    const id = await newCalendar();
    const text = calendarFile(vevent("SUMMARY:Café"));
    const send = async (name: string, file: string | Uint8Array<ArrayBuffer> = text) => {
      const body = new FormData();
      body.set("calendar_id", id);
      body.set(name, new File([file], "town.ics", { type: "text/calendar" }));
      const headers = { Authorization: `Bearer ${account.token}` };
      return server.request("/api/kalends/v1/calendars/import/", { method: "POST", headers, body });
    };
    expect((await send("ics")).body).toMatchObject({ import: { created: 1 }, events: [{ title: "Café" }] });
    const other = await send("file");
    expect([other.status, other.body.meta.errors]).toEqual([
      400,
      [
        {
          parameter: "file",
          message: "must be a field, not a file; send the file under the name ics",
          code: "malformed",
        },
      ],
    ]);
    const latin = await send("ics", new Uint8Array(Buffer.from(text, "latin1")));
    expect([latin.status, latin.body.meta.error_type]).toEqual([400, "encoding_invalid"]);
  });

  test("may be folded within a character", async () => {
    const id = await newCalendar();
    const bytes = Buffer.from(calendarFile(vevent("SUMMARY:Caf\u00e9 concert")));
    const at = bytes.indexOf(0xc3) + 1;
    const folded = Buffer.concat([bytes.subarray(0, at), Buffer.from("\r\n "), bytes.subarray(at)]);
    const { body } = await importFile(server, account, id, new Uint8Array(folded));
    expect(body.events[0].title).toBe("Caf\u00e9 concert");
  });
});

const full = Number(process.env.KALENDS_IMPORT_EVENTS ?? 1_000);

test(`${full} events are imported at once, and others are answered meanwhile`, async () => {
  const id = await newCalendar();
  const text = "Text ü ".repeat(100);
  const file = calendarFile(
    ...Array.from({ length: full }, (_, n) =>
      vevent(
        `UID:many-${n}`,
        `SUMMARY:Event ${n}`,
        `DESCRIPTION:${text}`,
        "LOCATION:Hall",
        "ORGANIZER;CN=A:mailto:a@b.example",
      ),
    ),
  );
  const delay = monitorEventLoopDelay({ resolution: 1 });
  const measure = async (): Promise<Answer> => {
    delay.reset();
    delay.enable();
    const began = performance.now();
    const answer = await importFile(server, account, id, file);
    delay.disable();
    const [ms, held, rss] = [performance.now() - began, delay.max / 1e6, process.memoryUsage.rss() / 1e6].map(
      Math.round,
    );
    if (full >= 10_000)
      process.stderr.write(
        `${Math.round(file.length / 1e6)} MB: ${ms} ms, held ${held} ms, ${rss} MB in all\n`,
      );
    return answer;
  };
  const state = { isOver: false };
  const importing = measure().finally(() => (state.isOver = true));
  let [answered, longest] = [0, 0];
  while (!state.isOver) {
    const began = performance.now();
    expect((await server.request("/api/v1/timezones")).status).toBe(200);
    longest = Math.max(longest, performance.now() - began);
    answered++;
  }
  if (full >= 10_000)
    process.stderr.write(`${answered} reads meanwhile, the longest ${Math.round(longest)} ms\n`);
  expect((await importing).body.import).toMatchObject({ created: full, skipped: 0 });
  expect(answered).toBeGreaterThan(1);
  expect((await measure()).body.import).toMatchObject({ unchanged: full });
});
