import { redirect } from "react-router";
import { authPath } from "~/features/accounts/rules.ts";
import { BookPage } from "~/features/learning/keepsake/components/book-page.tsx";
import { getBook } from "~/features/learning/keepsake/queries.server.ts";
import { PageHead } from "~/page-head.tsx";
import { servicesOf, timeZoneContext, viewerOf } from "~/platform/http/context.ts";
import type { Route } from "./+types/book.ts";
import "~/ui/styles/journal/journal.css";

/** A whole journal stands in it: it is not sent a second time as data. */
export const handle = { hydrate: false, bare: true };

export async function loader({ context, url }: Route.LoaderArgs) {
  const viewer = viewerOf(context);
  if (!viewer) throw redirect(authPath(url.pathname));
  const { id: userId, name } = viewer;
  const asked = { userId, name, timeZone: context.get(timeZoneContext) };
  return { userId, book: await getBook(servicesOf(context), asked) };
}

export default function JournalBook({ loaderData }: Route.ComponentProps) {
  return (
    <>
      <PageHead title="My journal" noindex />
      <BookPage book={loaderData.book} userId={loaderData.userId} />
    </>
  );
}
