/** Back to the page of ours that sent a form, or to `otherwise` when the request does not say. */
export function redirectBack(request: Request, otherwise: string): Response {
  const referer = request.headers.get("referer");
  const url = referer && URL.canParse(referer) ? new URL(referer) : null;
  const ours = url && url.host === new URL(request.url).host;
  const location = ours ? url.pathname + url.search : otherwise;
  return new Response(null, { status: 303, headers: { Location: location } });
}
