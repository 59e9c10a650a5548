import { ButtonLink } from "~/ui/button.tsx";
import { EmptyState } from "~/ui/empty-state.tsx";
import emptyPath from "~/ui/illustrations/empty-path.svg?raw";
import { Illustration } from "~/ui/illustrations/illustration.tsx";
import { List, type ListAddress, listAddress } from "~/ui/list-tools.tsx";
import { LoadFailed } from "~/ui/load-failed.tsx";
import type { CourseListData } from "../course-list.server.ts";
import { courseLoadFailed } from "../messages.ts";
import { CourseTable } from "./course-table.tsx";
import { DeleteCourseDialog } from "./delete-dialog.tsx";

export function CourseListActions() {
  return (
    <>
      <ButtonLink href="/admin/courses/deleted" variant="ghost">
        Recently deleted
      </ButtonLink>
      <ButtonLink href="/admin/courses/new">New course</ButtonLink>
    </>
  );
}

/** All courses with what can be done to each, and the question before deleting one. */
export function CourseList({
  asked,
  list,
  deletion,
  here,
}: CourseListData & { here: ListAddress }) {
  return (
    <>
      {list ? (
        <Courses {...{ ...list, asked, here }} />
      ) : (
        <LoadFailed message={courseLoadFailed.courses} href={listAddress(here)} />
      )}
      {deletion && <DeleteCourseDialog deletion={deletion} closeHref={listAddress(here)} />}
    </>
  );
}

type Props = NonNullable<CourseListData["list"]> & {
  asked: CourseListData["asked"];
  here: ListAddress;
};

function Courses({ courses, asked, here, ...pages }: Props) {
  return (
    <List
      {...{ here, ...pages }}
      things="courses"
      searchLabel="Search by title or slug"
      search={asked.search}
      empty={
        <EmptyState
          title="No courses yet"
          picture={<Illustration drawing={emptyPath} />}
          action={<ButtonLink href="/admin/courses/new">New course</ButtonLink>}
        >
          <p>Make the first one. Nobody sees it until you activate it.</p>
        </EmptyState>
      }
      notFound={{
        title: "Nothing found",
        hint: `No course has “${asked.search}” in its title or slug.`,
      }}
      exportPath="/admin/export/courses"
    >
      {courses.length > 0 && <CourseTable {...{ courses, here, asked }} />}
    </List>
  );
}
