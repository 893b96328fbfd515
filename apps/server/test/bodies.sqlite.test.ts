import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { blamed, callsOfWrites, exchange, freshParams } from "./calls.js";
import { holdContent } from "./database-content.js";
import { type Answer, testServer, withMail } from "./harness.js";
import { resetAfter } from "./sockets.js";

// The body of a POST: which types are read, and what a form, a JSON object and multipart may hold (rulings R1.1, R1.4).

const server = await testServer({ ...withMail, WEBHOOKS_PER_ACCOUNT: "100" }); // each write has items of its own
const owner = await server.account();
const authorization = { Authorization: `Bearer ${owner.token}` };
const formType = "application/x-www-form-urlencoded";
const jsonType = "application/json";

function post(
  type: string | undefined,
  body: string | Buffer,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  const contentType = type === undefined ? {} : { "Content-Type": type };
  return exchange(server, "/api/v1/calendars/create/", {
    method: "POST",
    headers: { ...authorization, ...contentType, ...headers },
    body,
  });
}

function refusal({ status, body }: Answer): readonly unknown[] {
  return [status, body.meta.code, body.meta.error_type];
}

test.each(callsOfWrites.filter(({ method }) => method === "POST"))(
  "$title reads a JSON object as it reads a form",
  async ({ id, op }) => {
    const headers = { ...authorization, "Content-Type": jsonType };
    const answer = await exchange(server, op.path, {
      method: "POST",
      headers,
      body: JSON.stringify(await freshParams(server, owner, id)),
    });
    expect(answer.status).toBe(200);
  },
);

test.each([
  formType,
  `${formType}; charset=utf-8`,
  `${formType};charset="UTF-8"`,
  formType.toUpperCase(),
  `${formType}; charset=utf8`,
])("a form announced as %s is read", async (type) => {
  expect((await post(type, "title=%C3%A9+%2B%F0%9F%8E%89")).body.calendar.title).toBe("é +🎉");
});

test.each([jsonType, `${jsonType}; charset=utf-8`, "Application/JSON"])(
  "JSON announced as %s is read",
  async (type) => {
    expect((await post(type, '{"title":"é \\u002b\\ud83c\\udf89"}')).body.calendar.title).toBe("é +🎉");
  },
);

test.each([
  undefined,
  "text/plain",
  "text/json",
  "application/xml",
  "application/jsonp",
  "application/json5",
  "multipart/mixed; boundary=x",
  "multipart/form-data; boundary=x; charset=latin1",
  `${formType}; charset=iso-8859-1`,
  `${formType}; charset=latin1`,
  `${jsonType}; charset=utf-16`,
  "nonsense",
  ";",
])("a body announced as %s is a 415, and nothing is changed", async (type) => {
  await using before = await holdContent(server);
  expect(refusal(await post(type, "title=x"))).toStrictEqual([415, "415", "media_type_unsupported"]);
  await before.expectSame();
});

test.each(["gzip", "deflate", "br", "zstd", "x"])(
  "a body with Content-Encoding %s is a 415",
  async (encoding) => {
    const answer = await post(formType, gzipSync("title=x"), { "Content-Encoding": encoding });
    expect(refusal(answer)).toStrictEqual([415, "415", "media_type_unsupported"]);
  },
);

test("Content-Encoding: identity is no encoding", async () => {
  expect((await post(formType, "title=x", { "Content-Encoding": "identity" })).status).toBe(200);
});

test.each(['{"title":"x"}', '{"title":"a&b=c","timezone":"UTC"}'])(
  "%s as a form is read as JSON (rulings R1.1)",
  async (body) => {
    const answer = await post(formType, body);
    expect([answer.status, answer.body.calendar.title]).toStrictEqual([200, JSON.parse(body).title]);
  },
);

test.each([' {"title":"x"}', ' {"title": "a&b=c", "timezone": "UTC"}'])(
  "the error of %s as a form says that JSON needs its Content-Type",
  async (body) => {
    const { status, body: answered } = await post(formType, body);
    const message = "is required; a JSON body needs the header Content-Type: application/json";
    expect([status, answered.meta.error_type]).toStrictEqual([400, "parameter_missing"]);
    expect(answered.meta.error_message).toBe(`title: ${message}.`);
    expect(answered.meta.errors).toStrictEqual([{ parameter: "title", message }]);
  },
);

test("JSON as a form is an unknown parameter when nothing is missing (rulings R1.11)", async () => {
  const answer = await exchange(server, "/api/v1/calendars/create/?title=x", {
    method: "POST",
    headers: { ...authorization, "Content-Type": formType },
    body: ' {"title":"y"}',
  });
  expect([answer.status, answer.headers.get("Kalends-Ignored-Parameters")]).toStrictEqual([200, "*"]);
});

test("no body at all needs no type: the parameters may be in the query", async () => {
  const answer = await exchange(server, "/api/v1/calendars/create/?title=x", {
    method: "POST",
    headers: authorization,
  });
  expect(answer.status).toBe(200);
});

test.each(
  [
    "",
    "{",
    "nonsense",
    "null",
    "true",
    "1",
    '"title"',
    "[]",
    '["title","x"]',
    '{"title":null}',
    '{"title":1.5}',
    '{"title":9007199254740992}',
    '{"title":1e999}',
    '{"title":["x"]}',
    '{"title":{"a":"x"}}',
    '{"title":"x","other":null}',
    '{"title":1,"title":1}',
    '{"title":"x","title":1}',
    '{"title":1,"title":"x"}',
    '{"title":"x","title":"y"}',
    '{"title":"x","t\\u0069tle":"x"}',
    '{"other":"x","other":"y","title":"x"}',
    '{"title":"x"}{"title":"y"}',
    '{title:"x"}',
    "{'title':'x'}",
    '{"title":"x",}',
    '\u00a0{"title":"x"}',
  ].slice(1),
)(
  "JSON that is no object of strings, integers and booleans, such as %s, is a 400 body_invalid, and nothing is changed",
  async (body) => {
    await using before = await holdContent(server);
    expect(refusal(await post(jsonType, body))).toStrictEqual([400, "400", "body_invalid"]);
    await before.expectSame();
  },
);

test.each([
  '{"title":"\\ud800"}',
  '{"title":"x\\u0000"}',
  '{"title":"x","other":"\\u001b"}',
  '{"\\udfff":"x","title":"x"}',
])("JSON with text that cannot be stored, such as %s, is a 400", async (body) => {
  expect(refusal(await post(jsonType, body))).toStrictEqual([400, "400", "encoding_invalid"]);
});

test.each([
  ["a form", formType, Buffer.from("title=\xff", "latin1")],
  ["a form, percent-encoded", formType, "title=%ff"],
  ["a form with a stray percent sign", formType, "title=100%"],
  ["JSON", jsonType, Buffer.from('{"title":"\xe9"}', "latin1")],
])("bytes that are not UTF-8 in %s are a 400 encoding_invalid", async (_title, type, body) => {
  expect(refusal(await post(type, body))).toStrictEqual([400, "400", "encoding_invalid"]);
});

test("integers and booleans of a JSON object count as their decimal digits and as true and false", async () => {
  const calendar = await post(jsonType, '{"title":-9007199254740991,"description":true,"palette_id":2}');
  expect(calendar.body.calendar).toMatchObject({
    title: "-9007199254740991",
    description: "true",
    palette_id: "2",
  });
});

test("a JSON object with a value of another kind is a 400 that names the fields, fit to be shown or not", async () => {
  const answer = await post(jsonType, '{"title":[],"other":null,"<script>":{},"palette_id":1.5}');
  expect(blamed(answer)).toStrictEqual(["title", "other", "palette_id"]);
  expect(answer.body.meta.error_message).toContain("title: must be a string, an integer or a boolean");
});

const multipartType = "multipart/form-data; boundary=AaB03x";
const part = (name: string, value: string, more = "") =>
  `--AaB03x\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${value}\r\n`;
const multipartEnd = "--AaB03x--\r\n";

test("multipart without files is read as a form is", async () => {
  const body = `${part("title", "é +🎉 100%")}${part("description", "a\r\nb")}${part("palette_id", "2")}${multipartEnd}`;
  const { calendar } = (await post(multipartType, body)).body;
  expect(calendar).toMatchObject({ title: "é +🎉 100%", description: "a\r\nb", palette_id: "2" });
});

test.each([
  ["a file", part("photo", "x", '; filename="a.png"'), ["photo"]],
  ["an empty file", part("photo", "", '; filename=""'), ["photo"]],
  ["a file with a hostile name", part("<photo>", "x", '; filename="a.png"'), undefined],
])("multipart with %s is a 400 that names the part, and nothing is changed", async (_title, file, names) => {
  await using before = await holdContent(server);
  const answer = await post(multipartType, `${part("title", "x")}${file}${multipartEnd}`);
  expect(refusal(answer)).toStrictEqual([400, "400", "body_invalid"]);
  expect(answer.body.meta.errors?.map(({ parameter }: { parameter: string }) => parameter)).toStrictEqual(
    names,
  );
  await before.expectSame();
});

test.each([
  ["without a boundary", "multipart/form-data", `${part("title", "x")}${multipartEnd}`],
  ["with another boundary", "multipart/form-data; boundary=other", `${part("title", "x")}${multipartEnd}`],
  ["without its end", multipartType, part("title", "x")],
  ["cut within a file", multipartType, part("photo", "x", '; filename="a.png"').trimEnd()],
  ["cut within a part's head", multipartType, '--AaB03x\r\nContent-Disposition: form-data; name="ti'],
  ["of nonsense", multipartType, "title=x"],
])("multipart %s is a 400 body_invalid, and nothing is changed", async (_title, type, body) => {
  await using before = await holdContent(server);
  expect(refusal(await post(type, body))).toStrictEqual([400, "400", "body_invalid"]);
  await before.expectSame();
});

const noField =
  "Each part of a multipart body must have the header Content-Disposition: form-data with a name.";
const partHead = (head: string): string => `--AaB03x\r\n${head}\r\n\r\nlost\r\n`;

test.each([
  ["without Content-Disposition", partHead("Content-Type: text/plain")],
  ["without any header", "--AaB03x\r\n\r\nlost\r\n"],
  ["of another disposition", partHead('Content-Disposition: attachment; name="description"')],
  ["without a name", partHead("Content-Disposition: form-data")],
  ["with a line break in its name", partHead('Content-Disposition: form-data; name="descrip\ntion"')],
])(
  "a part %s is a 400 that says what it lacks (RFC 7578 4.2), and nothing is changed",
  async (_title, bad) => {
    await using before = await holdContent(server);
    const title = part("title", "x");
    for (const body of [`${title}${bad}${multipartEnd}`, `${bad}${title}${multipartEnd}`]) {
      const answer = await post(multipartType, body);
      expect(refusal(answer)).toStrictEqual([400, "400", "body_invalid"]);
      expect(answer.body.meta.error_message).toBe(noField);
    }
    await before.expectSame();
  },
);

test.each(["base64", "quoted-printable", "Base64", "x"])(
  "a part in Content-Transfer-Encoding %s is a 400 that names it (RFC 7578 4.7), and nothing is changed",
  async (encoding) => {
    await using before = await holdContent(server);
    const encoded = `"\r\nContent-Transfer-Encoding: ${encoding}`;
    const [head, value] = part("description", "aGVsbG8=").split('"\r\n');
    const answer = await post(
      multipartType,
      `${part("title", "x")}${head}${encoded}\r\n${value}${multipartEnd}`,
    );
    expect(answer.body.meta).toMatchObject({
      error_type: "body_invalid",
      errors: [{ parameter: "description", message: "must be sent without Content-Transfer-Encoding" }],
    });
    await before.expectSame();
  },
);

test.each([
  ["with a quoted boundary", 'multipart/form-data; boundary="AaB03x"', ""],
  ["with text before and after its parts", `${multipartType}; charset=utf-8`, "before\r\n"],
])("multipart %s and names of headers in any case is read", async (_title, type, before) => {
  const [head, value] = ["CONTENT-DISPOSITION: FORM-DATA; NAME=title", "x"];
  const encoding = "Content-Transfer-Encoding: 8BIT";
  const body = `${before}--AaB03x\r\n${head}\r\n${encoding}\r\n\r\n${value}\r\n${multipartEnd}\r\n--AaB03x after`;
  const answer = await post(type, body);
  expect([answer.status, answer.body.calendar?.title]).toStrictEqual([200, "x"]);
});

test("multipart keeps the rules of parameters: known ones once, UTF-8 and no control characters", async () => {
  const repeated = await post(multipartType, `${part("title", "x")}${part("title", "y")}${multipartEnd}`);
  expect(refusal(repeated)).toStrictEqual([400, "400", "parameter_repeated"]);
  const control = await post(multipartType, `${part("title", "a\u0000b")}${multipartEnd}`);
  expect(refusal(control)).toStrictEqual([400, "400", "encoding_invalid"]);
  const latin1 = Buffer.from(`${part("title", "\xe9")}${multipartEnd}`, "latin1");
  expect(refusal(await post(multipartType, latin1))).toStrictEqual([400, "400", "encoding_invalid"]);
});

test("a description of the longest kind passes in multipart", async () => {
  const description = "🎉".repeat(65_535);
  const answer = await post(
    multipartType,
    `${part("title", "x")}${part("description", description)}${multipartEnd}`,
  );
  expect(answer.body.calendar.description).toBe(description);
});

test("1,000 parameters pass, in the query and the body together; one more is a 400 in every kind of body", async () => {
  const names = Array.from({ length: 999 }, (_, n) => `p${n}`);
  const kinds = (all: readonly string[]): readonly (readonly [string, string])[] => [
    [formType, all.map((name) => `${name}=1&`).join("")],
    [jsonType, JSON.stringify(Object.fromEntries(all.map((name) => [name, "1"])))],
    [multipartType, `${all.map((name) => part(name, "1")).join("")}${multipartEnd}`],
  ];
  for (const [type, body] of kinds([...names, "title"])) expect((await post(type, body)).status).toBe(200);
  for (const [type, body] of kinds([...names, "title", "more"]))
    expect(refusal(await post(type, body))).toStrictEqual([400, "400", "too_many_parameters"]);
  for (const query of ["?more=1&x=1", `?${"a&".repeat(1_001)}`]) {
    const answer = await exchange(server, `/api/v1/calendars/create/${query}`, {
      method: "POST",
      headers: { ...authorization, "Content-Type": formType },
      body: names.map((name) => `${name}=1`).join("&"),
    });
    expect(refusal(answer)).toStrictEqual([400, "400", "too_many_parameters"]);
  }
});

test("names that objects have by themselves are names like others", async () => {
  const names = ["__proto__", "constructor", "toString", "hasOwnProperty", "valueOf"];
  for (const name of names) {
    const answer = await post(jsonType, `{"title":"x","${name}":"y"}`);
    expect([name, answer.status]).toStrictEqual([name, 200]);
  }
  expect((await post(jsonType, '{"__proto__":"x"}')).body.meta.error_type).toBe("parameter_missing");
});

test("the longest texts pass in both forms, and one character more is a 400 that names the parameter", async () => {
  const most = { title: "🎉".repeat(255), description: "🎉".repeat(65_535) };
  for (const [type, body] of [
    [formType, new URLSearchParams(most).toString()],
    [jsonType, JSON.stringify(most)],
  ] as const) {
    expect((await post(type, body)).body.calendar).toMatchObject(most);
  }
  const title = await post(jsonType, JSON.stringify({ ...most, title: `${most.title}x` }));
  expect([title.status, blamed(title)]).toStrictEqual([400, ["title"]]);
  const description = await post(jsonType, JSON.stringify({ ...most, description: `${most.description}x` }));
  expect([description.status, blamed(description)]).toStrictEqual([400, ["description"]]);
});

test("JSON of a whole mebibyte is refused by its rule, not by a failure of ours", async () => {
  const size = 1024 * 1024 - '{"title":""}'.length;
  for (const body of [`{"title":"${"x".repeat(size)}"}`, `{"title":"${"\\\\".repeat(size / 2 - 1)}"}`]) {
    const answer = await post(jsonType, body);
    expect([answer.status, blamed(answer)]).toStrictEqual([400, ["title"]]);
  }
  const deep = await post(jsonType, `{"title":${"[".repeat(500_000)}`);
  expect(refusal(deep)).toStrictEqual([400, "400", "body_invalid"]);
});

test("a body full of parameters takes the time of its length, not of its square", async () => {
  const before = process.cpuUsage();
  const unknown = Array.from({ length: 100_000 }, (_, n) => `p${n}=`).join("&");
  expect((await post(formType, `${unknown}&title=x`)).status).toBe(400);
  expect((await post(formType, `${"&".repeat(1_000_000)}title=x`)).status).toBe(200);
  for (const repeated of ["title=&", "title[]=&", "token=x&", "token=&", "token[]=&", "page[=&"]) {
    expect([repeated, (await post(formType, repeated.repeat(20_000))).status]).toStrictEqual([repeated, 400]);
  }
  const { user, system } = process.cpuUsage(before);
  expect((user + system) / 1000).toBeLessThan(5_000);
});

/** Not those of slow requests, which a busy machine has. */
const requestLines = () => server.logLines.filter(({ msg }) => msg === "request");

test.each([
  ["an operation", "/api/v1/calendars/create/", "createCalendar"],
  ["the follow form", "/f/some-key/delete", "deleteFollower"],
])(
  "a body that its client breaks off, sent to %s, is no failure of the server",
  async (_, path, operation) => {
    const before = requestLines().length;
    const head = `POST ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${authorization.Authorization}\r\n`;
    await resetAfter(server, `${head}Content-Type: ${formType}\r\nContent-Length: 1000\r\n\r\ntitle=never`);
    await expect.poll(() => requestLines().length).toBe(before + 1);
    expect((await post(formType, "title=next")).status).toBe(200);
    await expect.poll(() => requestLines().length).toBe(before + 2);
    expect(requestLines()[before]).toMatchObject({ level: 30, operation, status: 499, aborted: true });
  },
);

test("a body broken off in chunks creates nothing", async () => {
  const before = requestLines().length;
  const head = `POST /api/v1/calendars/create/ HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${authorization.Authorization}\r\n`;
  const chunks = `Content-Type: ${formType}\r\nTransfer-Encoding: chunked\r\n\r\nb\r\ntitle=never\r\n`;
  await resetAfter(server, `${head}${chunks}`);
  await expect.poll(() => requestLines().length).toBe(before + 1);
  expect(requestLines()[before]).toMatchObject({ level: 30, status: 499, aborted: true });
  expect((await owner.call("listCalendars")).text).not.toContain("never");
});
