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
import { PrintPage, Streamed } from "../print-page.tsx";
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

/** On paper only the book, whose text comes while the page is sent. */
export default function JournalBook({ loaderData: { userId, mark } }: Route.ComponentProps) {
  const back = { href: journalPath, label: "My journal" };
  return (
    <PrintPage title="My journal book" back={back} data-only-for={userId}>
      <Streamed mark={mark} className="book" />
    </PrintPage>
  );
}
