import { LetterPage } from "~/ui/letter-page.tsx";
import { site } from "~content/site.ts";
import { deadLinks } from "../texts.ts";

/** Instead of a choice: for a link that this site never made, or whose account is gone. */
export function DeadLettersLink({ state }: { state: keyof typeof deadLinks }) {
  const { title, lead, body } = deadLinks[state];
  return (
    <LetterPage title={title} lead={lead}>
      <p>
        {body} If letters come that you do not want, write to{" "}
        <a href={`mailto:${site.email}`}>{site.email}</a>, and I’ll see to it by hand.
      </p>
    </LetterPage>
  );
}
