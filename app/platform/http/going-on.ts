const signs: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};
const escaped = (text: string) => text.replaceAll(/[&<>"']/g, (sign) => signs[sign] ?? "");

/**
 * The answer to a form whose sender goes on to another site. It is a page, and no redirect: browsers
 * hold redirects after a form, also those over there, against this site's policy for forms.
 */
export function goingOn(to: { url: string; name: string }, cookies: string[]): Response {
  const [url, name] = [escaped(to.url), escaped(to.name)];
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
<meta http-equiv="refresh" content="0;url=${url}">
<title>Going on to ${name}</title>
<link rel="stylesheet" href="/plain.css">
</head>
<body>
<main>
<p aria-hidden="true">●</p>
<h1>Going on to ${name}</h1>
<p><a href="${url}">Continue there</a>, if nothing happens by itself.</p>
</main>
</body>
</html>
`;
  const headers = new Headers({ "Content-Type": "text/html; charset=utf-8" });
  headers.set("Cache-Control", "no-store");
  for (const cookie of cookies) headers.append("Set-Cookie", cookie);
  return new Response(html, { headers });
}
