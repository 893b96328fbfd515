import fc from "fast-check";

/** What has broken pages of others: markup, attributes, entities, templates, encodings, directions. No web address in it. */
const seeds: readonly string[] = [
  "<script>alert(1)</script>",
  "</script><script>alert(1)</script>",
  "<img src=x onerror=alert(1)>",
  "<svg/onload=alert(1)>",
  "<svg><script>alert(1)</script></svg>",
  "<body onload=alert(1)>",
  "<iframe src=javascript:alert(1)>",
  "<iframe srcdoc='<script>alert(1)</script>'>",
  "<object data=javascript:alert(1)>",
  "<embed src=javascript:alert(1)>",
  "<a href=javascript:alert(1)>x</a>",
  "<form action=javascript:alert(1)><button>x",
  "<input onfocus=alert(1) autofocus>",
  "<details open ontoggle=alert(1)>",
  "<video><source onerror=alert(1)>",
  "<audio src=x onerror=alert(1)>",
  "<math><mi//xlink:href=data:x,alert(1)>",
  "<marquee onstart=alert(1)>",
  "<style>@import 'x';*{display:none}</style>",
  "<link rel=stylesheet href=//evil.example/x.css>",
  "<base href=//evil.example/>",
  "<meta http-equiv=refresh content='0;url=//evil.example'>",
  "<template><script>alert(1)</script></template>",
  "<noscript><p title='</noscript><img src=x onerror=alert(1)>'>",
  "<textarea></textarea><script>alert(1)</script>",
  "<title></title><img src=x onerror=alert(1)>",
  "<xmp><img src=x onerror=alert(1)>",
  "<plaintext>",
  "<!--><img src=x onerror=alert(1)>-->",
  '<!--<img src=--><img src=x onerror=alert(1)>//">',
  "<![CDATA[<script>alert(1)</script>]]>",
  "<?xml version='1.0'?><x>",
  "<%= 7*7 %><script>alert(1)</script>",
  "{{constructor.constructor('alert(1)')()}}",
  "${alert(1)}#{7*7}",
  '" onmouseover="alert(1)',
  "' onmouseover='alert(1)",
  "` onmouseover=`alert(1)",
  '" autofocus onfocus=alert(1) x="',
  '"/><script>alert(1)</script>',
  "'><svg onload=alert(1)>",
  '"></title><script>alert(1)</script>',
  '"></summary></details><script>alert(1)</script>',
  "</p></main></body></html><script>alert(1)</script>",
  "</code></pre><img src=x onerror=alert(1)>",
  "</time></span></li></ol><p>",
  "&lt;script&gt;alert(1)&lt;/script&gt;",
  "&#60;script&#62;alert(1)&#60;/script&#62;",
  "&#x3c;img src=x onerror=alert(1)&#x3e;",
  "&amp;lt;b&amp;gt;&nbsp;&quot;",
  "javascript:alert(1)",
  "java\tscript:alert(1)",
  "data:text/html,<script>alert(1)</script>",
  "%3Cscript%3Ealert(1)%3C/script%3E",
  "\\u003cscript\\u003ealert(1)\\u003c/script\\u003e",
  "\uff1cscript\uff1ealert(1)\uff1c/script\uff1e",
  "+ADw-script+AD4-alert(1)+ADw-/script+AD4-",
  "\u202e<b>gro.live</b>\u2066\u2069",
  "\u2028<b>\u2029</b>\ufeff<i>",
  "<slot><kalends-follow calendar=javascript:alert(1)></kalends-follow>",
];

const variations: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => text.toUpperCase(),
  (text) => `">${text}`,
  (text) => `'\\"-->${text}<!--`,
  (text) => `&quot;${text.replaceAll(" ", "/").replaceAll("1", "`1`")}`,
];

export const hostileTexts: readonly string[] = seeds.flatMap((seed) => variations.map((vary) => vary(seed)));

/**
 * Any character of Unicode. The texts are those of fast-check's unit "binary", which builds a map of all characters for the way back;
 * here each is computed.
 */
export const character: fc.Arbitrary<string> = fc.nat(0x10_ffff - 0x800).map(
  (index) => String.fromCodePoint(index < 0xd800 ? index : index + 0x800),
  (text) => {
    const [only, ...others] = typeof text === "string" && text.isWellFormed() ? text : "";
    const code = only?.codePointAt(0);
    if (code === undefined || others.length > 0) throw new Error("not one character");
    return code < 0xd800 ? code : code - 0x800;
  },
);
