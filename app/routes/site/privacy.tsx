import { PageHead } from "~/page-head.tsx";
import { LongText } from "~/ui/long-text.tsx";
import { Page } from "~/ui/page.tsx";
import text from "~content/pages/privacy.md";

export const handle = { shared: true };

export default function Privacy() {
  return (
    <Page>
      <PageHead title={text.title} description={text.description} noindex />
      <LongText {...text} />
    </Page>
  );
}
