import { connect, type Socket } from "node:net";
import { expect, test } from "vitest";
import { bodyBytes, largestBody } from "../src/http/limits.js";
import { bodies } from "../src/http/quota.js";
import { testServer } from "./harness.js";
import { sendBytes } from "./sockets.js";

// How large a body may be, of whom, and how large all of them may be together (rulings R1.6, R6.3).

const server = await testServer();
const { token } = await server.account();

const form = "Host: x\r\nConnection: close\r\nContent-Type: application/x-www-form-urlencoded\r\n";
const create = `POST /api/v1/calendars/create/ HTTP/1.1\r\n${form}`;
const known = `Authorization: Bearer ${token}\r\n`;

const send = (headers: string, body: string) =>
  sendBytes(server, `${create}${headers}Content-Length: ${body.length}\r\n\r\n`, body);
const chunked = (headers: string, ...chunks: readonly string[]) =>
  sendBytes(
    server,
    `${create}${headers}Transfer-Encoding: chunked\r\n\r\n`,
    `${chunks.map((chunk) => `${chunk.length.toString(16)}\r\n${chunk}\r\n`).join("")}0\r\n\r\n`,
  );

/** A form of so many bytes with the token in it. */
const bodyOf = (bytes: number): string => {
  const fields = `title=x&token=${token}&filler=`;
  return fields + "x".repeat(bytes - fields.length);
};

const ofStranger =
  "Without a token in the head or the query a body may have 64 KiB; send the token as Authorization: Bearer.";

test.each([
  ["with a length", (body: string) => send("", body)],
  ["in chunks", (body: string) => chunked("", body)],
])("a body %s whose token is in it may have 64 KiB; one byte more is a 413", async (_title, sendBody) => {
  expect((await sendBody(bodyOf(largestBody.ofStranger))).status).toBe(200);
  const { status, body } = await sendBody(bodyOf(largestBody.ofStranger + 1));
  expect([status, body.meta.error_type]).toEqual([413, "body_too_large"]);
  expect(body.meta.error_message).toBe(ofStranger);
});

test("what is said of a body that is too large is true of the limit that it exceeds", async () => {
  const post = async (
    path: string,
    body: NonNullable<RequestInit["body"]>,
    headers: Record<string, string> = {},
  ) => {
    const answer = await server.request(`/api/kalends/v1/${path}`, { method: "POST", body, headers });
    return [answer.status, answer.body.meta.error_type, answer.body.meta.error_message];
  };
  const bearer = { Authorization: `Bearer ${token}` };
  const file = "x".repeat(200_000);
  const calendar = { "Content-Type": "text/calendar", Authorization: `Token ${token}` };
  const importing = "calendars/import/?calendar_id=1";
  expect(await post(importing, file, calendar)).toEqual([413, "file_too_large", ofStranger]);
  const photo = new FormData();
  photo.set("picture", new File([new Uint8Array(9_000_000)], "photo.jpg", { type: "image/jpeg" }));
  const ofFile = [413, "file_too_large", expect.stringContaining("a picture 8 MB")];
  expect(await post("pictures/create/", photo, bearer)).toEqual(ofFile);
  const large = new URLSearchParams({ title: "x".repeat(1_050_000) });
  const ofForm = [413, "body_too_large", "The body is larger than 1 MiB."];
  expect(await post("calendars/create/", large, bearer)).toEqual(ofForm);
});

test("chunks with extensions that are too long are refused by what they are", async () => {
  const head = `${create}${known}Transfer-Encoding: chunked\r\n\r\n`;
  const { status, body } = await sendBytes(server, head, `1;${"x".repeat(20_000)}\r\nx\r\n0\r\n\r\n`);
  expect([status, body.meta.error_type]).toEqual([413, "body_too_large"]);
  expect(body.meta.error_message).toMatch(/^The extensions of the body's chunks/);
});

test("a wrong token in the head is a 401 before the body is looked at", async () => {
  const { status } = await send("Authorization: Bearer wrong-wrong-wrong\r\n", bodyOf(1_000_000));
  expect(status).toBe(401);
});

const message = "The body comes in too many tiny chunks; send it in larger ones.";

test("a body may come in a thousand chunks of one byte, or in lines; one of many more is a 413", async () => {
  const byte = (count: number) => Array.from({ length: count }, () => "x");
  const lines = Array.from({ length: 20_000 }, () => "x".repeat(20));
  expect((await chunked(known, "title=", ...byte(200), "&filler=", ...byte(800))).status).toBe(200);
  expect((await chunked(known, "title=x&filler=", ...lines)).status).toBe(200);
  const refused = await chunked(known, "title=x&filler=", ...byte(50_000));
  expect([refused.status, refused.body.meta.error_message]).toEqual([413, message]);
  for (const title of ["after", "and again"]) {
    const { status, body } = await chunked(known, `title=${title}`, "&filler=", ...byte(10));
    expect([status, body.calendar?.title]).toEqual([200, title]);
  }
});

test("bodies under way take some memory of an account, then are refused at once, and others are not", async () => {
  const { hostname, port } = new URL(server.url);
  const count = bodyBytes.ofOne / 2 ** 20 + 4;
  const texts: string[] = [];
  const sockets: Socket[] = Array.from({ length: count }, (_, n) => {
    texts[n] = "";
    const socket = connect(Number(port), hostname).on("error", () => undefined);
    socket.on("data", (chunk: Buffer) => (texts[n] += chunk.toString()));
    socket.write(`${create}${known}Content-Length: 1048576\r\n\r\n${"x".repeat(1_048_575)}`);
    return socket;
  });
  const refused = () =>
    texts.filter((text) => /^HTTP\/1\.1 503 .*Retry-After: 1\r\n.*"overloaded"/s.test(text));
  await expect.poll(() => refused().length, { timeout: 5_000 }).toBeGreaterThanOrEqual(3);
  const other = await server.account();
  expect(
    (await send(`Authorization: Bearer ${other.token}\r\n`, bodyOf(1_000).replace(token, other.token)))
      .status,
  ).toBe(200);
  for (const socket of sockets) socket.destroy();
  await expect.poll(async () => (await send(known, bodyOf(1_000_000))).status).toBe(200);
});

/** Whether another owner may have a body of so many bytes; what is alone may have any size. */
function hasRoom(bytes: number): boolean {
  try {
    bodies.add("probe", bytes);
  } catch {
    return false;
  }
  bodies.remove("probe", bytes);
  return true;
}

test("what others announce and never send leaves each account room for a small body", async () => {
  await expect.poll(() => hasRoom(bodyBytes.ofAll + 1)).toBe(true);
  const { hostname, port } = new URL(server.url);
  const sockets: Socket[] = [];
  for (const lengths of [[10_000_000, 10_000_000, 5_000_000], [8_500_000]]) {
    const hog = await server.account();
    for (const length of lengths) {
      const socket = connect(Number(port), hostname).on("error", () => undefined);
      const head = `Host: x\r\nAuthorization: Bearer ${hog.token}\r\nContent-Type: text/calendar\r\n`;
      socket.write(
        `POST /api/kalends/v1/calendars/import/?calendar_id=1 HTTP/1.1\r\n${head}Content-Length: ${length}\r\n\r\n`,
      );
      sockets.push(socket);
    }
  }
  await expect.poll(() => hasRoom(100_000)).toBe(false);
  expect((await send(known, bodyOf(500_000))).status).toBe(503);
  expect((await send(known, bodyOf(60_000))).status).toBe(200);
  for (const socket of sockets) socket.destroy();
  await expect.poll(async () => (await send(known, bodyOf(500_000))).status).toBe(200);
});
