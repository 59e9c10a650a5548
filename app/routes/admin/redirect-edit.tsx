import { data, useNavigation } from "react-router";
import { requireAdmin } from "~/features/auth/require-admin.server.ts";
import { RedirectForm } from "~/features/redirects/components/redirect-form.tsx";
import { redirectMessages, redirectsPath, savedRedirect } from "~/features/redirects/messages.ts";
import { saveRedirectForm, typedRedirect } from "~/features/redirects/redirect-form.server.ts";
import { getRedirect, listCourseTargets } from "~/features/redirects/redirects.server.ts";
import { shownPath, unchosen } from "~/features/redirects/rules.ts";
import { orUnreachable } from "~/platform/http/client-action.ts";
import { routePatternContext, servicesOf } from "~/platform/http/context.ts";
import { failure, redirectWithToast } from "~/platform/http/flash.ts";
import { formFields } from "~/platform/http/form.ts";
import { AdminPage } from "~/ui/admin-page.tsx";
import { ButtonLink } from "~/ui/button.tsx";
import { PageHead } from "../page-head.tsx";
import type { Route } from "./+types/redirect-edit.ts";

/** A new old address, with `?from=` one that was not found, or one to change. */
export async function loader({ context, params, url }: Route.LoaderArgs) {
  requireAdmin(context, url);
  const services = servicesOf(context);
  const isNew = params.id === "new";
  const [found, courses] = await Promise.all([
    isNew ? null : getRedirect(services, params.id),
    listCourseTargets(services),
  ]);
  if (!isNew && !found) throw data(null, 404);
  const from = shownPath(url.searchParams.get("from") ?? "");
  const typed = found ? typedRedirect(found, courses) : { from, page: unchosen, other: "" };
  return { id: found?.id ?? null, typed, courses };
}

export async function action({ request, context, params, url }: Route.ActionArgs) {
  requireAdmin(context, url);
  const services = servicesOf(context);
  const { from = "", page = "", other = "" } = await formFields(request);
  const id = params.id === "new" ? null : params.id;
  const patternOf = context.get(routePatternContext);
  try {
    const typed = { from, page, other };
    const outcome = await saveRedirectForm(services, { id, typed, patternOf });
    if ("fieldError" in outcome) return data(outcome, 400);
    return redirectWithToast(redirectsPath, savedRedirect(outcome.saved));
  } catch (error) {
    return redirectWithToast(
      redirectsPath,
      failure(services, error, redirectMessages.failed).toast,
    );
  }
}

export const clientAction = (args: Route.ClientActionArgs) => orUnreachable(args);
export { unlessUnreachable as shouldRevalidate } from "~/platform/http/unreachable.ts";

export default function RedirectPage({ loaderData, actionData }: Route.ComponentProps) {
  const { id, typed, courses } = loaderData;
  const refused = actionData && "fieldError" in actionData ? actionData : null;
  const title = id ? "Change an old address" : "Add an old address";
  return (
    <AdminPage
      title={title}
      lead="Visitors who ask for it are sent on at once, and so are search engines."
      above={[
        { href: "/admin/settings", label: "Settings" },
        { href: redirectsPath, label: "Addresses" },
      ]}
      actions={
        id && (
          <ButtonLink variant="ghost" size="sm" href={`${redirectsPath}?delete=${id}`}>
            Remove
          </ButtonLink>
        )
      }
    >
      <PageHead title={title} noindex />
      <RedirectForm
        key={id}
        typed={refused?.typed ?? typed}
        fieldError={refused?.fieldError ?? null}
        courses={courses}
        busy={useNavigation().formAction !== undefined}
      />
    </AdminPage>
  );
}
