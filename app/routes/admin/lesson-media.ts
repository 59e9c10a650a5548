import { redirect } from "react-router";
import { requireAdmin } from "~/features/auth/require-admin.server.ts";
import {
  finishArrivedUploads,
  getPanel,
  playableAddress,
} from "~/features/lesson-media/media-panel.server.ts";
import { mediaPanelMessages } from "~/features/lesson-media/messages.ts";
import { removeMediaRequest } from "~/features/lesson-media/schema.ts";
import { detachMedia } from "~/features/lesson-media/uploads.server.ts";
import { isId } from "~/platform/db/ids.ts";
import { servicesOf } from "~/platform/http/context.ts";
import { redirectWithToast } from "~/platform/http/flash.ts";
import { formFields, refusedForm } from "~/platform/http/form.ts";
import { errorResponse, wantsJson } from "~/platform/utils/errors.ts";
import type { Route } from "./+types/lesson-media.ts";

const notFound = () => errorResponse("not_found", mediaPanelMessages.noLesson);
// Created for each call: redirect() writes its status into its argument.
const noStore = () => ({ headers: { "Cache-Control": "no-store" } });

/** A lesson's video and audio as JSON, after a check of what has arrived; with `?play=video`, a
 * redirect to the file. */
export async function loader({ context, url, params }: Route.LoaderArgs) {
  requireAdmin(context, url);
  if (!isId(params.id)) return notFound();
  const services = servicesOf(context);
  const play = url.searchParams.get("play");
  if (play === null) {
    await finishArrivedUploads(services, params.id);
    return Response.json(await getPanel(services, params.id), noStore());
  }
  if (play !== "video" && play !== "audio") return notFound();
  const address = await playableAddress(services, params.id, play);
  return address ? redirect(address, noStore()) : notFound();
}

/** Removes a file from the lesson: as JSON, or as a form without scripts. */
export async function action({ context, url, params, request }: Route.ActionArgs) {
  requireAdmin(context, url);
  const asked = removeMediaRequest.safeParse(await formFields(request));
  if (!isId(params.id) || !asked.success) return notFound();
  const { kind, key } = asked.data;
  try {
    await detachMedia(servicesOf(context), { lessonId: params.id, kind, key });
  } catch (error) {
    return refusedForm(request, error);
  }
  if (wantsJson(request)) return Response.json({});
  return redirectWithToast(`/admin/lessons/${params.id}`, mediaPanelMessages.removed[kind]);
}
