import type { RouteHandle } from "~/platform/http/known-routes.ts";
import { LongText } from "~/ui/long-text.tsx";
import { Page } from "~/ui/page.tsx";
import text from "~content/pages/terms.md";
import { PageHead } from "../page-head.tsx";

export const handle = { shared: true } satisfies RouteHandle;

export default function Terms() {
  return (
    <Page>
      <PageHead title={text.title} description={text.description} noindex />
      <LongText {...text} />
    </Page>
  );
}
