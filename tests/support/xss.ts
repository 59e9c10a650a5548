/*
 * Texts that try to run something in the reader's browser, by whatever sloppiness of a Markdown
 * renderer, a sanitiser or a template. Each of them calls `xss()`. Pictures are data, so that
 * nothing is asked of any server.
 */
const pixel = "data:image/gif;base64,R0lGODlhAQABAAAAACw=";

export const attacks: string[] = [
  // Elements
  "<script>xss()</script>",
  "<ScRiPt>xss()</sCrIpT>",
  "<script\n>xss()</script\n>",
  "<script/x>xss()</script>",
  "<<script>xss();//<</script>",
  "<scr<script>ipt>xss()</scr</script>ipt>",
  "<script>xss()",
  "</script><script>xss()</script>",
  "</textarea><script>xss()</script>",
  "</title><script>xss()</script>",
  "</style><script>xss()</script>",
  "--><script>xss()</script>",
  "]]><script>xss()</script>",
  '"><script>xss()</script>',
  "'><script>xss()</script>",
  '<noscript><p title="</noscript><script>xss()</script>">',
  "<template><script>xss()</script></template>",
  "<svg><script>xss()</script></svg>",
  "<svg><style><img src=x onerror=xss()></style></svg>",
  "<svg/onload=xss()>",
  "<svg><animate onbegin=xss() attributeName=x dur=1s>",
  '<svg><a xlink:href="javascript:xss()"><text y=20>press</text></a></svg>',
  '<math><mi//xlink:href="data:x,<script>xss()</script>">',
  "<math><mtext><table><mglyph><style><img src=x onerror=xss()></style></mglyph></table></mtext></math>",
  '<iframe srcdoc="<script>parent.xss()</script>"></iframe>',
  '<iframe src="javascript:parent.xss()"></iframe>',
  '<object data="javascript:xss()"></object>',
  '<embed src="javascript:xss()">',
  '<base href="javascript:xss();//">',
  '<meta http-equiv="refresh" content="0;url=javascript:xss()">',
  '<link rel="stylesheet" href="data:text/css,*{color:red}">',
  '<form action="javascript:xss()"><button autofocus>press</button></form>',
  '<button formaction="javascript:xss()">press</button>',
  "<details open ontoggle=xss()>",
  "<dialog open onclose=xss()><form method=dialog><button>press</button></form></dialog>",
  '<portal src="javascript:xss()"></portal>',
  // Attributes
  `<img src="${pixel}" onload=xss()>`,
  `<img src="${pixel}" onload="xss()" alt="a">`,
  `<img/src="${pixel}"/onload=xss()>`,
  '<img src="data:," onerror="xss()">',
  "<img src='data:,' onerror=&#120;ss()>",
  '<video><source onerror=xss() src="data:,"></video>',
  '<audio src="data:," onerror=xss()></audio>',
  "<input autofocus onfocus=xss()>",
  "<select autofocus onfocus=xss()></select>",
  "<body onload=xss()>",
  "<div style=\"background:url('javascript:xss()')\">words</div>",
  "<p onmouseover=xss()>words</p>",
  "<marquee onstart=xss()>words</marquee>",
  "<x contenteditable onfocus=xss() tabindex=1 autofocus>words</x>",
  '<style>@keyframes x{}</style><p style="animation-name:x" onanimationstart=xss()>',
  // Links
  "[press](javascript:xss())",
  "[press](JaVaScRiPt:xss())",
  "[press](javascript&colon;xss())",
  "[press](&#106;avascript:xss())",
  "[press](java\tscript:xss())",
  "[press](<java\nscript:xss()>)",
  "[press](\u0001javascript:xss())",
  "[press](vbscript:xss())",
  "[press](data:text/html,<script>opener.xss()</script>)",
  "[press](data:text/html;base64,PHNjcmlwdD54c3MoKTwvc2NyaXB0Pg==)",
  "[press](javascript://example.com/%0Axss())",
  "[press][r]\n\n[r]: javascript:xss()",
  "[press](https://example.com 'x\" onmouseover=\"xss()')",
  '[press](https://example.com" onclick="xss())',
  "<javascript:xss()>",
  '<https://example.com/" onclick="xss()>',
  "javascript:xss()",
  // Pictures
  `![a](${pixel} "x\\" onload=\\"xss()")`,
  `![x" onload="xss()](${pixel})`,
  "![a](javascript:xss())",
  // What templates and other renderers know
  "{{constructor.constructor('xss()')()}}",
  // biome-ignore lint/suspicious/noTemplateCurlyInString: that is the attack
  "${xss()}",
  "<%= xss() %>",
  "\u2028</script><script>xss()</script>",
  // Markdown that makes HTML of its own
  "```html\n<script>xss()</script>\n```",
  '```"><script>xss()</script>\nwords\n```',
  "`<img src=x onerror=xss()>`",
  "| <script>xss()</script> | b |\n|-|-|\n| <img src=x onerror=xss()> | c |",
  "[^1]\n\n[^1]: <img src=x onerror=xss()>",
  "[^<script>xss()</script>]\n\n[^<script>xss()</script>]: words",
  "- [ ] <script>xss()</script>",
  "# <script>xss()</script>",
  "~~<svg/onload=xss()>~~",
  "&lt;script&gt;xss()&lt;/script&gt;",
  "\\<script>xss()\\</script>",
  "<!-- --!><script>xss()</script>",
];

/** The same on one line, for what has no more: titles and names of files. */
export const lineAttacks = attacks.map((attack) => attack.replaceAll(/[\s\p{Cc}]+/gu, " ").trim());

/** The same attack calling `xss(mark)`, so that anyone who notices it can tell which one it was. */
export function marked(attack: string, mark: number): string {
  return attack
    .replaceAll("ss()", `ss(${mark})`)
    .replace(
      /(?<=base64,)PHN[\w+/=]+/,
      Buffer.from(`<script>xss(${mark})</script>`).toString("base64"),
    );
}
