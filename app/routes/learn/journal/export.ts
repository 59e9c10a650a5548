import { redirect, redirectDocument } from "react-router";
import { authPath } from "~/features/accounts/rules.ts";
import { journalTexts } from "~/features/learning/journal/texts.ts";
import { copies } from "~/features/learning/keepsake/queries.server.ts";
import { journalPath } from "~/features/learning/notebook/texts.ts";
import { exportPerson } from "~/personal-data.server.ts";
import { servicesOf, timeZoneContext, viewerOf } from "~/platform/http/context.ts";
import { methodNotAllowed } from "~/platform/http/errors.ts";
import { isFromScript } from "~/platform/http/flash.ts";
import { plainPage, tooBusy } from "~/platform/http/plain-page.ts";
import { giveBack, withinLimit } from "~/platform/http/rate-limit.ts";
import { streamed } from "~/platform/http/stream.ts";
import type { Route } from "./+types/export.ts";

export const handle = { methods: ["POST"] };

const limit = { what: "export", max: 5, windowSeconds: 3600 };

/** Everything about whoever is signed in. A form of ours asks: no link, prefetch or other site can. */
export async function action({ request, context }: Route.ActionArgs) {
  const viewer = viewerOf(context);
  if (!viewer) throw redirect(authPath(journalPath), 303);
  // For scripts the router would take the whole file into memory.
  if (isFromScript(request)) throw redirectDocument(journalPath);
  const services = servicesOf(context);
  const { id: userId, name, email } = viewer;
  const asked = { ...limit, whose: userId };
  if (!(await withinLimit(services, asked)))
    return plainPage(429, "Please wait a little", journalTexts.exportLimit);
  const end = copies.begin(userId);
  if (!end) {
    await giveBack(services, asked);
    return tooBusy();
  }
  const timeZone = context.get(timeZoneContext);
  const day = services.clock.now().toISOString().slice(0, 10);
  const zip = exportPerson(services, { userId, name, email, timeZone });
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
