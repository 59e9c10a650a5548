import { redirect } from "react-router";
import { authPath } from "~/features/accounts/rules.ts";
import { journalTexts } from "~/features/learning/journal/texts.ts";
import { journalPath } from "~/features/learning/notebook/texts.ts";
import { exportPerson } from "~/personal-data.server.ts";
import { servicesOf, timeZoneContext, viewerOf } from "~/platform/http/context.ts";
import { methodNotAllowed } from "~/platform/http/errors.ts";
import { plainPage } from "~/platform/http/plain-page.ts";
import { withinLimit } from "~/platform/http/rate-limit.ts";
import type { Route } from "./+types/export.ts";

export const handle = { methods: ["POST"] };

const limit = { what: "export", max: 5, windowSeconds: 3600 };

/** Everything about whoever is signed in. A form of ours asks: no link, prefetch or other site can. */
export async function action({ context }: Route.ActionArgs) {
  const viewer = viewerOf(context);
  if (!viewer) throw redirect(authPath(journalPath), 303);
  const services = servicesOf(context);
  if (!(await withinLimit(services, { ...limit, whose: viewer.id })))
    return plainPage(429, "Please wait a little", journalTexts.exportLimit);
  const { id: userId, name, email } = viewer;
  const timeZone = context.get(timeZoneContext);
  const day = services.clock.now().toISOString().slice(0, 10);
  return new Response(exportPerson(services, { userId, name, email, timeZone }), {
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
