import { data, redirect } from "react-router";
import { authPath } from "~/features/auth/rules.ts";
import { WorksheetPage } from "~/features/player/components/worksheets.tsx";
import { previewQuery } from "~/features/player/rules.ts";
import { getWorksheet } from "~/features/player/worksheets.server.ts";
import { currentUser, servicesOf, timeZoneContext } from "~/platform/http/context.ts";
import type { RouteHandle } from "~/platform/http/known-routes.ts";
import { Refused, statusOf } from "~/platform/utils/errors.ts";
import { useSite } from "~content/use-site.ts";
import { PrintPage } from "../print-page.tsx";
import type { Route } from "./+types/worksheet.ts";
import "~/ui/styles/worksheet.css";

export const handle = { hydrate: false, bare: true } satisfies RouteHandle;

export async function loader({ context, params, url }: Route.LoaderArgs) {
  const viewer = currentUser(context);
  if (!viewer) throw redirect(authPath(url.pathname + url.search));
  const asked = { viewer, slug: params.slug, url, timeZone: context.get(timeZoneContext) };
  try {
    const { course, worksheet } = await getWorksheet(servicesOf(context), asked);
    const lesson = url.searchParams.get("lesson") ?? "";
    return { course, worksheet, back: previewQuery(url.searchParams, { lesson }) };
  } catch (error) {
    if (error instanceof Refused) throw data(null, statusOf[error.code]);
    throw error;
  }
}

/** A lesson's questions on one page, to write on. */
export default function WorksheetRoute({ loaderData }: Route.ComponentProps) {
  const { course, worksheet, back } = loaderData;
  const href = `/courses/${course.slug}/learn${back}`;
  return (
    <PrintPage
      title={`${worksheet.title} - Worksheet`}
      back={{ href, label: "Back to the lesson" }}
      className="worksheets"
    >
      <h1 className="sr-only">Worksheet: {worksheet.title}</h1>
      <WorksheetPage site={useSite().name} course={course.title} worksheet={worksheet} />
    </PrintPage>
  );
}
