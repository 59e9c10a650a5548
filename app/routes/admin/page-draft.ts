import { requireAdmin } from "~/features/auth/require-admin.server.ts";
import { readSeenDraft } from "~/features/drafts/rules.ts";
import { discardPageDraft, pageDraftSave, savePageDraft } from "~/features/pages/drafts.server.ts";
import { pageMessages } from "~/features/pages/messages.ts";
import { getEditedPage } from "~/features/pages/pages.server.ts";
import { servicesOf } from "~/platform/http/context.ts";
import { redirectBack } from "~/platform/http/flash.ts";
import { readForm } from "~/platform/http/form.ts";
import type { RouteHandle } from "~/platform/http/known-routes.ts";
import { errorResponse, methodNotAllowed, refusedJson } from "~/platform/utils/errors.ts";
import type { Route } from "./+types/page-draft.ts";

export const handle = { methods: ["PUT", "POST"] } satisfies RouteHandle;

/** PUT autosaves one place of a page: JSON in, 204 out; 409 where another draft of it is stored. A
 * form with `draft` discards one. */
export async function action({ request, context, params, url }: Route.ActionArgs) {
  const { id: userId } = requireAdmin(context, url);
  const services = servicesOf(context);
  try {
    const page = await getEditedPage(services, params.id);
    if (request.method === "POST") {
      const seen = readSeenDraft((await readForm(request)).get("draft"));
      const field = url.searchParams.get("field") ?? "";
      if (seen) await discardPageDraft(services, page, { ...seen, field });
      return redirectBack(request, `/admin/pages/${page.name}`);
    }
    const save = pageDraftSave.safeParse(await request.json().catch(() => null));
    if (!save.success) return errorResponse("invalid", pageMessages.unreadable);
    if (save.data.userId !== userId)
      return errorResponse("unauthenticated", pageMessages.signedOut);
    await savePageDraft(services, page, save.data);
    return new Response(null, { status: 204 });
  } catch (error) {
    return refusedJson(error);
  }
}

export function loader({ context, url }: Route.LoaderArgs) {
  requireAdmin(context, url);
  return methodNotAllowed(...handle.methods);
}
