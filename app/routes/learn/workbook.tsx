import { redirect } from "react-router";
import { authPath } from "~/features/auth/rules.ts";
import { workbookHtml } from "~/features/player/components/workbook-html.tsx";
import { previewQuery } from "~/features/player/rules.ts";
import { getWorkbook, runningWorkbooks } from "~/features/player/worksheets.server.ts";
import {
  currentUser,
  servicesOf,
  streamedContext,
  timeZoneContext,
} from "~/platform/http/context.ts";
import type { RouteHandle } from "~/platform/http/known-routes.ts";
import { streamedHere } from "~/platform/http/stream.ts";
import { PrintPage, Streamed } from "../print-page.tsx";
import type { Route } from "./+types/workbook.ts";
import "~/ui/styles/worksheet.css";

export const handle = { hydrate: false, bare: true } satisfies RouteHandle;

export async function loader({ context, params, url }: Route.LoaderArgs) {
  const viewer = currentUser(context);
  if (!viewer) throw redirect(authPath(url.pathname + url.search));
  const asked = { viewer, slug: params.slug, url, timeZone: context.get(timeZoneContext) };
  const services = servicesOf(context);
  const workbook = await getWorkbook(services, asked);
  const begin = () => runningWorkbooks.begin(viewer.id);
  context.set(streamedContext, { parts: workbookHtml(services.content.site, workbook), begin });
  return { course: workbook.course, mark: streamedHere, preview: previewQuery(url.searchParams) };
}

/** A course's worksheets with a cover. */
export default function WorkbookRoute({ loaderData }: Route.ComponentProps) {
  const { course, mark, preview } = loaderData;
  const back = { href: `/courses/${course.slug}/learn${preview}`, label: "Back to the course" };
  return (
    <PrintPage title={`${course.title} - Workbook`} back={back} className="worksheets">
      <Streamed mark={mark} />
    </PrintPage>
  );
}
