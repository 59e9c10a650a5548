import { HelpPage } from "~/features/help/components/help-page.tsx";
import { findHelp, listHelp } from "~/features/help/help.server.ts";
import { timeZoneContext } from "~/platform/http/context.ts";
import type { RouteHandle } from "~/platform/http/known-routes.ts";
import { helpNow } from "~content/site.ts";
import { breadcrumbs } from "~content/structured-data.ts";
import { PageData, PageHead } from "../page-head.tsx";
import type { Route } from "./+types/help.ts";

export const handle = { shared: true, byZone: true, hydrate: false } satisfies RouteHandle;

export function loader({ context }: Route.LoaderArgs) {
  return { near: findHelp(context.get(timeZoneContext)), countries: listHelp().countries };
}

/** Numbers for people in danger, by country. */
export default function Help({ loaderData }: Route.ComponentProps) {
  return (
    <>
      <PageHead
        title={helpNow.label}
        description="Numbers to call or text when you are in danger or may hurt yourself, by country: crisis lines, their hours and languages, and where each number is from."
      />
      <PageData of={(origin) => [breadcrumbs(origin, [helpNow.label, helpNow.href])]} />
      <HelpPage {...loaderData} />
    </>
  );
}
