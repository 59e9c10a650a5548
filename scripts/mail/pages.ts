import type { SampleEmail } from "./emails.ts";

/** How an email can be looked at: as it is by day, where its own night is used, and turned round by force. */
export const faces = {
  light: "By day",
  dark: "At night, in programs that follow the email (Apple Mail, Thunderbird)",
  inverted: "At night, in programs that turn all colours round (Gmail on iPhones, Outlook)",
} as const;
export type Face = keyof typeof faces;

const night = /@media \(prefers-color-scheme: dark\)/g;

/** An email's own document, whatever the browser that shows it prefers. */
export function face({ message: { html } }: SampleEmail, which: Face): string {
  const settled = html.replaceAll(night, which === "dark" ? "@media all" : "@media not all");
  const turned = "<style>html{filter:invert(1) hue-rotate(180deg)}</style></head>";
  return which === "inverted" ? settled.replace("</head>", turned) : settled;
}

const widths = { phone: 360, desk: 720 };

/** All emails, one line each. */
export function listPage(emails: readonly SampleEmail[]): string {
  const rows = emails.map(
    ({ label, when, message }, at) =>
      `<li><a href="/${at}">${escaped(message.subject)}</a><p>${escaped(label)}. ${escaped(when)}</p></li>`,
  );
  const lead = `${emails.length} emails, written by the site itself for an invented reader. Change one, and reload the page.`;
  return page("Emails", `<h1>Emails</h1><p>${lead}</p><ol>${rows.join("")}</ol>`);
}

/** One email: its faces on a phone and on a desk, its plain text, its head. */
export function emailPage(emails: readonly SampleEmail[], at: number): string | null {
  const email = emails[at];
  if (!email) return null;
  const { label, when, message, head } = email;
  const frames = (width: number) =>
    Object.entries(faces).map(
      ([which, words]) =>
        `<figure style="width:${width}px"><figcaption>${words}</figcaption>
<iframe src="/${at}/${which}" title="${words}, ${width} pixels" width="${width}" height="900"></iframe></figure>`,
    );
  const step = (to: number, words: string) =>
    emails[to] ? `<a href="/${to}">${words}: ${escaped(emails[to].message.subject)}</a>` : "";
  return page(
    message.subject,
    `<nav><a href="/">All emails</a> ${step(at - 1, "Before")} ${step(at + 1, "Next")}</nav>
<h1>${escaped(message.subject)}</h1><p>${escaped(label)}. ${escaped(when)}</p>
<h2>On a phone</h2><div class="frames">${frames(widths.phone).join("")}</div>
<h2>On a desk</h2><div class="frames">${frames(widths.desk).join("")}</div>
<h2>As plain text</h2><pre>${escaped(message.text)}</pre>
<h2>Head</h2><pre>${escaped(head)}</pre>
<script>
for (const frame of document.querySelectorAll("iframe")) {
  const fit = () => { frame.height = frame.contentDocument.documentElement.scrollHeight; };
  frame.addEventListener("load", fit);
  if (frame.contentDocument?.readyState === "complete") fit();
}
</script>`,
  );
}

function page(title: string, body: string): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${escaped(title)}</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark">
<style>
:root { color-scheme: light dark; --ink: light-dark(#1f2a35, #ece7dd); --soft: light-dark(#52606d, #a9b4bf);
  --paper: light-dark(#fbf8f3, #12181f); --line: light-dark(#e7dfd3, #2a3540); --dot: light-dark(#2463a8, #7fb2ea); }
body { margin: 0; padding: 2.5rem clamp(1rem, 4vw, 4rem) 6rem; background: var(--paper); color: var(--ink);
  font: 1.0625rem/1.6 Figtree, system-ui, sans-serif; }
h1, h2 { font-family: Georgia, serif; font-weight: 400; line-height: 1.2; }
h1 { font-size: 2.25rem; margin: 1.5rem 0 0.5rem; } h2 { font-size: 1.4rem; margin: 3rem 0 1rem; }
a { color: var(--dot); } p, figcaption { color: var(--soft); margin: 0; }
ol { padding: 0; list-style: none; max-width: 44rem; } li { padding: 1rem 0; border-top: 1px solid var(--line); }
nav { display: flex; flex-wrap: wrap; gap: 0.5rem 2rem; }
.frames { display: flex; flex-wrap: wrap; gap: 2rem; align-items: flex-end; } figure { margin: 0; max-width: 100%; }
figcaption { font-size: 0.9rem; padding-bottom: 0.5rem; } iframe { border: 1px solid var(--line); max-width: 100%; }
pre { overflow-x: auto; padding: 1.5rem; border: 1px solid var(--line); max-width: 46rem; font-size: 0.9rem; white-space: pre-wrap; overflow-wrap: anywhere; }
</style></head><body><main>${body}</main></body></html>`;
}

const escaped = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
