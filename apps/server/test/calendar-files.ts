import { operations } from "@kalends/spec";
import type { Answer, TestAccount, TestServer } from "./harness.js";

// Calendar files for the tests of imports.

/** A VCALENDAR around components; lines end in CR LF. */
export function calendarFile(...components: readonly string[]): string {
  return ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Test//EN", ...components, "END:VCALENDAR", ""].join(
    "\r\n",
  );
}

/** A VEVENT of lines; with a UID and times unless they are among them. */
export function vevent(...lines: readonly string[]): string {
  const has = (name: string): boolean => lines.some((line) => line.startsWith(name));
  return [
    "BEGIN:VEVENT",
    ...(has("UID:") ? [] : ["UID:one@example.com"]),
    ...(has("DTSTART") ? [] : ["DTSTART:20260801T100000Z", "DTEND:20260801T110000Z"]),
    ...(has("SUMMARY") ? [] : ["SUMMARY:One"]),
    ...lines,
    "END:VEVENT",
  ].join("\r\n");
}

/** Imports a file as a body of its own type. */
export async function importFile(
  server: Pick<TestServer, "request">,
  { token }: Pick<TestAccount, "token">,
  calendarId: string,
  file: string | Uint8Array<ArrayBuffer>,
  {
    query = "",
    headers = {},
  }: { readonly query?: string; readonly headers?: Readonly<Record<string, string>> } = {},
): Promise<Answer> {
  return server.request(`${operations.calendarsImport.path}?calendar_id=${calendarId}${query}`, {
    method: "POST",
    headers: { Authorization: `Bearer ${token}`, "Content-Type": "text/calendar; charset=utf-8", ...headers },
    body: file,
  });
}
