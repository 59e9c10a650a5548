import { data } from "react-router";
import { servicesOf } from "~/platform/http/context.ts";
import type { Route } from "./+types/not-found.ts";

/** Any other path: the 404 page, and a line in the log (spec 2, 404 page). */
export function loader({ request, context }: Route.LoaderArgs): never {
  servicesOf(context).log.info({ path: new URL(request.url).pathname }, "no such page");
  throw data(null, 404);
}

export default function NotFound() {
  return null;
}
