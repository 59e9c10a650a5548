import { redirect, redirectDocument } from "react-router";
import { authPath } from "~/features/auth/rules.ts";
import { canStartCopy, getBook, runningCopies } from "~/features/journal/journal-book.server.ts";
import { bookMarkdown } from "~/features/journal/journal-book.ts";
import { journalMessages } from "~/features/journal/journal-page-messages.ts";
import { journalPath, markdownPath } from "~/features/journal/messages.ts";
import { currentUser, servicesOf, timeZoneContext } from "~/platform/http/context.ts";
import { isFromScript } from "~/platform/http/flash.ts";
import { plainPage, tooBusy } from "~/platform/http/plain-page.ts";
import { streamed } from "~/platform/http/stream.ts";
import type { Route } from "./+types/journal-markdown.ts";

const headers = {
  "Content-Type": "text/markdown; charset=utf-8",
  "Content-Disposition": 'attachment; filename="my-journal.md"',
  "Cache-Control": "private, no-store",
};

export async function loader({ request, context }: Route.LoaderArgs) {
  const viewer = currentUser(context);
  if (!viewer) throw redirect(authPath(journalPath));
  // The browser has to download the file; the router must not fetch it.
  if (isFromScript(request)) throw redirectDocument(markdownPath);
  // The body of a HEAD response is never read, so it would hold its slot.
  if (request.method === "HEAD") return new Response(null, { headers });
  const services = servicesOf(context);
  const { id: userId, name } = viewer;
  if (!(await canStartCopy(services, userId)))
    return plainPage(429, "Please wait a little", journalMessages.exportLimit);
  const timeZone = context.get(timeZoneContext);
  const parts = bookMarkdown(await getBook(services, { userId, name, timeZone }));
  const end = runningCopies.begin(userId);
  if (!end) return tooBusy();
  return new Response(streamed(parts, { end, signal: request.signal }), { headers });
}
