import { ArrowLeft, Printer } from "lucide";
import type { ComponentProps } from "react";
import { Button, ButtonLink } from "~/ui/button.tsx";
import { Icon } from "~/ui/icon.tsx";
import { PageHead } from "./page-head.tsx";

type Props = ComponentProps<"main"> & {
  title: string;
  back: { href: string; label: string };
};

/** A page that is made to be printed: on the screen with a way back and a button above it. */
export function PrintPage({ title, back, children, ...main }: Props) {
  return (
    <>
      <PageHead title={title} noindex />
      <main id="main" tabIndex={-1} {...main}>
        <div className="print-bar">
          <ButtonLink href={back.href} variant="ghost" size="sm">
            <Icon of={ArrowLeft} />
            {back.label}
          </ButtonLink>
          <Button size="sm" data-print>
            <Icon of={Printer} />
            Print
          </Button>
        </div>
        {children}
      </main>
    </>
  );
}

type StreamedProps = { mark: string; className?: string };

/** In the place of `mark` the pages come, while the answer is sent. */
export function Streamed({ mark, className }: StreamedProps) {
  return (
    // biome-ignore lint/security/noDangerouslySetInnerHtml: the mark is of the server
    <article className={className} dangerouslySetInnerHTML={{ __html: mark }} />
  );
}
