import { redirect } from "react-router";
import { requireAdmin } from "~/features/auth/require-admin.server.ts";
import {
  answerMediaRequest,
  getPanel,
  playableAddress,
} from "~/features/lesson-media/media-panel.server.ts";
import { mediaPanelMessages } from "~/features/lesson-media/messages.ts";
import { mediaRequest } from "~/features/lesson-media/schema.ts";
import { isId } from "~/platform/db/ids.ts";
import { servicesOf } from "~/platform/http/context.ts";
import { redirectWithToast } from "~/platform/http/flash.ts";
import { formFields, refusedForm } from "~/platform/http/form.ts";
import { errorResponse, wantsJson } from "~/platform/utils/errors.ts";
import type { Route } from "./+types/lesson-media.ts";

const notFound = () => errorResponse("not_found", mediaPanelMessages.noLesson);
// Created for each call: redirect() writes its status into its argument.
const noStore = () => ({ headers: { "Cache-Control": "no-store" } });

/** A lesson's video and audio as JSON; with `?play=video`, a redirect to the file itself. */
export async function loader({ context, url, params }: Route.LoaderArgs) {
  requireAdmin(context, url);
  if (!isId(params.id)) return notFound();
  const services = servicesOf(context);
  const play = url.searchParams.get("play");
  if (play === null) return Response.json(await getPanel(services, params.id), noStore());
  const address = await playableAddress(services, params.id, play);
  return address ? redirect(address, noStore()) : notFound();
}

/** Finishes an upload, or removes a file from the lesson: as JSON, or as a form without scripts. */
export async function action({ context, url, params, request }: Route.ActionArgs) {
  const admin = requireAdmin(context, url);
  const asked = mediaRequest.safeParse(await formFields(request));
  if (!isId(params.id) || !asked.success) return notFound();
  const lesson = { lessonId: params.id, userId: admin.id };
  try {
    await answerMediaRequest(servicesOf(context), { ...lesson, ...asked.data });
  } catch (error) {
    return refusedForm(request, error);
  }
  if (wantsJson(request)) return Response.json({});
  const toast = asked.data.intent === "remove" ? mediaPanelMessages.removed[asked.data.kind] : null;
  return redirectWithToast(`/admin/lessons/${params.id}`, toast);
}
