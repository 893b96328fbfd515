import { expect, test } from "vitest";
import { embedCode } from "./embed-code.js";

test("a title cannot leave the link that it is in", () => {
  const code = embedCode("https://club.example", "https://club.example/c/abc", `Rock & <Roll> "live"`, "");
  expect(code).toBe(
    '<script type="module" src="https://club.example/assets/kalends-follow.js"></script> <kalends-follow calendar="https://club.example/c/abc"><a href="https://club.example/c/abc">Rock &amp; &lt;Roll&gt; &quot;live&quot;</a></kalends-follow>',
  );
});

test("the button has the colours of the calendar's pages", () => {
  expect(embedCode("https://club.example", "https://club.example/c/abc", "Choir", "#b8412c")).toContain(
    ' <kalends-follow calendar="https://club.example/c/abc" style="--kalends-background:#b8412c;--kalends-color:#ffffff">',
  );
});
