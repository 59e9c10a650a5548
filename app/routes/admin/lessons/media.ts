import { redirect } from "react-router";
import { adminOf } from "~/features/accounts/admin/queries.server.ts";
import { answerMediaRequest } from "~/features/courses/panel/commands.server.ts";
import { getPanel, playableAddress } from "~/features/courses/panel/queries.server.ts";
import { mediaRequest } from "~/features/courses/panel/schema.ts";
import { panelWords } from "~/features/courses/panel/texts.ts";
import { isId } from "~/platform/db/ids.ts";
import { servicesOf } from "~/platform/http/context.ts";
import { errorResponse, wantsJson } from "~/platform/http/errors.ts";
import { redirectWithToast } from "~/platform/http/flash.ts";
import { formFields, refusedForm } from "~/platform/http/form.ts";
import type { Route } from "./+types/media.ts";

const notFound = () => errorResponse("not_found", panelWords.noLesson);
// Made anew each time: redirect() writes its status into what it is given.
const noStore = () => ({ headers: { "Cache-Control": "no-store" } });

/** What a lesson has of video and audio as JSON; with `?play=video`, the way to the file itself. */
export async function loader({ context, url, params }: Route.LoaderArgs) {
  adminOf(context, url);
  if (!isId(params.id)) return notFound();
  const services = servicesOf(context);
  const play = url.searchParams.get("play");
  if (play === null) return Response.json(await getPanel(services, params.id), noStore());
  const address = await playableAddress(services, params.id, play);
  return address ? redirect(address, noStore()) : notFound();
}

/** Finishes an upload, or takes a file out of the lesson: as JSON, or as a form without scripts. */
export async function action({ context, url, params, request }: Route.ActionArgs) {
  const admin = adminOf(context, url);
  const asked = mediaRequest.safeParse(await formFields(request));
  if (!isId(params.id) || !asked.success) return notFound();
  const lesson = { lessonId: params.id, userId: admin.id };
  try {
    await answerMediaRequest(servicesOf(context), { ...lesson, ...asked.data });
  } catch (error) {
    return refusedForm(request, error);
  }
  if (wantsJson(request)) return Response.json({});
  const toast = asked.data.intent === "remove" ? panelWords.removed[asked.data.kind] : null;
  return redirectWithToast(`/admin/lessons/${params.id}`, toast);
}
