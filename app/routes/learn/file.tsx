import { data, redirect, redirectDocument } from "react-router";
import { authPath } from "~/features/auth/rules.ts";
import { accessMessages } from "~/features/enrollments/messages.ts";
import { getDownload } from "~/features/player/downloads.server.ts";
import { downloadMessages } from "~/features/player/messages.ts";
import { findWayOnAfter } from "~/features/redirects/missing-page.server.ts";
import { currentUser, servicesOf } from "~/platform/http/context.ts";
import { isFromScript, redirectWithToast } from "~/platform/http/flash.ts";
import { pace } from "~/platform/http/limits.ts";
import { Refused, statusOf } from "~/platform/utils/errors.ts";
import { AnswerPage } from "../answer-page.tsx";
import type { Route } from "./+types/file.ts";

const downloads = pace({ burst: 60, perSecond: 1 });

/** Leads to a lesson's file, or to a page that leads back to the lesson. */
export async function loader({ request, context, params, url }: Route.LoaderArgs) {
  const key = url.searchParams.get("lesson");
  const course = `/courses/${params.slug}`;
  const lesson = `${course}/learn${key ? `?${new URLSearchParams({ lesson: key })}` : ""}`;
  const viewer = currentUser(context);
  // Not back to the file: it would be saved, and the page for signing in would stay.
  if (!viewer) throw redirect(authPath(lesson));
  if (isFromScript(request)) throw redirectDocument(url.pathname + url.search);
  const answer = (why: keyof typeof downloadMessages, status: number) =>
    data({ ...downloadMessages[why], lesson }, { status });
  if (downloads.wait(viewer.id) > 0) return answer("tooFast", statusOf.rate_limited);
  const fileId = url.searchParams.get("file") ?? "";
  try {
    const asked = { viewer, slug: params.slug, key, fileId };
    const address = await getDownload(servicesOf(context), asked);
    throw redirect(address, { status: 303, headers: { "Cache-Control": "no-store" } });
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    if (error.code === "not_enrolled") throw redirectWithToast(course, accessMessages.notEnrolled);
    if (error.code === "locked") return answer("locked", statusOf.locked);
    const wayOn = await findWayOnAfter(error, { context, url });
    if (wayOn) throw wayOn;
    if (error.code === "unavailable") return answer("unavailable", statusOf.unavailable);
    return answer("gone", statusOf.not_found);
  }
}

export default function NoFile({ loaderData }: Route.ComponentProps) {
  const { title, text, lesson } = loaderData;
  return (
    <AnswerPage
      title={title}
      subtitle={text}
      href={lesson}
      action="Back to the lesson"
      news={false}
    />
  );
}
