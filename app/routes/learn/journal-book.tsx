import { data, redirect } from "react-router";
import { authPath } from "~/features/auth/rules.ts";
import { BookPage } from "~/features/journal/components/journal-book.tsx";
import { bookHtml } from "~/features/journal/components/journal-book-html.tsx";
import { canStartCopy, getBook, runningCopies } from "~/features/journal/journal-book.server.ts";
import {
  currentUser,
  servicesOf,
  streamedContext,
  timeZoneContext,
} from "~/platform/http/context.ts";
import type { RouteHandle } from "~/platform/http/known-routes.ts";
import { streamedHere } from "~/platform/http/stream.ts";
import { statusOf } from "~/platform/utils/errors.ts";
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

export default function JournalBook({ loaderData }: Route.ComponentProps) {
  return (
    <>
      <PageHead title="My journal" noindex />
      <BookPage userId={loaderData.userId} mark={loaderData.mark} />
    </>
  );
}
