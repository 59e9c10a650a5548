import { redirect } from "react-router";
import type { Viewer } from "~/platform/auth/session.ts";
import { viewerOf } from "~/platform/http/context.ts";
import { authPath } from "../rules.ts";

/**
 * The administrator who asks. Every loader and action of the admin begins with this, whatever
 * stands in front of it (spec 2, Admin dashboard).
 * @throws a redirect: to /auth without a session, to / for anybody else
 */
export function adminOf(context: Parameters<typeof viewerOf>[0], url: URL): Viewer {
  const viewer = viewerOf(context);
  if (!viewer) throw redirect(authPath(url.pathname + url.search));
  if (viewer.role !== "admin") throw redirect("/");
  return viewer;
}
