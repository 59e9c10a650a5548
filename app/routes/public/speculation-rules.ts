import { savesData } from "~/platform/http/speculation.ts";
import type { Route } from "./+types/speculation-rules.ts";

// Pages that a visitor is likely to open next, the same for everybody and without side effects.
const made = ["/", "/about", "/courses", "/courses/:slug", "/coaching", "/newsletter/archive"];
// Pages for which a prefetch of the bytes is enough.
const fetched = ["/privacy", "/terms", "/thank-you", "/enrollment-success"];

// Speculation rules: a link that is hovered for a moment, or touched, is prepared in advance. Only
// listed pages are: whatever depends on the user, changes something or takes a form (/auth,
// /my-courses, /admin, the player, /newsletter, /api) never is.
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
