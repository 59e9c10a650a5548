import type { RouteHandle } from "~/platform/http/known-routes.ts";
import type { Route } from "./+types/blue-dot-method.ts";
import { enrollAction, offerLoader } from "./course-page.server.ts";
import { SalesPage } from "./course-page.tsx";

export const handle = { shared: true, checkout: true } satisfies RouteHandle;

const slug = "blue-dot-method";

export const loader = offerLoader(slug);
export const action = enrollAction(slug);

/** Spec 2, Blue Dot course page. */
export default function BlueDotMethod({ loaderData }: Route.ComponentProps) {
  return <SalesPage {...loaderData} />;
}
