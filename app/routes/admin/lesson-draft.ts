import { requireAdmin } from "~/features/auth/require-admin.server.ts";
import { discardDrafts } from "~/features/drafts/drafts.server.ts";
import { readSeenDraft } from "~/features/drafts/rules.ts";
import { saveLessonDraft } from "~/features/lesson-editor/drafts.server.ts";
import { formMessages } from "~/features/lesson-editor/messages.ts";
import { lessonDraftSave } from "~/features/lesson-editor/schema.ts";
import { isId } from "~/platform/db/ids.ts";
import { servicesOf } from "~/platform/http/context.ts";
import { redirectBack } from "~/platform/http/flash.ts";
import { readForm } from "~/platform/http/form.ts";
import type { RouteHandle } from "~/platform/http/known-routes.ts";
import { errorResponse, methodNotAllowed, refusedJson } from "~/platform/utils/errors.ts";
import type { Route } from "./+types/lesson-draft.ts";

export const handle = { methods: ["PUT", "POST"] } satisfies RouteHandle;

/** PUT autosaves: JSON in, 204 out. A form with `draft` discards one. The lesson need not exist. */
export async function action({ request, context, params, url }: Route.ActionArgs) {
  const { id: userId } = requireAdmin(context, url);
  const services = servicesOf(context);
  const lessonId = params.id;
  if (!isId(lessonId)) return errorResponse("not_found", "There is no such lesson.");
  if (request.method === "POST") {
    const { db, clock } = services;
    const seen = readSeenDraft((await readForm(request)).get("draft"));
    const draft = { kind: "lesson", userId, lessonId } as const;
    if (seen) await discardDrafts(db.write, draft, [seen], clock.now());
    return redirectBack(request, "/admin/lessons");
  }
  const save = lessonDraftSave.safeParse(await request.json().catch(() => null));
  if (!save.success) return errorResponse("invalid", "This is not a draft.");
  if (save.data.userId !== userId) return errorResponse("unauthenticated", formMessages.signedOut);
  try {
    await saveLessonDraft(services, { ...save.data, lessonId });
    return new Response(null, { status: 204 });
  } catch (error) {
    return refusedJson(error);
  }
}

export function loader({ context, url }: Route.LoaderArgs) {
  requireAdmin(context, url);
  return methodNotAllowed(...handle.methods);
}
