import { redirect } from "react-router";
import { authMessages } from "~/features/auth/messages.ts";
import { authPath, safeDestination } from "~/features/auth/rules.ts";
import { signOut } from "~/features/auth/sign-in.server.ts";
import { currentCaller, servicesOf } from "~/platform/http/context.ts";
import { redirectWithToast } from "~/platform/http/flash.ts";
import { formFields } from "~/platform/http/form.ts";
import type { Route } from "./+types/sign-out.ts";

/** Signing out changes state, so it is a form; a GET leads home. */
export function loader() {
  return redirect("/");
}

/** With a page to go on to, the user is asked to sign in again first. */
export async function action({ request, context }: Route.ActionArgs) {
  const caller = currentCaller({ request, context });
  // Signing out works with any body, even one that is no form.
  const fields = await formFields(request).catch(() => null);
  const back = safeDestination(fields?.redirect, "");
  const cookies = await signOut(servicesOf(context), caller);
  return redirectWithToast(back ? authPath(back) : "/", { ...authMessages.signedOut }, cookies);
}
