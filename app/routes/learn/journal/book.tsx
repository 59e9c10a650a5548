import { data, redirect } from "react-router";
import { authPath } from "~/features/accounts/rules.ts";
import { bookHtml } from "~/features/learning/keepsake/components/book-html.tsx";
import { BookPage } from "~/features/learning/keepsake/components/book-page.tsx";
import { copies, getBook, mayCopy } from "~/features/learning/keepsake/queries.server.ts";
import { PageHead } from "~/page-head.tsx";
import { servicesOf, streamedContext, timeZoneContext, viewerOf } from "~/platform/http/context.ts";
import { statusOf } from "~/platform/http/errors.ts";
import { streamedHere } from "~/platform/http/stream.ts";
import type { Route } from "./+types/book.ts";
import "~/ui/styles/journal/journal.css";

/** It is read, not used: nothing of it is sent a second time as data. */
export const handle = { hydrate: false, bare: true };

export async function loader({ context, url }: Route.LoaderArgs) {
  const viewer = viewerOf(context);
  if (!viewer) throw redirect(authPath(url.pathname));
  const services = servicesOf(context);
  const { id: userId, name } = viewer;
  if (!(await mayCopy(services, userId))) throw data(null, statusOf.rate_limited);
  const book = await getBook(services, { userId, name, timeZone: context.get(timeZoneContext) });
  context.set(streamedContext, { parts: bookHtml(book), begin: () => copies.begin(userId) });
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
