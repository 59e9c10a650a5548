import { searchPeople } from "~/features/accounts/search.server.ts";
import { requireAdmin } from "~/features/auth/require-admin.server.ts";
import { servicesOf } from "~/platform/http/context.ts";
import { readListParams } from "~/platform/http/list-params.ts";
import type { Route } from "./+types/student-search.ts";

/** For the search box: up to 20 `{id, name, email}`, by email. */
export async function loader({ context, url }: Route.LoaderArgs) {
  requireAdmin(context, url);
  const { search } = readListParams(url, { email: "asc" });
  return Response.json(await searchPeople(servicesOf(context), search));
}
