import { Pencil, useWords } from "~/features/pages/components/pencil.tsx";
import { pageWords } from "~/features/pages/page-words.server.ts";
import type { RouteHandle } from "~/platform/http/known-routes.ts";
import { LongText } from "~/ui/long-text.tsx";
import { Page } from "~/ui/page.tsx";
import { PageHead } from "../page-head.tsx";
import type { Route } from "./+types/privacy.ts";

export const handle = { shared: true } satisfies RouteHandle;

export function loader({ context, url }: Route.LoaderArgs) {
  return pageWords({ context, url }, "privacy");
}

export default function Privacy({ loaderData }: Route.ComponentProps) {
  const words = useWords(loaderData.words);
  return (
    <Page>
      <PageHead title={words.title} description={words.description} noindex />
      <LongText {...words} pencil={(at, item) => <Pencil at={at} item={item} />} />
    </Page>
  );
}
