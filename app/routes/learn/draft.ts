import { readSeenDraft } from "~/features/drafts/rules.ts";
import { deleteDraft, saveCost, saveDraft, saveRate } from "~/features/journal/drafts.server.ts";
import { journalMessages } from "~/features/journal/journal-page-messages.ts";
import {
  journalTooLong,
  signedOutWhileWriting,
  storageMessages,
} from "~/features/journal/messages.ts";
import { journalDraftSave } from "~/features/journal/schema.ts";
import { newId } from "~/platform/db/ids.ts";
import { currentUser, servicesOf } from "~/platform/http/context.ts";
import { redirectBack, redirectWithToast } from "~/platform/http/flash.ts";
import { readForm } from "~/platform/http/form.ts";
import type { RouteHandle } from "~/platform/http/known-routes.ts";
import {
  errorResponse,
  methodNotAllowed,
  refusedJson,
  wantsJson,
} from "~/platform/utils/errors.ts";
import type { Route } from "./+types/draft.ts";

export const handle = { methods: ["PUT", "POST"] } satisfies RouteHandle;

/** PUT autosaves: JSON in, 204 out, or `{gone: true, next}` when the draft was sent or deleted
 * meanwhile: its text then continues in the draft `next`. 507 when the student's storage is full,
 * 429 when requests come too fast. A form with a `draft`, as it was shown, deletes it; JSON with a
 * toast as `changed` says that it was kept, for newer text. */
export async function action({ request, context, params }: Route.ActionArgs) {
  const viewer = currentUser(context);
  if (!viewer) return errorResponse("unauthenticated", signedOutWhileWriting);
  const services = servicesOf(context);
  if (request.method === "POST") {
    const draft = readSeenDraft((await readForm(request)).get("draft"));
    const outcome = draft && (await deleteDraft(services, { userId: viewer.id, draft }));
    const back = redirectBack(request, `/courses/${params.slug}/learn`);
    if (outcome !== "changed") return back;
    const { changedMeanwhile } = journalMessages;
    if (wantsJson(request)) return Response.json({ changed: changedMeanwhile });
    return redirectWithToast(back.headers.get("location") ?? "", changedMeanwhile);
  }
  const draft = journalDraftSave.safeParse(await request.json().catch(() => null));
  if (!draft.success) {
    const long = draft.error.issues.some(({ message }) => message === "too long");
    return long
      ? errorResponse("too_large", journalTooLong)
      : errorResponse("invalid", "This is not a draft.");
  }
  if (draft.data.userId && draft.data.userId !== viewer.id)
    return errorResponse("unauthenticated", signedOutWhileWriting);
  const { answers, absorbed } = draft.data;
  const seconds = saveRate.wait(viewer.id, saveCost(answers) + absorbed.length);
  if (seconds > 0) {
    const refused = errorResponse("rate_limited", storageMessages.tooFast);
    refused.headers.set("Retry-After", String(seconds));
    return refused;
  }
  try {
    const isSaved = await saveDraft(services, { ...draft.data, userId: viewer.id });
    return isSaved
      ? new Response(null, { status: 204 })
      : Response.json({ gone: true, next: newId() });
  } catch (error) {
    return refusedJson(error);
  }
}

export function loader() {
  return methodNotAllowed(...handle.methods);
}
