import { newId } from "~/platform/db/ids.ts";
import type { Toast } from "~/platform/http/flash.ts";
import type { Services } from "~/platform/http/services.ts";
import { Refused } from "~/platform/utils/errors.ts";
import { photographMessages } from "./photograph-messages.ts";
import { addPhotograph, deletePhotograph } from "./photographs.server.ts";

/** `isAll`: a button of the photographs was pressed, and not that of the form around them. */
export type SentPhotograph = { isAll: boolean; source: Blob | null; deleted: string | null };

/** What a form asks for of photographs; null for nothing. A field without a file is an empty one. */
export function sentPhotograph(form: FormData): SentPhotograph | null {
  const [picture, deleted] = [form.get("picture"), form.get("delete-photograph")];
  const source = picture instanceof Blob && picture.size > 0 ? picture : null;
  if (typeof deleted === "string") return { isAll: true, source: null, deleted };
  const isAll = form.get("intent") === "photograph";
  return isAll || source ? { isAll, source, deleted: null } : null;
}

/** @throws {Refused} */
export async function changePhotographs(
  services: Services,
  of: { userId: string; lessonId: string; asked: SentPhotograph },
): Promise<Toast> {
  const { userId, lessonId, asked } = of;
  if (asked.deleted !== null) {
    const isDeleted = await deletePhotograph(services, { userId, id: asked.deleted });
    if (!isDeleted) throw new Refused("not_found", photographMessages.missing);
    return photographMessages.deleted;
  }
  if (!asked.source) throw new Refused("invalid", photographMessages.none);
  await addPhotograph(services, { userId, lessonId, id: newId(), source: asked.source });
  return photographMessages.saved;
}
