import { requireAdmin } from "~/features/auth/require-admin.server.ts";
import { previewLesson } from "~/features/lesson-editor/editor.server.ts";
import { servicesOf } from "~/platform/http/context.ts";
import type { RouteHandle } from "~/platform/http/known-routes.ts";
import { methodNotAllowed, refusedJson } from "~/platform/utils/errors.ts";
import type { Route } from "./+types/lesson-preview.ts";

export const handle = { methods: ["POST"] } satisfies RouteHandle;

/** `{content, prompts}` as typed -> `{html, prompts, problem}` as a student would see it. */
export async function action({ request, context, url }: Route.ActionArgs) {
  requireAdmin(context, url);
  const preview = previewLesson(servicesOf(context), await request.json().catch(() => null));
  return preview.then((shown) => Response.json(shown), refusedJson);
}

export function loader({ context, url }: Route.LoaderArgs) {
  requireAdmin(context, url);
  return methodNotAllowed(...handle.methods);
}
