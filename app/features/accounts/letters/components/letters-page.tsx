import type { ReactNode } from "react";
import { Envelope } from "~/ui/illustrations/envelope.tsx";
import { Page, Section } from "~/ui/page.tsx";
import { site } from "~content/site.ts";
import { deadLinks } from "../texts.ts";

type Props = { title: string; lead: ReactNode; children: ReactNode };

/** The frame of the pages on which somebody chooses her letters. */
export function LettersPage({ title, lead, children }: Props) {
  return (
    <Page width="text">
      <Section labelledBy="title">
        <div className="max-w-[9rem] sm:max-w-[12rem]">
          <Envelope />
        </div>
        <h1 id="title" className="mt-8 text-4xl">
          {title}
        </h1>
        <p className="mt-4 text-lg text-ink-soft">{lead}</p>
        <div className="mt-9 grid max-w-[36rem] gap-10">{children}</div>
      </Section>
    </Page>
  );
}

/** Instead of a choice: for a link that this site never made, or whose account is gone. */
export function DeadLettersLink({ state }: { state: keyof typeof deadLinks }) {
  const { title, lead, body } = deadLinks[state];
  return (
    <LettersPage title={title} lead={lead}>
      <p>
        {body} If letters come that you do not want, write to{" "}
        <a href={`mailto:${site.email}`}>{site.email}</a>, and I’ll see to it by hand.
      </p>
    </LettersPage>
  );
}
