import { requireAdmin } from "~/features/auth/require-admin.server.ts";
import { PageList } from "~/features/pages/components/page-list.tsx";
import { listEditedPages } from "~/features/pages/pages.server.ts";
import { servicesOf, timeZoneContext } from "~/platform/http/context.ts";
import { AdminPage } from "~/ui/admin-page.tsx";
import { PageHead } from "../page-head.tsx";
import type { Route } from "./+types/pages.ts";

export async function loader({ context, url }: Route.LoaderArgs) {
  requireAdmin(context, url);
  return listEditedPages(servicesOf(context), context.get(timeZoneContext));
}

/** Every page whose words the coach can change. */
export default function Pages({ loaderData: { pages, courses } }: Route.ComponentProps) {
  return (
    <AdminPage
      title="Pages"
      lead="Open a page and touch the sentence that you want to change. Nobody sees it before you publish."
    >
      <PageHead title="Pages" noindex />
      <PageList title="Pages of the site" pages={pages} />
      <PageList title="Pages of courses" pages={courses} />
    </AdminPage>
  );
}
