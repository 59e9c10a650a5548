const policy =
  "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/**
 * A page for moments in which the site itself cannot answer: no styles, scripts or
 * database behind it. Texts are ours, never the caller's.
 */
export function plainPage(status: number, title: string, text: string): Response {
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="stylesheet" href="/plain.css">
</head>
<body>
<main>
<p aria-hidden="true">●</p>
<h1>${title}</h1>
<p>${text}</p>
<p><a href="/">Go to the first page</a></p>
</main>
</body>
</html>
`;
  return new Response(html, {
    status,
    headers: {
      "Content-Type": "text/html; charset=utf-8",
      "Cache-Control": "no-store",
      "Content-Security-Policy": policy,
    },
  });
}

/** The answer while all places for heavy work are taken. */
export function tooBusy(): Response {
  const text =
    "Several long answers are being made just now. Nothing is lost. Please try again in a minute.";
  const response = plainPage(503, "Please try again in a minute", text);
  response.headers.set("Retry-After", "30");
  return response;
}
