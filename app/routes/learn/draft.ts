import { deleteDraft, saveDraft } from "~/features/learning/drafts/commands.server.ts";
import { seenDraft } from "~/features/learning/journal/rules.ts";
import { journalTexts } from "~/features/learning/journal/texts.ts";
import { savings, workOf } from "~/features/learning/room/commands.server.ts";
import { roomTexts } from "~/features/learning/room/texts.ts";
import { draftSave } from "~/features/learning/schema.ts";
import { messages, outcomes } from "~/features/learning/texts.ts";
import { newId } from "~/platform/db/ids.ts";
import { servicesOf, viewerOf } from "~/platform/http/context.ts";
import { errorResponse, methodNotAllowed, Refused } from "~/platform/http/errors.ts";
import { redirectWithToast } from "~/platform/http/flash.ts";
import { readForm } from "~/platform/http/form.ts";
import { redirectBack } from "~/platform/http/redirect.ts";
import type { Route } from "./+types/draft.ts";

export const handle = { methods: ["PUT", "POST"] };

/**
 * PUT keeps what is being typed: JSON in, 204 out, or `{gone: true, next}` when the draft was
 * sent or deleted meanwhile: its words go on under the name `next`. 507 while the student has no
 * room for more, 429 for what comes too fast. A form with
 * `draftId` and the `revision` that was shown deletes a draft.
 */
export async function action({ request, context, params }: Route.ActionArgs) {
  const viewer = viewerOf(context);
  if (!viewer) return errorResponse("unauthenticated", messages.signedOut);
  const services = servicesOf(context);
  if (request.method === "POST") {
    const form = await readForm(request);
    const draft = seenDraft(String(form.get("draftId")), String(form.get("revision")));
    const outcome = await deleteDraft(services, { userId: viewer.id, draft });
    const back = redirectBack(request, `/courses/${params.slug}/learn`);
    if (outcome !== "changed") return back;
    return redirectWithToast(back.headers.get("location") ?? "", journalTexts.changedMeanwhile);
  }
  const draft = draftSave.safeParse(await request.json().catch(() => null));
  if (!draft.success) {
    const long = draft.error.issues.some(({ message }) => message === "too long");
    return long
      ? errorResponse("too_large", outcomes.tooLong)
      : errorResponse("invalid", "This is not a draft.");
  }
  if (draft.data.userId && draft.data.userId !== viewer.id)
    return errorResponse("unauthenticated", messages.signedOut);
  const { answers, absorbed } = draft.data;
  const seconds = savings.wait(viewer.id, workOf(answers) + absorbed.length);
  if (seconds > 0) {
    const refused = errorResponse("rate_limited", roomTexts.tooFast);
    refused.headers.set("Retry-After", String(seconds));
    return refused;
  }
  try {
    const kept = await saveDraft(services, { ...draft.data, userId: viewer.id });
    return kept
      ? new Response(null, { status: 204 })
      : Response.json({ gone: true, next: newId() });
  } catch (error) {
    if (error instanceof Refused) return errorResponse(error.code, error.message);
    throw error;
  }
}

export function loader() {
  return methodNotAllowed(...handle.methods);
}
