import { redirect, redirectDocument } from "react-router";
import { authPath } from "~/features/auth/rules.ts";
import { runningCopies } from "~/features/journal/journal-book.server.ts";
import { journalMessages } from "~/features/journal/journal-page-messages.ts";
import { journalPath } from "~/features/journal/messages.ts";
import { exportPersonalData } from "~/features/personal-data/export.server.ts";
import { uncount, withinLimit } from "~/platform/db/rate-limit.ts";
import { currentUser, servicesOf, timeZoneContext } from "~/platform/http/context.ts";
import { isFromScript } from "~/platform/http/flash.ts";
import type { RouteHandle } from "~/platform/http/known-routes.ts";
import { plainPage, tooBusy } from "~/platform/http/plain-page.ts";
import { streamed } from "~/platform/http/stream.ts";
import { methodNotAllowed } from "~/platform/utils/errors.ts";
import type { Route } from "./+types/export.ts";

export const handle = { methods: ["POST"] } satisfies RouteHandle;

const limit = { what: "export", max: 5, windowSeconds: 3600 };

/** All data of the signed-in user, by a form of this site only: no link, prefetch or other site. */
export async function action({ request, context }: Route.ActionArgs) {
  const viewer = currentUser(context);
  if (!viewer) throw redirect(authPath(journalPath), 303);
  // For requests by scripts, the router would load the whole file into memory.
  if (isFromScript(request)) throw redirectDocument(journalPath);
  const services = servicesOf(context);
  const { id: userId, name, email } = viewer;
  const asked = { ...limit, whose: userId };
  if (!(await withinLimit(services, asked)))
    return plainPage(429, "Please wait a little", journalMessages.exportLimit);
  const end = runningCopies.begin(userId);
  if (!end) {
    await uncount(services, asked);
    return tooBusy();
  }
  const timeZone = context.get(timeZoneContext);
  const day = services.clock.now().toISOString().slice(0, 10);
  const zip = exportPersonalData(services, { userId, name, email, timeZone });
  return new Response(streamed(zip, { end, signal: request.signal }), {
    headers: {
      "Content-Type": "application/zip",
      "Content-Disposition": `attachment; filename="everything-about-me-${day}.zip"`,
      "Cache-Control": "private, no-store",
    },
  });
}

export function loader() {
  return methodNotAllowed(...handle.methods);
}
