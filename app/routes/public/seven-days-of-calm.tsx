import type { RouteHandle } from "~/platform/http/known-routes.ts";
import type { Route } from "./+types/seven-days-of-calm.ts";
import { enrollAction, offerLoader } from "./course-page.server.ts";
import { SalesPage } from "./course-page.tsx";

export const handle = { shared: true, checkout: true } satisfies RouteHandle;

const slug = "seven-days-of-calm";

export const loader = offerLoader(slug);
export const action = enrollAction(slug);

/** Spec 2, 7 Days of Calm page. */
export default function SevenDaysOfCalm({ loaderData }: Route.ComponentProps) {
  return <SalesPage {...loaderData} />;
}
