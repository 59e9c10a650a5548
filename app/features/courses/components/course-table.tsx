import { Form, useNavigation } from "react-router";
import { Button, ButtonLink } from "~/ui/button.tsx";
import { sortLink } from "~/ui/list-tools.tsx";
import { Row, Table, TableBody, TableHead, Td, Th } from "~/ui/table.tsx";
import { askBeforeSending } from "~/ui/unsaved.ts";
import type { ListedCourse } from "../courses.server.ts";

export function CourseState({ active }: { active: boolean }) {
  return (
    <span className="course-state" data-active={active || undefined}>
      {active ? "Active" : "Inactive"}
    </span>
  );
}

type Here = { pathname: string; search: string };
type CourseTableProps = {
  courses: (Omit<ListedCourse, "sortValue" | "priceCents"> & { price: string })[];
  here: Here;
  asked: { sort: string; direction: "asc" | "desc" };
  deleteHref: (id: string) => string;
};

export function CourseTable({ courses, here, asked, deleteHref }: CourseTableProps) {
  return (
    <Table caption="Courses">
      <TableHead>
        <Th {...sortLink(here, asked, "title")}>Title</Th>
        <Th>Slug</Th>
        <Th align="end" {...sortLink(here, asked, "price")}>
          Price
        </Th>
        <Th align="end">Lessons</Th>
        <Th>State</Th>
        <Th align="end">
          <span className="sr-only">Actions</span>
        </Th>
      </TableHead>
      <TableBody>
        {courses.map((course) => (
          <Row key={course.id}>
            <Td rowHeader>
              <a href={`/admin/courses/${course.id}`} className="wrap-anywhere">
                {course.title}
              </a>
            </Td>
            <Td label="Slug">
              <span className="course-slug">{course.slug}</span>
            </Td>
            <Td label="Price" align="end">
              {course.price}
            </Td>
            <Td label="Lessons" align="end">
              {course.lessons}
            </Td>
            <Td label="State">
              <CourseState active={course.active} />
            </Td>
            <Td align="end">
              <div className="row-actions">
                <ActiveButton {...course} />
                <ButtonLink
                  variant="ghost"
                  size="sm"
                  href={`/admin/courses/${course.id}`}
                  aria-label={`Edit ${course.title}`}
                >
                  Edit
                </ButtonLink>
                <ButtonLink
                  variant="ghost"
                  size="sm"
                  href={deleteHref(course.id)}
                  aria-label={`Delete ${course.title}`}
                >
                  Delete
                </ButtonLink>
              </div>
            </Td>
          </Row>
        ))}
      </TableBody>
    </Table>
  );
}

type ActiveButtonProps = { id: string; title: string; active: boolean };

/** 'Activate' or 'Deactivate' (spec 2, Admin dashboard). Posts the target state, not a toggle. */
export function ActiveButton({ id, title, active }: ActiveButtonProps) {
  const { state, formData } = useNavigation();
  const intent = active ? "deactivate" : "activate";
  const busy = state !== "idle" && formData?.get("intent") === intent && formData.get("id") === id;
  const label = active ? "Deactivate" : "Activate";
  return (
    <Form method="post" preventScrollReset>
      <input type="hidden" name="id" value={id} />
      <Button
        type="submit"
        name="intent"
        value={intent}
        variant="outline"
        size="sm"
        aria-label={`${label} ${title}`}
        busy={busy}
      >
        {label}
      </Button>
    </Form>
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
