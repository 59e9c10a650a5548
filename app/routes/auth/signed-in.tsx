import { redirect } from "react-router";
import { AuthPage } from "~/features/auth/components/auth-page.tsx";
import { defaultDestination } from "~/features/auth/messages.ts";
import { authPath } from "~/features/auth/rules.ts";
import { currentUser } from "~/platform/http/context.ts";
import type { RouteHandle } from "~/platform/http/known-routes.ts";
import { signedInPath } from "~/ui/autosave-status.tsx";
import { PageHead } from "../page-head.tsx";
import type { Route } from "./+types/signed-in.ts";

export const handle = { hydrate: true } satisfies RouteHandle;

/** The end of a sign-in in a new tab: the tab with the user's text hears of it by itself. */
export function loader({ context }: Route.LoaderArgs) {
  const viewer = currentUser(context);
  if (!viewer) throw redirect(authPath(signedInPath));
  return { email: viewer.email };
}

export default function SignedIn({ loaderData }: Route.ComponentProps) {
  return (
    <AuthPage
      title="You are signed in"
      subtitle="You can close this tab. The one you came from is as you left it, with everything you typed."
    >
      <PageHead title="You are signed in" noindex />
      <p className="wrap-anywhere">Your account here: {loaderData.email}</p>
      <p>
        <a href={defaultDestination}>Go to My Courses</a>
      </p>
    </AuthPage>
  );
}
