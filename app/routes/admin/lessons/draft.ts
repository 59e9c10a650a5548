import { adminOf } from "~/features/accounts/admin/queries.server.ts";
import { formMessages } from "~/features/courses/lessons/texts.ts";
import { discardWriting, saveWriting } from "~/features/courses/writing/commands.server.ts";
import { seenWriting, writingSave } from "~/features/courses/writing/schema.ts";
import { isId } from "~/platform/db/ids.ts";
import { servicesOf } from "~/platform/http/context.ts";
import { errorResponse, methodNotAllowed, Refused } from "~/platform/http/errors.ts";
import { readForm } from "~/platform/http/form.ts";
import { redirectBack } from "~/platform/http/redirect.ts";
import type { Route } from "./+types/draft.ts";

export const handle = { methods: ["PUT", "POST"] };

/**
 * PUT keeps what is being typed: JSON in, 204 out. A form with `draft` (id:saves) gives a draft
 * up. The lesson need not exist yet.
 */
export async function action({ request, context, params, url }: Route.ActionArgs) {
  const { id: userId } = adminOf(context, url);
  const services = servicesOf(context);
  const lessonId = params.id;
  if (!isId(lessonId)) return errorResponse("not_found", "There is no such lesson.");
  if (request.method === "POST") {
    const seen = seenWriting((await readForm(request)).get("draft"));
    const drafts = seen ? [seen] : [];
    await discardWriting(services.db.write, { userId, lessonId, drafts }, services.clock.now());
    return redirectBack(request, "/admin/lessons");
  }
  const save = writingSave.safeParse(await request.json().catch(() => null));
  if (!save.success) return errorResponse("invalid", "This is not a draft.");
  const { draftId: id, ...writing } = save.data;
  if (writing.userId !== userId) return errorResponse("unauthenticated", formMessages.signedOut);
  try {
    await saveWriting(services, { ...writing, id, userId, lessonId });
    return new Response(null, { status: 204 });
  } catch (error) {
    if (error instanceof Refused) return errorResponse(error.code, error.message);
    throw error;
  }
}

export function loader({ context, url }: Route.LoaderArgs) {
  adminOf(context, url);
  return methodNotAllowed(...handle.methods);
}
