import { requireAdmin } from "~/features/auth/require-admin.server.ts";
import { answerCaptionsRequest, getCaptions } from "~/features/lesson-media/captions.server.ts";
import { captionsMessages } from "~/features/lesson-media/messages.ts";
import { captionsRequest } from "~/features/lesson-media/schema.ts";
import { servicesOf } from "~/platform/http/context.ts";
import { redirectWithToast } from "~/platform/http/flash.ts";
import { readForm, refusedForm } from "~/platform/http/form.ts";
import { errorResponse, Refused, wantsJson } from "~/platform/utils/errors.ts";
import type { Route } from "./+types/lesson-captions.ts";

export async function loader({ context, url, params }: Route.LoaderArgs) {
  requireAdmin(context, url);
  const captions = await getCaptions(servicesOf(context), params.id);
  if (captions === null) return errorResponse("not_found", captionsMessages.none);
  return new Response(captions, {
    headers: {
      "Content-Type": "text/vtt; charset=utf-8",
      "Content-Disposition": 'attachment; filename="captions.vtt"',
      "Cache-Control": "no-store",
    },
  });
}

/** Saves or removes captions, or saves a transcript: as JSON, or as a form without scripts. */
export async function action({ context, url, params, request }: Route.ActionArgs) {
  requireAdmin(context, url);
  const form = await readForm(request);
  const asked = captionsRequest.safeParse(Object.fromEntries(form));
  if (!asked.success) return errorResponse("invalid", captionsMessages.unreadable);
  const isScript = wantsJson(request);
  try {
    const answer = await answerCaptionsRequest(servicesOf(context), params.id, asked.data);
    if (isScript) return Response.json(answer.json);
    if (answer.toast) return redirectWithToast(`/admin/lessons/${params.id}`, answer.toast);
    return refusedForm(request, new Refused("conflict", captionsMessages.transcriptStale));
  } catch (error) {
    // A page without scripts does not show what is stored now.
    const isStale = !isScript && error instanceof Refused && error.code === "conflict";
    const stale = new Refused("conflict", captionsMessages.captionsStale);
    return refusedForm(request, isStale ? stale : error);
  }
}
