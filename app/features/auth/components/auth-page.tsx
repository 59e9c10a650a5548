import { type ReactNode, useEffect, useRef } from "react";
import { Page, Section } from "~/ui/page.tsx";

type Props = {
  title: string;
  subtitle: string;
  /** The title answers a form that was sent: it gets the focus and is read out. */
  news?: boolean;
  children: ReactNode;
};

export function AuthPage({ title, subtitle, news = false, children }: Props) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (news) heading.current?.focus();
  }, [news]);
  return (
    <Page width="text">
      <Section labelledBy="entry-title">
        <div className="mx-auto max-w-[26rem]">
          <h1
            id="entry-title"
            ref={heading}
            tabIndex={news ? -1 : undefined}
            className="text-3xl outline-none"
          >
            {title}
          </h1>
          <p className="mt-3 text-lg text-ink-soft">{subtitle}</p>
          <div className="mt-8 grid gap-6">{children}</div>
        </div>
      </Section>
    </Page>
  );
}
