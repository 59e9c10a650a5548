import { requireAdmin } from "~/features/auth/require-admin.server.ts";
import { previewLesson } from "~/features/lesson-editor/editor.server.ts";
import type { RouteHandle } from "~/platform/http/known-routes.ts";
import { errorResponse, methodNotAllowed, Refused } from "~/platform/utils/errors.ts";
import type { Route } from "./+types/lesson-preview.ts";

export const handle = { methods: ["POST"] } satisfies RouteHandle;

/** `{content, prompts}` as typed -> `{html, prompts, problem}` as a student would see it. */
export async function action({ request, context, url }: Route.ActionArgs) {
  requireAdmin(context, url);
  try {
    return Response.json(await previewLesson(await request.json().catch(() => null)));
  } catch (error) {
    if (error instanceof Refused) return errorResponse(error.code, error.message);
    throw error;
  }
}

export function loader({ context, url }: Route.LoaderArgs) {
  requireAdmin(context, url);
  return methodNotAllowed(...handle.methods);
}
