import { data } from "react-router";
import { readTotals } from "~/platform/db/tallies.ts";
import { failure, redirectWithToast } from "~/platform/http/flash.ts";
import { readListParams } from "~/platform/http/list-params.ts";
import type { Services } from "~/platform/http/services.ts";
import { courseSorts, listCourses, setActive } from "./courses.server.ts";
import { deleteCourse } from "./deletion.server.ts";
import { previewCourseDeletion } from "./deletion-preview.server.ts";
import { courseLoadFailed, courseMessages, savedMessage, saveFailed } from "./messages.ts";
import { formatPrice } from "./rules.ts";

/** The list of courses as its address asks for it, with the question before deleting one. The list is
 * null, and logged, where it cannot be read. */
export async function readCourseList(services: Services, url: URL, limit: number) {
  const asked = readListParams(url, courseSorts);
  try {
    const [{ rows, ...pages }, deletion] = await Promise.all([
      listCourses(services, { ...asked, limit }),
      previewCourseDeletion(services, url.searchParams.get("delete") ?? ""),
    ]);
    const students = await readTotals(
      services.db,
      "students",
      rows.map(({ id }) => id),
    );
    const courses = rows.map(({ sortValue: _, priceCents, ...course }) => ({
      ...course,
      price: formatPrice(priceCents),
      students: students.get(course.id) ?? 0,
    }));
    return { asked, list: { courses, ...pages }, deletion };
  } catch (error) {
    services.log.error({ err: error }, courseLoadFailed.courses);
    return { asked, list: null, deletion: null };
  }
}

export type CourseListData = Awaited<ReturnType<typeof readCourseList>>;

/** Deletes, activates or deactivates a course of the list, and leads back to it.
 * @throws a 400 for anything else */
export async function changeCourse(
  services: Services,
  { intent, id = "" }: Record<string, string | undefined>,
  back: string,
) {
  try {
    if (intent === "delete") {
      await deleteCourse(services, id);
      return redirectWithToast(back, savedMessage("Course", "deleted"));
    }
    if (intent !== "activate" && intent !== "deactivate") throw data(null, 400);
    const active = intent === "activate";
    await setActive(services, { id, active });
    return redirectWithToast(back, active ? courseMessages.activated : courseMessages.deactivated);
  } catch (error) {
    const fallback = intent === "delete" ? saveFailed.courseDelete : saveFailed.courseUpdate;
    return redirectWithToast(back, failure(services, error, fallback).toast);
  }
}
