import { redirect } from "react-router";
import { signOut } from "~/features/accounts/access/commands.server.ts";
import { messages } from "~/features/accounts/texts.ts";
import { callerOf } from "~/platform/auth/call.ts";
import { clientAddressContext, servicesOf } from "~/platform/http/context.ts";
import { redirectWithToast } from "~/platform/http/flash.ts";
import type { Route } from "./+types/sign-out.ts";

/** Signing out changes something, so it is a form; the bare address leads home. */
export function loader() {
  return redirect("/");
}

export async function action({ request, context }: Route.ActionArgs) {
  const caller = callerOf(request, context.get(clientAddressContext));
  const cookies = await signOut(servicesOf(context), caller);
  return redirectWithToast("/", { ...messages.signedOut }, cookies);
}
