import { expect, test } from "vitest";
import { sources } from "../../../test/sources.js";
import { html, printHtml } from "./html.js";

test("values are escaped in text and in attributes; markup and lists of it are not", () => {
  const text = `<b title='x'>"&amp;"</b>`;
  const escaped = "&lt;b title=&#39;x&#39;&gt;&quot;&amp;amp;&quot;&lt;/b&gt;";
  expect(printHtml(html`<p title="${text}">${text}</p>`)).toBe(`<p title="${escaped}">${escaped}</p>`);
  const list = [html`<li>${1}</li>`, html`<li>${"<"}</li>`];
  expect(printHtml(html`${list}${undefined}`)).toBe("<li>1</li><li>&lt;</li>");
});

test("no character of a text acts as markup, and every text can be decoded again", () => {
  const decode = (printed: string): string =>
    printed
      .replaceAll("&lt;", "<")
      .replaceAll("&gt;", ">")
      .replaceAll("&quot;", '"')
      .replaceAll("&#39;", "'")
      .replaceAll("&amp;", "&");
  const everything = Array.from({ length: 0x10000 }, (_, code) => String.fromCharCode(code)).join("");
  const printed = printHtml(html`${everything}`);
  expect(printed).not.toMatch(/[<>"']/);
  expect(decode(printed) === everything).toBe(true);
});

test("an object that only looks like markup is refused", () => {
  const forged: unknown = JSON.parse('{"html":"<b>","text":"<b>"}');
  // @ts-expect-error the type forbids it too
  expect(() => printHtml(html`${forged}`)).toThrow(TypeError);
});

test("attribute values in the templates stand in double quotes", () => {
  const views = sources("src").filter(({ path }) => path.startsWith("apps/server/src/public/"));
  expect(views.length).toBeGreaterThan(15);
  for (const { path, text } of views)
    expect([path, /\s(?!max-age=)[\w-]+=\${/.exec(text)?.[0]]).toEqual([path, undefined]);
});
