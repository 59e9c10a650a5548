import { type RouterContextProvider, redirect } from "react-router";
import type { CurrentUser } from "~/platform/auth/session.ts";
import { servicesOf, sessionContext } from "~/platform/http/context.ts";
import { redirectWithToast } from "~/platform/http/flash.ts";
import { loggablePath } from "~/platform/http/request-line.ts";
import { logRefusal } from "~/platform/log/log.ts";
import { securityPath, twoFactorMessages } from "./messages.ts";
import { authPath } from "./rules.ts";

/** Every loader and action of the admin must begin with this, whatever middleware runs before it
 * (spec 2, Admin dashboard).
 * @throws a redirect: to /auth without a session, to the security page if an administrator lacks a
 * required second factor (ADMIN_SECOND_FACTOR), to / for other users */
export function requireAdmin(
  context: Readonly<Pick<RouterContextProvider, "get">>,
  url: URL,
): CurrentUser {
  const { viewer, lacksFactor } = context.get(sessionContext);
  if (!viewer) throw redirect(authPath(url.pathname + url.search));
  if (lacksFactor) throw redirectWithToast(securityPath, twoFactorMessages.adminNeedsFactor);
  if (viewer.role !== "admin") {
    logRefusal(servicesOf(context).log, "role", loggablePath(url.pathname));
    throw redirect("/");
  }
  return viewer;
}
