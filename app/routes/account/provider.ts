import { redirect } from "react-router";
import { refusalOf } from "~/features/accounts/arrival/texts.ts";
import { leaveFor } from "~/features/accounts/identities/commands.server.ts";
import { methodsPath, showOwnerPath } from "~/features/accounts/identities/texts.ts";
import { isFresh } from "~/features/accounts/owner/queries.server.ts";
import { authPath, safeDestination } from "~/features/accounts/rules.ts";
import { callerOf } from "~/platform/auth/call.ts";
import { clientAddressContext, servicesOf, sessionContext } from "~/platform/http/context.ts";
import { redirectWithToast } from "~/platform/http/flash.ts";
import { formFields } from "~/platform/http/form.ts";
import { goingOn } from "~/platform/http/going-on.ts";
import { plainPage } from "~/platform/http/plain-page.ts";
import type { Route } from "./+types/provider.ts";

/** Leaving for a provider begins with a form; the bare address leads to it. */
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
  // Removed while the page with its button was open, or never there.
  if (!provider) return plainPage(404, notThere.title, notThere.text);
  const query = new URL(request.url).searchParams;
  const isLink = (await formFields(request)).intent === "link";
  const destination = safeDestination(query.get("redirect"));
  const mode = query.get("mode") === "sign-up" ? "&mode=sign-up" : "";
  const here = isLink ? methodsPath : authPath(destination) + mode;
  const { session } = context.get(sessionContext);
  // Whoever finds this open on her screen would have a way in for good.
  if (isLink && session && !(await isFresh(services, session.id))) return redirect(showOwnerPath);
  const { id, name } = provider;
  const left = await leaveFor(services, callerOf(request, context.get(clientAddressContext)), {
    provider: id,
    isLink,
    to: isLink ? `${methodsPath}?linked=${id}` : destination,
    otherwise: `${here}${isLink ? "?" : "&"}with=${id}`,
  });
  if ("code" in left) return redirectWithToast(here, refusalOf(left.code, name));
  return goingOn({ url: left.url, name }, left.setCookies);
}
