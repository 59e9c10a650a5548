import { data } from "react-router";
import { missingPage } from "~/features/redirects/missing-page.server.ts";
import type { Route } from "./+types/not-found.ts";

/** Any other path, and /404 itself (spec 2, 404 page); the request's log line names it. An old address
 * leads on. */
export async function loader(args: Route.LoaderArgs): Promise<never> {
  throw await missingPage(args);
}

/** Also for forms sent to an unknown path. */
export function action(): never {
  throw data(null, 404);
}

export default function NotFound() {
  return null;
}
