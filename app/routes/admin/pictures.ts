import { requireAdmin } from "~/features/auth/require-admin.server.ts";
import { pictureMessages } from "~/features/pictures/messages.ts";
import { answerPictureForm } from "~/features/pictures/picture-forms.server.ts";
import { pictureRequest } from "~/features/pictures/schema.ts";
import { servicesOf } from "~/platform/http/context.ts";
import { redirectWithToast } from "~/platform/http/flash.ts";
import { readForm, refusedForm } from "~/platform/http/form.ts";
import type { RouteHandle } from "~/platform/http/known-routes.ts";
import { methodNotAllowed, Refused, wantsJson } from "~/platform/utils/errors.ts";
import type { Route } from "./+types/pictures.ts";

export const handle = { methods: ["POST"] } satisfies RouteHandle;

/** Takes a picture for the text of a lesson or a page, a poster, a cover or the portrait: as JSON, or
 * as a form without scripts. */
export async function action({ context, url, request }: Route.ActionArgs) {
  const { id: userId } = requireAdmin(context, url);
  const asked = pictureRequest.safeParse(Object.fromEntries(await readForm(request)));
  try {
    if (!asked.success) throw new Refused("invalid", pictureMessages.unclear);
    const { to, toast, json } = await answerPictureForm(servicesOf(context), userId, asked.data);
    return wantsJson(request) ? Response.json(json) : redirectWithToast(to, toast);
  } catch (error) {
    return refusedForm(request, error);
  }
}

export function loader({ context, url }: Route.LoaderArgs) {
  requireAdmin(context, url);
  return methodNotAllowed(...handle.methods);
}
