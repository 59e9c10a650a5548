import { PageHead } from "~/page-head.tsx";
import { LongText } from "~/ui/long-text.tsx";
import { Page } from "~/ui/page.tsx";
import text from "~content/pages/terms.md";

export const handle = { shared: true };

export default function Terms() {
  return (
    <Page>
      <PageHead title={text.title} description={text.description} noindex />
      <LongText {...text} />
    </Page>
  );
}
