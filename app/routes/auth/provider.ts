import { redirect } from "react-router";
import { startProviderSignIn } from "~/features/auth/linked-accounts.server.ts";
import {
  providerErrorMessage,
  reauthenticatePath,
  signInMethodsPath,
} from "~/features/auth/messages.ts";
import { isRecentlyAuthenticated } from "~/features/auth/reauthentication.server.ts";
import { authPath, safeDestination } from "~/features/auth/rules.ts";
import { currentCaller, servicesOf, sessionContext } from "~/platform/http/context.ts";
import { redirectWithToast } from "~/platform/http/flash.ts";
import { formFields } from "~/platform/http/form.ts";
import { continuePage, plainPage } from "~/platform/http/plain-page.ts";

import type { Route } from "./+types/provider.ts";

/** Sign-in with a provider starts with a form; a GET leads to that form. */
export function loader() {
  return redirect("/auth");
}

const notThere = {
  title: "This way to sign in is not available",
  text: "Go back, reload the page and choose another way to sign in.",
};

export async function action({ request, params, context }: Route.ActionArgs) {
  const services = servicesOf(context);
  const provider = services.config.providers.find(({ id }) => id === params.provider);
  // Removed while the page with its button was open, or never configured.
  if (!provider) return plainPage(404, notThere.title, notThere.text);
  const query = new URL(request.url).searchParams;
  const isLink = (await formFields(request)).intent === "link";
  const destination = safeDestination(query.get("redirect"));
  const mode = query.get("mode") === "sign-up" ? "&mode=sign-up" : "";
  const here = isLink ? signInMethodsPath : authPath(destination) + mode;
  const { session } = context.get(sessionContext);
  // Otherwise anyone at an unattended screen could gain permanent access.
  if (isLink && session && !(await isRecentlyAuthenticated(services, session.id)))
    return redirect(reauthenticatePath);
  const { id, name } = provider;
  const left = await startProviderSignIn(services, currentCaller({ request, context }), {
    provider: id,
    isLink,
    to: isLink ? `${signInMethodsPath}?linked=${id}` : destination,
    otherwise: `${here}${isLink ? "?" : "&"}with=${id}`,
  });
  if ("code" in left) return redirectWithToast(here, providerErrorMessage(left.code, name));
  return continuePage({ url: left.url, name }, left.setCookies);
}
