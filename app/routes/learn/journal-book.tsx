import { ArrowLeft, Printer } from "lucide";
import { data, redirect } from "react-router";
import { authPath } from "~/features/auth/rules.ts";
import { bookHtml } from "~/features/journal/components/journal-book-html.tsx";
import { canStartCopy, getBook, runningCopies } from "~/features/journal/journal-book.server.ts";
import { journalPath } from "~/features/journal/messages.ts";
import {
  currentUser,
  servicesOf,
  streamedContext,
  timeZoneContext,
} from "~/platform/http/context.ts";
import type { RouteHandle } from "~/platform/http/known-routes.ts";
import { streamedHere } from "~/platform/http/stream.ts";
import { statusOf } from "~/platform/utils/errors.ts";
import { Button, ButtonLink } from "~/ui/button.tsx";
import { Icon } from "~/ui/icon.tsx";
import { PageHead } from "../page-head.tsx";
import type { Route } from "./+types/journal-book.ts";
import "~/ui/styles/journal/journal.css";

/** The page is only read: it is not hydrated, so its data are not sent a second time. */
export const handle = { hydrate: false, bare: true } satisfies RouteHandle;

export async function loader({ context, url }: Route.LoaderArgs) {
  const viewer = currentUser(context);
  if (!viewer) throw redirect(authPath(url.pathname));
  const services = servicesOf(context);
  const { id: userId, name } = viewer;
  if (!(await canStartCopy(services, userId))) throw data(null, statusOf.rate_limited);
  const book = await getBook(services, { userId, name, timeZone: context.get(timeZoneContext) });
  context.set(streamedContext, { parts: bookHtml(book), begin: () => runningCopies.begin(userId) });
  return { userId, mark: streamedHere };
}

/** On paper only the book, on the screen with a way back and a button above it. Its text comes in the
 * place of `mark`, while the page is sent. */
export default function JournalBook({ loaderData: { userId, mark } }: Route.ComponentProps) {
  return (
    <>
      <PageHead title="My journal book" noindex />
      <main id="main" tabIndex={-1} data-only-for={userId}>
        <div className="book-bar">
          <ButtonLink href={journalPath} variant="ghost" size="sm">
            <Icon of={ArrowLeft} />
            My journal
          </ButtonLink>
          <Button size="sm" data-print>
            <Icon of={Printer} />
            Print
          </Button>
        </div>
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: a mark, in whose place the book comes */}
        <article className="book" dangerouslySetInnerHTML={{ __html: mark }} />
      </main>
    </>
  );
}
