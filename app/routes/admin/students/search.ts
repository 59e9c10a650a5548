import { adminOf } from "~/features/accounts/admin/queries.server.ts";
import { searchPeople } from "~/features/accounts/search/queries.server.ts";
import { servicesOf } from "~/platform/http/context.ts";
import { readListParams } from "~/platform/http/list-params.ts";
import type { Route } from "./+types/search.ts";

/** For the search box: up to 20 `{id, name, email}`, by address. */
export async function loader({ context, url }: Route.LoaderArgs) {
  adminOf(context, url);
  const { search } = readListParams(url, { email: "asc" });
  return Response.json(await searchPeople(servicesOf(context), search));
}
