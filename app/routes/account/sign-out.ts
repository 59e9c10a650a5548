import { redirect } from "react-router";
import { signOut } from "~/features/accounts/access/commands.server.ts";
import { authPath, safeDestination } from "~/features/accounts/rules.ts";
import { messages } from "~/features/accounts/texts.ts";
import { callerOf } from "~/platform/auth/call.ts";
import { clientAddressContext, servicesOf } from "~/platform/http/context.ts";
import { redirectWithToast } from "~/platform/http/flash.ts";
import { formFields } from "~/platform/http/form.ts";
import type { Route } from "./+types/sign-out.ts";

/** Signing out changes something, so it is a form; the bare address leads home. */
export function loader() {
  return redirect("/");
}

/** With a page to go on to, it asks for signing in again first. */
export async function action({ request, context }: Route.ActionArgs) {
  const caller = callerOf(request, context.get(clientAddressContext));
  // Signing out works whatever is sent along, also when that is no form.
  const fields = await formFields(request).catch(() => null);
  const back = safeDestination(fields?.redirect, "");
  const cookies = await signOut(servicesOf(context), caller);
  return redirectWithToast(back ? authPath(back) : "/", { ...messages.signedOut }, cookies);
}
