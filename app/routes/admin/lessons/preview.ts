import { adminOf } from "~/features/accounts/admin/queries.server.ts";
import { previewLesson } from "~/features/courses/editor/queries.server.ts";
import { errorResponse, methodNotAllowed, Refused } from "~/platform/http/errors.ts";
import type { Route } from "./+types/preview.ts";

export const handle = { methods: ["POST"] };

/** `{content, prompts}` as they are typed -> `{html, prompts, problem}` as a student would see them. */
export async function action({ request, context, url }: Route.ActionArgs) {
  adminOf(context, url);
  try {
    return Response.json(await previewLesson(await request.json().catch(() => null)));
  } catch (error) {
    if (error instanceof Refused) return errorResponse(error.code, error.message);
    throw error;
  }
}

export function loader({ context, url }: Route.LoaderArgs) {
  adminOf(context, url);
  return methodNotAllowed(...handle.methods);
}
