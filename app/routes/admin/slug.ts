import { adminOf } from "~/features/accounts/admin/queries.server.ts";
import { askSlug } from "~/features/courses/slugs/queries.server.ts";
import { servicesOf } from "~/platform/http/context.ts";
import type { Route } from "./+types/slug.ts";

/**
 * `?kind=course|lesson`, `title` or `slug`, and `id` and `moduleId` where there are any.
 * Answers what is wrong with the slug, if anything, and one that is free.
 */
export async function loader({ context, url }: Route.LoaderArgs) {
  adminOf(context, url);
  const asked = (name: string) => url.searchParams.get(name)?.replaceAll("\0", "") ?? null;
  const answer = await askSlug(servicesOf(context), {
    kind: asked("kind") === "lesson" ? "lesson" : "course",
    title: asked("title"),
    slug: asked("slug"),
    moduleId: asked("moduleId"),
    id: asked("id"),
  });
  return Response.json(answer);
}
