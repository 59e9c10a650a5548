import { listFiles } from "~/features/lesson-media/files.server.ts";
import { newId } from "~/platform/db/ids.ts";
import { found, type Given, learn, notEnrolled, type Row, seeOther, signedInAt } from "./row.ts";

type Course = "active" | "inactive" | "deleted";

const pressing =
  (course: Course, lesson: "open" | "locked", of = lesson) =>
  async ({ world, services }: Given) => {
    const lessons = world[course].modules.flatMap((module) => module.lessons);
    const id = lessons.find(({ slug }) => slug === of)?.id ?? "";
    const [file] = await listFiles(services.db.read, id);
    const query = new URLSearchParams({ lesson, file: file?.id ?? newId() });
    return { path: `${learn(world[course].slug)}/file?${query}` };
  };

const signed = seeOther(/^\/media\/course-files\/open\/.+&name=Workbook\.pdf$/);
const anyLesson = seeOther(/^\/media\/course-files\/.+&name=.+\.pdf$/);
const locked = {
  status: 403,
  has: ["This lesson is not open yet"],
  hasNot: ["/media/course-files"],
};
const gone = { status: 404, has: ["This file is no longer there"] };
/** To the lesson, not to the file: that would be saved, and the page for signing in would stay. */
const signIn = found(/^\/auth\?redirect=\/courses\/course-[\w-]+\/learn%3Flesson%3D/);

const file = signedInAt("/courses/:slug/learn/file", signIn);

export const fileRows: Row[] = [
  file.page("of an open lesson", [notEnrolled, signed, signed], pressing("active", "open")),
  file.page("of a locked lesson", [notEnrolled, locked, anyLesson], pressing("active", "locked")),
  file.page(
    "of a locked lesson, asked for with an open one",
    [notEnrolled, gone, gone],
    pressing("active", "open", "locked"),
  ),
  file.page("of an inactive course", [notEnrolled, signed, signed], pressing("inactive", "open")),
  file.page("of a deleted course", [gone], pressing("deleted", "open")),
];
