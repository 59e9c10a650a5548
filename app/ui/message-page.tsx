import type { ReactNode } from "react";
import closed from "./illustrations/envelope-closed.svg?raw";
import open from "./illustrations/envelope-open.svg?raw";
import { Illustration } from "./illustrations/illustration.tsx";
import { Page, Section } from "./page.tsx";

type MessagePageProps = {
  title: string;
  lead: ReactNode;
  /** The envelope in the picture is open. */
  opened?: boolean;
  children: ReactNode;
};

/** The frame of every page that an email leads to: an envelope, one calm column, one thing to do. */
export function MessagePage({ title, lead, opened = false, children }: MessagePageProps) {
  return (
    <Page width="text">
      <Section labelledBy="title">
        <div className="max-w-[9rem] sm:max-w-[12rem]">
          <Illustration drawing={opened ? open : closed} />
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
