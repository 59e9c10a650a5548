import { savesData } from "~/platform/http/speculation.ts";
import type { Route } from "./+types/speculation-rules.ts";

/** Pages that a reader goes on to, and that are the same for everybody; nothing happens when they are read. */
const made = ["/", "/about", "/courses", "/courses/:slug", "/coaching"];
/** Pages of which the bytes are enough. */
const fetched = ["/privacy", "/terms", "/thank-you", "/enrollment-success"];

/**
 * Speculation rules: a link that is pointed at for a moment, or touched, is made ready in
 * advance. Only what is listed is: whatever asks who is there, changes something or takes a form
 * (/auth, /my-courses, /admin, the player, /newsletter, /api) never is.
 */
const rules = {
  prerender: [rule(made)],
  prefetch: [rule(fetched)],
};

function rule(pages: string[]) {
  return {
    where: {
      and: [
        { href_matches: pages },
        { not: { selector_matches: "[rel~=nofollow], [download], [target=_blank]" } },
      ],
    },
    eagerness: "moderate",
  };
}

export function loader({ request }: Route.LoaderArgs) {
  return new Response(JSON.stringify(savesData(request.headers) ? {} : rules), {
    headers: {
      "Content-Type": "application/speculationrules+json",
      "Cache-Control": "public, max-age=3600",
      Vary: "Save-Data",
    },
  });
}
