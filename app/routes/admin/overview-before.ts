import { redirect } from "react-router";
import { requireAdmin } from "~/features/auth/require-admin.server.ts";
import type { Route } from "./+types/overview-before.ts";

/** Where the overview was, before `/admin` opened on it. */
export function loader({ context, url }: Route.LoaderArgs) {
  requireAdmin(context, url);
  return redirect("/admin");
}
