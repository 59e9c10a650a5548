import { requireAdmin } from "~/features/auth/require-admin.server.ts";
import { checkSlug } from "~/features/courses/slugs.server.ts";
import { servicesOf } from "~/platform/http/context.ts";
import type { Route } from "./+types/slug.ts";

/** `?kind=course|lesson`, `title` or `slug`, and `id` and `moduleId` where there are any.
 * Returns what is wrong with the slug, if anything, and one that is free. */
export async function loader({ context, url }: Route.LoaderArgs) {
  requireAdmin(context, url);
  const asked = (name: string) => url.searchParams.get(name)?.replaceAll("\0", "") ?? null;
  const answer = await checkSlug(servicesOf(context), {
    kind: asked("kind") === "lesson" ? "lesson" : "course",
    title: asked("title"),
    slug: asked("slug"),
    moduleId: asked("moduleId"),
    id: asked("id"),
  });
  return Response.json(answer);
}
