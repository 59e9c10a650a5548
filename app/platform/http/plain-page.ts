import { escapeHtml } from "../utils/html.ts";

const policy = (formAction: string) =>
  `default-src 'none'; style-src 'self'; base-uri 'none'; form-action ${formAction}; frame-ancestors 'none'`;

function pageWith(head: string, title: string, rest: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
${head}<title>${title}</title>
<link rel="stylesheet" href="/plain.css">
</head>
<body>
<main>
<p aria-hidden="true">●</p>
<h1>${title}</h1>
${rest}
</main>
</body>
</html>
`;
}

const headers = { "Content-Type": "text/html; charset=utf-8", "Cache-Control": "no-store" };

/** A page that needs no scripts and no database. A message may quote what a user typed; `form` is
 * HTML, and comes after it. */
export function plainPage(status: number, title: string, text: string, form = ""): Response {
  const rest = `<p>${escapeHtml(text)}</p>\n${form}<p><a href="/">Go to the first page</a></p>`;
  return new Response(pageWith("", escapeHtml(title), rest), {
    status,
    headers: { ...headers, "Content-Security-Policy": policy(form ? "'self'" : "'none'") },
  });
}

export function tooBusy(): Response {
  const text =
    "Several long answers are being made just now. Nothing is lost. Please try again in a minute.";
  const response = plainPage(503, "Please try again in a minute", text);
  response.headers.set("Retry-After", "30");
  return response;
}

/** Leads a form on to another site. Not a redirect: browsers check redirects after a form, also
 * those of the other site, against this site's form-action policy. */
export function continuePage(to: { url: string; name: string }, cookies: string[]): Response {
  const url = escapeHtml(to.url);
  const html = pageWith(
    `<meta http-equiv="refresh" content="0;url=${url}">\n`,
    `Going on to ${escapeHtml(to.name)}`,
    `<p><a href="${url}">Continue there</a>, if nothing happens by itself.</p>`,
  );
  const response = new Response(html, { headers });
  for (const cookie of cookies) response.headers.append("Set-Cookie", cookie);
  return response;
}
