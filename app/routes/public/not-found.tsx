import { missingPage } from "~/features/redirects/missing-page.server.ts";
import { notFound } from "~/platform/http/context.ts";
import type { Route } from "./+types/not-found.ts";

/** Any other path, and /404 itself (spec 2, 404 page); the request's log line names it. An old address
 * leads on. */
export async function loader(args: Route.LoaderArgs): Promise<never> {
  throw await missingPage(args);
}

/** Also for forms sent to an unknown path. */
export function action({ context }: Route.ActionArgs): never {
  throw notFound(context);
}

export default function NotFound() {
  return null;
}
