import { redirect, redirectDocument } from "react-router";
import { authPath } from "~/features/accounts/rules.ts";
import { journalTexts } from "~/features/learning/journal/texts.ts";
import { copies, getBook, mayCopy } from "~/features/learning/keepsake/queries.server.ts";
import { bookMarkdown } from "~/features/learning/keepsake/rules.ts";
import { journalPath, markdownPath } from "~/features/learning/notebook/texts.ts";
import { servicesOf, timeZoneContext, viewerOf } from "~/platform/http/context.ts";
import { isFromScript } from "~/platform/http/flash.ts";
import { plainPage, tooBusy } from "~/platform/http/plain-page.ts";
import { streamed } from "~/platform/http/stream.ts";
import type { Route } from "./+types/markdown.ts";

const headers = {
  "Content-Type": "text/markdown; charset=utf-8",
  "Content-Disposition": 'attachment; filename="my-journal.md"',
  "Cache-Control": "private, no-store",
};

/** Somebody's own journal as a file. */
export async function loader({ request, context }: Route.LoaderArgs) {
  const viewer = viewerOf(context);
  if (!viewer) throw redirect(authPath(journalPath));
  // A file is for the browser, not for the page that leads to it.
  if (isFromScript(request)) throw redirectDocument(markdownPath);
  // Nobody takes a body that is not sent: it would hold its place.
  if (request.method === "HEAD") return new Response(null, { headers });
  const services = servicesOf(context);
  const { id: userId, name } = viewer;
  if (!(await mayCopy(services, userId)))
    return plainPage(429, "Please wait a little", journalTexts.exportLimit);
  const timeZone = context.get(timeZoneContext);
  const parts = bookMarkdown(await getBook(services, { userId, name, timeZone }));
  const end = copies.begin(userId);
  if (!end) return tooBusy();
  return new Response(streamed(parts, { end, signal: request.signal }), { headers });
}
