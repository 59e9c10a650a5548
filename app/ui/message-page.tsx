import type { ReactNode } from "react";
import { Envelope } from "./illustrations/envelope.tsx";
import { Page, Section } from "./page.tsx";

type MessagePageProps = {
  title: string;
  lead: ReactNode;
  /** The email of the picture has been opened. */
  opened?: boolean;
  children: ReactNode;
};

/** The frame of every page that an email leads to: an envelope, one calm column, one thing to do. */
export function MessagePage({ title, lead, opened = false, children }: MessagePageProps) {
  return (
    <Page width="text">
      <Section labelledBy="title">
        <div className="max-w-[9rem] sm:max-w-[12rem]">
          <Envelope open={opened} />
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
