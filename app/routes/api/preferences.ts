import type { Context } from "hono";
import { preferenceCookie, preferencesForm } from "~/platform/http/preferences.ts";
import { errorResponse } from "~/platform/utils/errors.ts";

/** `POST /api/preferences`: sets the cookies of a theme and a time zone for this browser. 204; 400
 * for anything else than `theme=system|light|dark` and `tz=<IANA name>`. */
export async function setPreferences({ req }: Context): Promise<Response> {
  const form = await req.formData().catch(() => new FormData());
  const parsed = preferencesForm.safeParse(Object.fromEntries(form));
  if (!parsed.success)
    return errorResponse("invalid", "Send theme=system, light or dark, or tz=<IANA time zone>.");
  const headers = new Headers();
  for (const [name, value] of Object.entries(parsed.data))
    headers.append("Set-Cookie", preferenceCookie(name, value));
  return new Response(null, { status: 204, headers });
}
