import { ArrowLeft, Printer } from "lucide-react";
import { Button, ButtonLink } from "~/ui/button.tsx";
import { journalPath } from "../messages.ts";

/**
 * The journal as a book: on paper only this, on the screen with a way back and a button above it.
 * What is written comes in the place of `mark`, while the page is sent (book-html.tsx).
 */
export function BookPage({ userId, mark }: { userId: string; mark: string }) {
  return (
    <main id="main" tabIndex={-1} data-only-for={userId}>
      <div className="book-bar">
        <ButtonLink href={journalPath} variant="ghost" size="sm">
          <ArrowLeft aria-hidden="true" strokeWidth={1.75} />
          My journal
        </ButtonLink>
        <Button size="sm" data-print>
          <Printer aria-hidden="true" strokeWidth={1.75} />
          Print
        </Button>
      </div>
      {/* biome-ignore lint/security/noDangerouslySetInnerHtml: a mark, in whose place the book comes */}
      <article className="book" dangerouslySetInnerHTML={{ __html: mark }} />
    </main>
  );
}
