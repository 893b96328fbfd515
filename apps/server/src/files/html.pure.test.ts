import { describe, expect, test } from "vitest";
import { htmlText, isHtml } from "./texts.js";

describe("a description in HTML", () => {
  test.each([
    ["<b>Bring</b> cake<br>and tea", "Bring cake\nand tea"],
    ["<p>One</p><p>Two &amp; three</p>", "One\nTwo & three"],
    ["<ul><li>a</li><li>b</li></ul>after", "- a\n- b\nafter"],
    ['See <a href="https://example.com/x">the page</a>.', "See the page (https://example.com/x)."],
    ['<a href="https://example.com/">https://example.com/</a>', "https://example.com/"],
    ['<a href="mailto:ada@example.com">ada@example.com</a>', "ada@example.com"],
    [
      "<html><head><title>x</title><style>p { color: red }</style></head><body>Text&nbsp;here</body></html>",
      "Text here",
    ],
    ["a &lt;b&gt; &#8211; &#x1F600; &unknown; <br/>end", "a <b> – 😀 &unknown;\nend"],
    ["<b>one</b>\ntwo", "one\ntwo"],
    ["<div>1 < 2</div>", "1 < 2"],
    ["<!DOCTYPE HTML><!-- note --><p>one\r\nline</p>", "one line"],
  ])("%s", (html, text) => {
    expect(isHtml(html)).toBe(true);
    expect(htmlText(html)).toBe(text);
  });

  test.each(["1 < 2 > 0", "<you@example.com>", "a <b c", "<tag> of ours", "if (a<b) {}"])(
    "%s is none",
    (text) => {
      expect(isHtml(text)).toBe(false);
    },
  );

  test("takes a time that grows with its length alone", () => {
    const worst = [
      '<a href="',
      "<a ",
      "<",
      "&#",
      "<script>",
      "<style><",
      "<p",
      "\n",
      " <br> ",
      '<a href="x">',
    ];
    for (const piece of worst) {
      const text = `<p>${piece.repeat(Math.ceil(140_000 / piece.length))}`;
      expect(isHtml(text)).toBe(true);
      expect(htmlText(text).length).toBeLessThan(2 * text.length);
    }
  });
});
