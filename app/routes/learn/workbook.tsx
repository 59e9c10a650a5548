import { ArrowLeft, Printer } from "lucide";
import { redirect } from "react-router";
import { authPath } from "~/features/auth/rules.ts";
import { workbookHtml } from "~/features/player/components/workbook-html.tsx";
import { getWorkbook, runningWorkbooks } from "~/features/player/worksheets.server.ts";
import {
  currentUser,
  servicesOf,
  streamedContext,
  timeZoneContext,
} from "~/platform/http/context.ts";
import type { RouteHandle } from "~/platform/http/known-routes.ts";
import { streamedHere } from "~/platform/http/stream.ts";
import { Button, ButtonLink } from "~/ui/button.tsx";
import { Icon } from "~/ui/icon.tsx";
import { PageHead } from "../page-head.tsx";
import type { Route } from "./+types/workbook.ts";
import "~/ui/styles/worksheet.css";

export const handle = { hydrate: false, bare: true } satisfies RouteHandle;

export async function loader({ context, params, url }: Route.LoaderArgs) {
  const viewer = currentUser(context);
  if (!viewer) throw redirect(authPath(url.pathname + url.search));
  const asked = { viewer, slug: params.slug, url, timeZone: context.get(timeZoneContext) };
  const workbook = await getWorkbook(servicesOf(context), asked);
  const begin = () => runningWorkbooks.begin(viewer.id);
  context.set(streamedContext, { parts: workbookHtml(workbook), begin });
  return { course: workbook.course, mark: streamedHere };
}

/** A course's worksheets with a cover. They come in the place of `mark`, while the page is sent. */
export default function WorkbookRoute({ loaderData: { course, mark } }: Route.ComponentProps) {
  return (
    <>
      <PageHead title={`${course.title} - Workbook`} noindex />
      <main id="main" tabIndex={-1} className="worksheets">
        <div className="worksheet-bar">
          <ButtonLink href={`/courses/${course.slug}/learn`} variant="ghost" size="sm">
            <Icon of={ArrowLeft} />
            Back to the course
          </ButtonLink>
          <Button size="sm" data-print>
            <Icon of={Printer} />
            Print
          </Button>
        </div>
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: a mark, in whose place the workbook comes */}
        <article dangerouslySetInnerHTML={{ __html: mark }} />
      </main>
    </>
  );
}
