import { Form, useNavigation } from "react-router";
import { Button } from "~/ui/button.tsx";
import { ConfirmDialog } from "~/ui/confirm-dialog.tsx";
import type { LeavingLesson } from "../../listing/queries.server.ts";
import { counted } from "../../removal/rules.ts";

type Props = { lesson: LeavingLesson; closeHref: string; onClose: () => void };

/** Asks before a lesson is deleted, and names what goes and what stays. */
export function DeleteLesson({ lesson, closeHref, onClose }: Props) {
  const isDeleting = useNavigation().formMethod === "POST";
  const { title, courseTitle, moduleTitle, completedBy, journals, hasVideo, hasAudio } = lesson;
  const media = [hasVideo && "video", hasAudio && "audio"].filter(Boolean).join(" and ");
  return (
    <ConfirmDialog
      id="delete-lesson"
      title={`Delete “${title}”?`}
      closeHref={closeHref}
      onClose={onClose}
      form={
        <Form method="post" action={closeHref} preventScrollReset>
          <input type="hidden" name="id" value={lesson.id} />
          <Button type="submit" variant="destructive" busy={isDeleting} busyLabel="Deleting...">
            Delete lesson
          </Button>
        </Form>
      }
    >
      <p>
        The lesson leaves {courseTitle}, {moduleTitle}
        {media && `, with its ${media}`}, at once and for everybody.
      </p>
      <p>
        {completedBy === 0
          ? "No student has completed it."
          : `${counted(completedBy, "student has", "students have").replace(/^m/, "M")} completed it. ${
              journals > 0 ? "What they wrote in their journals stays theirs." : ""
            }`}
      </p>
      <p>You can bring it back for 30 days, under “Recently deleted” on the list of courses.</p>
    </ConfirmDialog>
  );
}
