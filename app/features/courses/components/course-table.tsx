import type { ReactNode } from "react";
import { Form, useNavigation } from "react-router";
import { Button, ButtonLink } from "~/ui/button.tsx";
import { type ListAddress, listAddress, RowButton, sortLink } from "~/ui/list-tools.tsx";
import { PhoneWord, Row, Table, TableBody, TableHead, Td, Th } from "~/ui/table.tsx";
import { askBeforeSending } from "~/ui/unsaved.ts";
import type { listCourses } from "../courses.server.ts";

type Listed = Awaited<ReturnType<typeof listCourses>>["rows"][number];

type CourseTableProps = {
  courses: (Omit<Listed, "sortValue" | "priceCents"> & { price: string; students: number })[];
  here: ListAddress;
  asked: { sort: string; direction: "asc" | "desc" };
};

export function CourseTable({ courses, here, asked }: CourseTableProps) {
  return (
    <Table caption="Courses">
      <TableHead>
        <Th {...sortLink(here, asked, "title")}>Title</Th>
        <Th>Slug</Th>
        <Th align="end" {...sortLink(here, asked, "price")}>
          Price
        </Th>
        <Th align="end">Lessons</Th>
        <Th align="end">Students</Th>
        <Th>State</Th>
        <Th unseen>Actions</Th>
      </TableHead>
      <TableBody>
        {courses.map((course) => (
          <Row key={course.id}>
            <Td rowHeader>
              <a href={`/admin/courses/${course.id}`} className="wrap-anywhere">
                {course.title}
              </a>
            </Td>
            <Td phone="hidden">
              <span className="course-slug">{course.slug}</span>
            </Td>
            <Td align="end">{course.price}</Td>
            <Td align="end">
              {course.lessons}
              <PhoneWord>{course.lessons === 1 ? " lesson" : " lessons"}</PhoneWord>
            </Td>
            <Td align="end">
              <a href={`/admin/courses/${course.id}/progress`}>
                {course.students.toLocaleString("en-US")}
                <span className="sr-only">{` students of ${course.title}: how it goes`}</span>
              </a>
            </Td>
            <Td>
              <span className="course-state" data-active={course.active || undefined}>
                {course.active ? "Active" : "Inactive"}
                {course.comingSoon && ", coming soon"}
              </span>
            </Td>
            <Td align="end" phone="hidden">
              <RowActions {...course} things="courses" here={here}>
                <ActiveButton {...course} />
              </RowActions>
            </Td>
          </Row>
        ))}
      </TableBody>
    </Table>
  );
}

type RowActionsProps = {
  id: string;
  title: string;
  things: "courses" | "modules" | "lessons";
  here: ListAddress;
  children?: ReactNode;
};

/** 'Edit' and 'Delete' of a row, behind its other actions. */
export function RowActions({ id, title, things, here, children }: RowActionsProps) {
  const link = { variant: "ghost", size: "sm" } as const;
  return (
    <div className="row-actions">
      {children}
      <ButtonLink {...link} href={`/admin/${things}/${id}`} aria-label={`Edit ${title}`}>
        Edit
      </ButtonLink>
      <ButtonLink {...link} href={listAddress(here, { delete: id })} aria-label={`Delete ${title}`}>
        Delete
      </ButtonLink>
    </div>
  );
}

/** 'Activate' or 'Deactivate' (spec 2, Admin dashboard). Posts the target state, not a toggle. */
function ActiveButton({ id, title, active }: { id: string; title: string; active: boolean }) {
  const { state, formData } = useNavigation();
  const intent = active ? "deactivate" : "activate";
  const busy = state !== "idle" && formData?.get("intent") === intent && formData.get("id") === id;
  const label = active ? "Deactivate" : "Activate";
  return (
    <RowButton
      id={id}
      value={intent}
      variant="outline"
      size="sm"
      aria-label={`${label} ${title}`}
      busy={busy}
    >
      {label}
    </RowButton>
  );
}

type Props = {
  course: { id: string; title: string; slug: string; active: boolean };
  /** Id of the copy if one is made from this page; makes 'Duplicate' idempotent. */
  copyId: string;
};

export function CourseActions({ course, copyId }: Props) {
  const { state, formData } = useNavigation();
  const copying = state !== "idle" && formData?.get("intent") === "duplicate";
  return (
    <>
      <ButtonLink variant="ghost" size="sm" href={`/courses/${course.slug}/learn?view=student`}>
        View as a student
      </ButtonLink>
      <ButtonLink variant="ghost" size="sm" href={`/courses/${course.slug}`}>
        Its page
      </ButtonLink>
      <ButtonLink variant="ghost" size="sm" href={`/admin/courses/${course.id}/progress`}>
        How it goes
      </ButtonLink>
      <ButtonLink variant="ghost" size="sm" href={`/admin/course-emails?course=${course.id}`}>
        Email the students
      </ButtonLink>
      <ButtonLink variant="ghost" size="sm" href={`/admin/courses/${course.id}/history`}>
        History
      </ButtonLink>
      <Form method="post" onSubmit={askBeforeSending}>
        <input type="hidden" name="copyId" value={copyId} />
        <Button
          type="submit"
          name="intent"
          value="duplicate"
          variant="ghost"
          size="sm"
          busy={copying}
        >
          Duplicate
        </Button>
      </Form>
      <ButtonLink variant="ghost" size="sm" href={`/admin/courses/${course.id}?delete=1`}>
        Delete
      </ButtonLink>
      <ActiveButton {...course} />
    </>
  );
}
