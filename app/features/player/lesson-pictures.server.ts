import { lessonsFrom } from "~/features/enrollments/access.server.ts";
import { isLocked } from "~/features/enrollments/lesson-order.ts";
import { pictureMessages } from "~/features/pictures/messages.ts";
import { findPictures } from "~/features/pictures/pictures.server.ts";
import type { CurrentUser } from "~/platform/auth/session.ts";
import { compiledOnce } from "~/platform/db/compiled.ts";
import type { Services } from "~/platform/http/services.ts";
import { pictureKey } from "~/platform/pictures/keys.ts";
import { readStored } from "~/platform/storage/storage.ts";
import { Refused } from "~/platform/utils/errors.ts";

const usesOf = compiledOnce((db, { userId, pictureId }: { userId: string; pictureId: string }) =>
  db
    .selectFrom("pictureUses")
    .innerJoin("lessons", "lessons.id", "pictureUses.lessonId")
    .innerJoin("modules", "modules.id", "lessons.moduleId")
    .innerJoin("products", "products.id", "modules.productId")
    .leftJoin("enrollments", (join) =>
      join.onRef("enrollments.productId", "=", "products.id").on("enrollments.userId", "=", userId),
    )
    .select("lessons.dripDay")
    .select(lessonsFrom.$castTo<Date | null>().as("enrolledAt"))
    .where("pictureUses.pictureId", "=", pictureId)
    .where("lessons.deletedAt", "is", null)
    .where("modules.deletedAt", "is", null)
    .where("products.deletedAt", "is", null),
);

/** A lesson picture at a width or the next larger one, for a viewer who may read some lesson that shows it, or an
 * administrator: copied lessons share their pictures.
 * @throws {Refused} not_found, not_enrolled or locked */
export async function readLessonPicture(
  services: Services,
  { viewer, id, width }: { viewer: Pick<CurrentUser, "id" | "role">; id: string; width: number },
): Promise<Uint8Array<ArrayBuffer>> {
  const { db, clock, storage } = services;
  if (viewer.role !== "admin") {
    const uses = await usesOf(db.read, { userId: viewer.id, pictureId: id });
    if (uses.length === 0) throw new Refused("not_found", pictureMessages.gone);
    const own = uses.filter(({ enrolledAt }) => enrolledAt !== null);
    if (own.length === 0) throw new Refused("not_enrolled", pictureMessages.notEnrolled);
    const now = clock.now();
    if (own.every(({ dripDay, enrolledAt }) => isLocked(dripDay, enrolledAt ?? now, now)))
      throw new Refused("locked", pictureMessages.locked);
  }
  const [picture] = await findPictures(db.read, [id]);
  const stored = picture?.widths.find((one) => one >= width) ?? picture?.widths.at(-1) ?? width;
  const bytes = picture && (await readStored(storage, "pictures", pictureKey(picture, stored)));
  if (!bytes) throw new Refused("not_found", pictureMessages.gone);
  return bytes;
}
