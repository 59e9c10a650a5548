import type { ReactNode } from "react";
import { Page, Section } from "~/ui/page.tsx";

/** The frame of every page on which somebody signs in, signs up or mends her way in. */
export function Entry(props: { title: string; subtitle: string; children: ReactNode }) {
  return (
    <Page width="text">
      <Section labelledBy="entry-title">
        <div className="mx-auto max-w-[26rem]">
          <h1 id="entry-title" className="text-3xl">
            {props.title}
          </h1>
          <p className="mt-3 text-lg text-ink-soft">{props.subtitle}</p>
          <div className="mt-8 grid gap-6">{props.children}</div>
        </div>
      </Section>
    </Page>
  );
}
