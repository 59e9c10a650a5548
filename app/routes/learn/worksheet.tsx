import { ArrowLeft, Printer } from "lucide";
import { data, redirect } from "react-router";
import { authPath } from "~/features/auth/rules.ts";
import { WorksheetPage } from "~/features/player/components/worksheets.tsx";
import { getWorksheet } from "~/features/player/worksheets.server.ts";
import { currentUser, servicesOf, timeZoneContext } from "~/platform/http/context.ts";
import type { RouteHandle } from "~/platform/http/known-routes.ts";
import { Refused, statusOf } from "~/platform/utils/errors.ts";
import { Button, ButtonLink } from "~/ui/button.tsx";
import { Icon } from "~/ui/icon.tsx";
import { PageHead } from "../page-head.tsx";
import type { Route } from "./+types/worksheet.ts";
import "~/ui/styles/worksheet.css";

export const handle = { hydrate: false, bare: true } satisfies RouteHandle;

export async function loader({ context, params, url }: Route.LoaderArgs) {
  const viewer = currentUser(context);
  if (!viewer) throw redirect(authPath(url.pathname + url.search));
  const asked = { viewer, slug: params.slug, url, timeZone: context.get(timeZoneContext) };
  try {
    const { course, worksheet } = await getWorksheet(servicesOf(context), asked);
    return { course, worksheet, key: url.searchParams.get("lesson") ?? "" };
  } catch (error) {
    if (error instanceof Refused) throw data(null, statusOf[error.code]);
    throw error;
  }
}

/** A lesson's questions on one page, to write on. */
export default function WorksheetRoute({ loaderData }: Route.ComponentProps) {
  const { course, worksheet, key } = loaderData;
  const lesson = `/courses/${course.slug}/learn?${new URLSearchParams({ lesson: key })}`;
  return (
    <>
      <PageHead title={`${worksheet.title} - Worksheet`} noindex />
      <main id="main" tabIndex={-1} className="worksheets">
        <h1 className="sr-only">Worksheet: {worksheet.title}</h1>
        <div className="worksheet-bar">
          <ButtonLink href={lesson} variant="ghost" size="sm">
            <Icon of={ArrowLeft} />
            Back to the lesson
          </ButtonLink>
          <Button size="sm" data-print>
            <Icon of={Printer} />
            Print
          </Button>
        </div>
        <WorksheetPage course={course.title} worksheet={worksheet} />
      </main>
    </>
  );
}
