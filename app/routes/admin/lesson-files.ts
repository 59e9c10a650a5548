import { redirect } from "react-router";
import { requireAdmin } from "~/features/auth/require-admin.server.ts";
import { fileMessages } from "~/features/lesson-media/file-messages.ts";
import { changeFile, fileAddress } from "~/features/lesson-media/files.server.ts";
import { fileRequest } from "~/features/lesson-media/schema.ts";
import { isId } from "~/platform/db/ids.ts";
import { servicesOf } from "~/platform/http/context.ts";
import { redirectWithToast } from "~/platform/http/flash.ts";
import { formFields, refusedForm } from "~/platform/http/form.ts";
import { errorResponse, wantsJson } from "~/platform/utils/errors.ts";
import type { Route } from "./+types/lesson-files.ts";

const done = { rename: "saved", move: "moved", remove: "removed" } as const;

export async function loader({ context, url, params }: Route.LoaderArgs) {
  requireAdmin(context, url);
  const fileId = url.searchParams.get("file") ?? "";
  const file = await fileAddress(servicesOf(context), { lessonId: params.id, fileId });
  if (!file?.url) return errorResponse("not_found", fileMessages.noFile);
  return redirect(file.url, { headers: { "Cache-Control": "no-store" } });
}

/** Renames, moves or removes a download: as JSON, or as a form without scripts. */
export async function action({ context, url, params, request }: Route.ActionArgs) {
  requireAdmin(context, url);
  const asked = fileRequest.safeParse(await formFields(request));
  if (!isId(params.id) || !asked.success) return errorResponse("invalid", fileMessages.unreadable);
  try {
    await changeFile(servicesOf(context), { lessonId: params.id, ...asked.data });
  } catch (error) {
    return refusedForm(request, error);
  }
  if (wantsJson(request)) return Response.json({});
  return redirectWithToast(
    `/admin/lessons/${params.id}#files`,
    fileMessages[done[asked.data.intent]],
  );
}
