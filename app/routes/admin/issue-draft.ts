import { requireAdmin } from "~/features/auth/require-admin.server.ts";
import { saveIssue } from "~/features/newsletter-issues/issues.server.ts";
import { issueMessages } from "~/features/newsletter-issues/messages.ts";
import { issueSave } from "~/features/newsletter-issues/schema.ts";
import { servicesOf } from "~/platform/http/context.ts";
import type { RouteHandle } from "~/platform/http/known-routes.ts";
import { errorResponse, methodNotAllowed, refusedJson } from "~/platform/utils/errors.ts";
import type { Route } from "./+types/issue-draft.ts";

export const handle = { methods: ["PUT"] } satisfies RouteHandle;

/** PUT autosaves an issue: JSON in, 204 out; 409 where it was changed elsewhere, or is on its way. */
export async function action({ request, context, params, url }: Route.ActionArgs) {
  const { id: userId } = requireAdmin(context, url);
  if (request.method !== "PUT") return methodNotAllowed(...handle.methods);
  const save = issueSave.safeParse(await request.json().catch(() => null));
  if (!save.success) return errorResponse("invalid", issueMessages.unreadable);
  if (save.data.userId !== userId) return errorResponse("unauthenticated", issueMessages.signedOut);
  try {
    await saveIssue(servicesOf(context), params.id, save.data);
    return new Response(null, { status: 204 });
  } catch (error) {
    return refusedJson(error);
  }
}

export function loader({ context, url }: Route.LoaderArgs) {
  requireAdmin(context, url);
  return methodNotAllowed(...handle.methods);
}
