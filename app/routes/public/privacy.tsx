import { servicesOf } from "~/platform/http/context.ts";
import type { RouteHandle } from "~/platform/http/known-routes.ts";
import { LongText } from "~/ui/long-text.tsx";
import { Page } from "~/ui/page.tsx";
import { PageHead } from "../page-head.tsx";
import type { Route } from "./+types/privacy.ts";

export const handle = { shared: true } satisfies RouteHandle;

export function loader({ context }: Route.LoaderArgs) {
  return servicesOf(context).content.page("privacy");
}

export default function Privacy({ loaderData: words }: Route.ComponentProps) {
  return (
    <Page>
      <PageHead title={words.title} description={words.description} noindex />
      <LongText {...words} />
    </Page>
  );
}
