import { z } from "zod";
import { requireAdmin } from "~/features/auth/require-admin.server.ts";
import { pageMessages } from "~/features/pages/messages.ts";
import { namedPlace } from "~/features/pages/names.server.ts";
import { getEditedPage, getField } from "~/features/pages/pages.server.ts";
import { fieldValue } from "~/features/pages/schema.ts";
import { previewField } from "~/features/pages/words.server.ts";
import { servicesOf } from "~/platform/http/context.ts";
import type { RouteHandle } from "~/platform/http/known-routes.ts";
import { errorResponse, methodNotAllowed, refusedJson } from "~/platform/utils/errors.ts";
import type { Route } from "./+types/page-preview.ts";

export const handle = { methods: ["POST"] } satisfies RouteHandle;

const typed = z.object({ field: z.string(), value: fieldValue });

/** `{field, value}` as typed -> `{shown, problems}`: as visitors would see it, and what is wrong. */
export async function action({ request, context, params, url }: Route.ActionArgs) {
  requireAdmin(context, url);
  const services = servicesOf(context);
  const asked = typed.safeParse(await request.json().catch(() => null));
  if (!asked.success) return errorResponse("invalid", pageMessages.unreadable);
  try {
    const page = await getEditedPage(services, params.id);
    const field = getField(page, asked.data.field);
    const { shown, problems } = await previewField(services.db.read, field, asked.data.value);
    return Response.json({ shown: namedPlace(field, shown, services.content.site), problems });
  } catch (error) {
    return refusedJson(error);
  }
}

export function loader({ context, url }: Route.LoaderArgs) {
  requireAdmin(context, url);
  return methodNotAllowed(...handle.methods);
}
