import { adminOf } from "~/features/accounts/admin/queries.server.ts";
import { answerCaptionsRequest } from "~/features/courses/captions/commands.server.ts";
import { getCaptions } from "~/features/courses/captions/queries.server.ts";
import { captionsRequest } from "~/features/courses/captions/schema.ts";
import { captionsWords } from "~/features/courses/captions/texts.ts";
import { servicesOf } from "~/platform/http/context.ts";
import { errorResponse, Refused, wantsJson } from "~/platform/http/errors.ts";
import { redirectWithToast } from "~/platform/http/flash.ts";
import { readForm, refusedForm } from "~/platform/http/form.ts";
import type { Route } from "./+types/captions.ts";

/** The captions of a lesson's video as a file. */
export async function loader({ context, url, params }: Route.LoaderArgs) {
  adminOf(context, url);
  const captions = await getCaptions(servicesOf(context), params.id);
  if (captions === null) return errorResponse("not_found", captionsWords.none);
  return new Response(captions, {
    headers: {
      "Content-Type": "text/vtt; charset=utf-8",
      "Content-Disposition": 'attachment; filename="captions.vtt"',
      "Cache-Control": "no-store",
    },
  });
}

/** Keeps or removes captions, or keeps a transcript: as JSON, or as a form without scripts. */
export async function action({ context, url, params, request }: Route.ActionArgs) {
  adminOf(context, url);
  const form = await readForm(request);
  const asked = captionsRequest.safeParse(Object.fromEntries(form));
  if (!asked.success) return errorResponse("invalid", captionsWords.unreadable);
  const stale =
    asked.data.intent === "transcript"
      ? captionsWords.transcriptStale
      : captionsWords.captionsStale;
  try {
    const answer = await answerCaptionsRequest(servicesOf(context), params.id, asked.data);
    if (wantsJson(request)) return Response.json(answer.json);
    if (!answer.toast) throw new Refused("conflict", stale);
    return redirectWithToast(`/admin/lessons/${params.id}`, answer.toast);
  } catch (error) {
    const isConflict = error instanceof Refused && error.code === "conflict";
    const isStale = isConflict && !wantsJson(request);
    return refusedForm(request, isStale ? new Refused("conflict", stale) : error);
  }
}
