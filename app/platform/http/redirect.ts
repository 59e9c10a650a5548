/** Back to the page of ours that sent a form, or to `otherwise` when the request does not say. */
export function redirectBack(request: Request, otherwise: string): Response {
  const referer = request.headers.get("referer");
  const url = referer && URL.canParse(referer) ? new URL(referer) : null;
  // '//host' is the path of a page of ours that is not there, and a way to another site.
  const ours = url?.host === new URL(request.url).host && !url.pathname.startsWith("//");
  const location = url && ours ? url.pathname + url.search : otherwise;
  return new Response(null, { status: 303, headers: { Location: location } });
}
