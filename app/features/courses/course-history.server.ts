import {
  type MarkedChange,
  wholeDifference,
  wordDifferences,
} from "~/features/versions/differences.server.ts";
import { versionMessages } from "~/features/versions/messages.ts";
import { findVersion, versionSubject } from "~/features/versions/versions.server.ts";
import type { Services } from "~/platform/http/services.ts";
import { Refused } from "~/platform/utils/errors.ts";
import { type CourseContent, readCourseVersion } from "./course-versions.server.ts";
import { Changed, getCourse, updateCourse } from "./courses.server.ts";
import { courseFieldLabels, courseFieldText, courseFormMessages } from "./messages.ts";
import { formatPrice, priceField } from "./rules.ts";
import { courseFields, fieldErrorsOf } from "./schema.ts";
import { SlugTaken } from "./slugs.server.ts";

type FieldNames = keyof typeof courseFieldLabels;

const yesOrNo = (value: boolean) => (value ? "yes" : "no") as "yes" | "no";

/** The fields of a course's form, and whether it is active. */
function fieldsOf(course: CourseContent): Record<FieldNames, string> {
  const { title, slug, description, priceCents, lessonEmails, comingSoon, active } = course;
  return {
    ...{ title, slug, description: description ?? "", price: priceField(priceCents) },
    ...{ lessonEmails, comingSoon: yesOrNo(comingSoon), active: yesOrNo(active) },
  };
}

/** How a version differs from the course as it is stored, as if it were brought back now; null where
 * there is no such version. */
export async function compareCourseVersion(services: Services, id: string, number: number) {
  const [course, found] = await Promise.all([
    getCourse(services, id),
    findVersion(services.db.read, versionSubject("course", id), number),
  ]);
  const older = found && readCourseVersion(found.content);
  if (!course || !older) return null;
  const [before, after] = [fieldsOf(course), fieldsOf(older)];
  const changes = (Object.keys(courseFieldLabels) as FieldNames[])
    .filter((field) => before[field] !== after[field])
    .map((field): MarkedChange => {
      const [old, now] = [course, older].map((one) =>
        field === "price"
          ? formatPrice(one.priceCents)
          : courseFieldText(field, fieldsOf(one)[field]),
      );
      const isText = field === "title" || field === "description";
      const pieces = (isText ? wordDifferences : wholeDifference)(old ?? "", now ?? "");
      const note = field === "active" ? courseFormMessages.alsoActive[yesOrNo(older.active)] : null;
      return { field, label: courseFieldLabels[field], pieces, note };
    });
  const seen = { revision: course.revision, active: course.active };
  return { ...{ number, changes, seen }, who: found.who, createdAt: found.createdAt };
}

type Asked = {
  id: string;
  number: number;
  /** Of the course that the version was compared with. */
  revision: number;
  active: boolean;
};

/** Saves a course as one of its versions has it, as a new version.
 * @throws {Refused} not_found; conflict if the course was saved since, or the address is taken; invalid
 * for what can no longer be saved */
export async function restoreCourseVersion(
  services: Services,
  { id, number, revision, active }: Asked,
): Promise<void> {
  const found = await findVersion(services.db.read, versionSubject("course", id), number);
  const older = found && readCourseVersion(found.content);
  if (!older) throw new Refused("not_found", versionMessages.none);
  const parsed = courseFields.safeParse(fieldsOf(older));
  if (!parsed.success) {
    const [first = courseFormMessages.changed] = Object.values(fieldErrorsOf(parsed) ?? {});
    throw new Refused("invalid", versionMessages.refused(`${first}.`));
  }
  // Activating has no revision: what was not shown as a change must not undo another admin's.
  const also = older.active === active ? {} : { active: older.active };
  try {
    await updateCourse(services, { id, revision, ...parsed.data, ...also });
  } catch (error) {
    if (error instanceof Changed) throw new Refused("conflict", versionMessages.changed("course"));
    if (error instanceof SlugTaken)
      throw new Refused("conflict", versionMessages.refused(error.message));
    throw error;
  }
}
