import { redirect, redirectDocument } from "react-router";
import { authPath } from "~/features/accounts/rules.ts";
import { getBook } from "~/features/learning/keepsake/queries.server.ts";
import { bookMarkdown } from "~/features/learning/keepsake/rules.ts";
import { journalPath, markdownPath } from "~/features/learning/notebook/texts.ts";
import { servicesOf, timeZoneContext, viewerOf } from "~/platform/http/context.ts";
import { isFromScript } from "~/platform/http/flash.ts";
import type { Route } from "./+types/markdown.ts";

/** Somebody's own journal as a file. */
export async function loader({ request, context }: Route.LoaderArgs) {
  const viewer = viewerOf(context);
  if (!viewer) throw redirect(authPath(journalPath));
  // A file is for the browser, not for the page that leads to it.
  if (isFromScript(request)) throw redirectDocument(markdownPath);
  const { id: userId, name } = viewer;
  const timeZone = context.get(timeZoneContext);
  const book = await getBook(servicesOf(context), { userId, name, timeZone });
  return new Response(bookMarkdown(book), {
    headers: {
      "Content-Type": "text/markdown; charset=utf-8",
      "Content-Disposition": 'attachment; filename="my-journal.md"',
      "Cache-Control": "private, no-store",
    },
  });
}
