/** Methods, types and headers, as they are and as no one sends them. */
export const methods = [
  ...["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"],
  ...["TRACE", "PROPFIND", "SEARCH", "PURGE", "LINK", "M-SEARCH", "QUERY"],
];

export const contentTypes = [
  ...[
    "application/x-www-form-urlencoded",
    "application/json",
    "text/plain",
    "text/x-script",
    "*/*",
  ],
  ...["multipart/form-data", "multipart/form-data; boundary=", "multipart/form-data; boundary=x"],
  ...['multipart/form-data; boundary="x', "application/json; charset=utf-7", "application/xml"],
  ...[
    "application/x-www-form-urlencoded; charset=utf-16",
    "application/offset+octet-stream",
    "",
    ";",
    "/",
  ],
  ...[
    "application/json, text/plain",
    "APPLICATION/JSON",
    "text/turbo-stream",
    "image/png",
    "a".repeat(500),
  ],
];

export const headerNames = [
  ...[
    "accept",
    "accept-encoding",
    "accept-language",
    "if-none-match",
    "if-modified-since",
    "range",
  ],
  ...[
    "if-range",
    "referer",
    "origin",
    "user-agent",
    "x-forwarded-for",
    "x-forwarded-host",
    "forwarded",
  ],
  ...["x-forwarded-proto", "x-http-method-override", "x-method-override", "x-original-url"],
  ...["x-rewrite-url", "content-language", "content-encoding", "sec-fetch-site", "sec-purpose"],
  ...["save-data", "authorization", "cache-control", "x-blue-dot-client-address", "tus-resumable"],
  ...[
    "upload-length",
    "upload-metadata",
    "upload-offset",
    "stripe-signature",
    "x-react-router-prerender-data",
  ],
  ...["x-remix-reload-document", "purpose", "te", "from", "via", "x-real-ip", "cdn-loop", "prefer"],
];

export const headerValues = [
  ...[
    "",
    "*",
    "null",
    "0",
    "-1",
    "identity;q=0",
    "br;q=x, gzip;;q",
    "bytes=-1",
    "bytes=0-0,1-1",
    "bytes=9-1",
  ],
  ...[
    "bytes=99999999999999999999-",
    'W/"x"',
    '"',
    "Thu, 99 Foo 9999 99:99:99 GMT",
    "en-US,en;q=0.5",
    "xx-",
  ],
  ...[
    "127.0.0.1",
    "::1, x, y",
    "unknown",
    "evil.example",
    "for=x;host=evil.example",
    "DELETE",
    "PUT",
  ],
  ...[
    "/admin",
    "https://evil.example/x",
    "application/json",
    "text/html",
    "prefetch;prerender",
    "on",
    "on, off",
  ],
  ...[
    "Bearer x",
    "Basic !!!",
    "Bearer eyJhbGciOiJub25lIn0.e30.",
    "1.0.0",
    "filename eA==,kind x",
    "t=1,v1=x",
  ],
  ...[
    "a".repeat(2000),
    "\xe9\xff",
    "%00",
    "{}",
    "gzip, gzip, gzip",
    "chunked",
    "trailers",
    "1,2,3",
    "same-origin",
  ],
];
