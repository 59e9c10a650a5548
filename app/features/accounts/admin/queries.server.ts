import { type RouterContextProvider, redirect } from "react-router";
import type { Viewer } from "~/platform/auth/session.ts";
import { servicesOf, sessionContext } from "~/platform/http/context.ts";
import { redirectWithToast } from "~/platform/http/flash.ts";
import { loggablePath } from "~/platform/http/request-line.ts";
import { logRefusal } from "~/platform/log/refusals.ts";
import { messages, securityPath } from "../factors/texts.ts";
import { authPath } from "../rules.ts";

/**
 * The administrator who asks. Every loader and action of the admin begins with this, whatever
 * stands in front of it (spec 2, Admin dashboard).
 * @throws a redirect: to /auth without a session, to where she adds a second factor if she must have
 * one (ADMIN_SECOND_FACTOR), to / for anybody else
 */
export function adminOf(context: Readonly<Pick<RouterContextProvider, "get">>, url: URL): Viewer {
  const { viewer, lacksFactor } = context.get(sessionContext);
  if (!viewer) throw redirect(authPath(url.pathname + url.search));
  if (lacksFactor) throw redirectWithToast(securityPath, messages.adminNeedsFactor);
  if (viewer.role !== "admin") {
    logRefusal(servicesOf(context).log, "role", loggablePath(url.pathname));
    throw redirect("/");
  }
  return viewer;
}
