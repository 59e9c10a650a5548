import { Form, useNavigation } from "react-router";
import { Button, ButtonLink } from "~/ui/button.tsx";
import { askBeforeSending } from "~/ui/unsaved.ts";
import { ActiveButton } from "./course-table.tsx";

type Props = {
  course: { id: string; title: string; slug: string; active: boolean };
  /** The id of the copy, if one is made from this page. */
  copyId: string;
};

/** What can be done with a course as a whole. */
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
