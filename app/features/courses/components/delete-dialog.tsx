import type { ReactNode } from "react";
import { Form, useNavigation } from "react-router";
import { Button } from "~/ui/button.tsx";
import { LinkedConfirmDialog } from "~/ui/confirm-dialog.tsx";
import type { DeletionPreview } from "../deletion-preview.server.ts";
import type { LessonDeletionPreview } from "../lesson-list.server.ts";
import { countedNoun, mostCounted, restoreDays } from "../rules.ts";

type Props = { deletion: DeletionPreview; closeHref: string };

/** Asks before a course is deleted and names what is deleted (spec 2, Admin dashboard). */
export function DeleteCourseDialog(props: Props) {
  const { deletion } = props;
  return (
    <DeleteDialog {...props} what="course">
      <p>
        Its <strong>{countedNoun(deletion.modules, "module")}</strong> and{" "}
        <strong>{countedNoun(deletion.lessons, "lesson")}</strong> are deleted too.
      </p>
      <Students deletion={deletion} what="course" />
    </DeleteDialog>
  );
}

export function DeleteModuleDialog(props: Props) {
  const { deletion } = props;
  const more = deletion.lessons - deletion.lessonTitles.length;
  return (
    <DeleteDialog {...props} what="module">
      {deletion.lessons === 0 ? (
        <p>It has no lessons.</p>
      ) : (
        <>
          <p>
            Its <strong>{countedNoun(deletion.lessons, "lesson")}</strong>{" "}
            {deletion.lessons === 1 ? "is" : "are"} deleted too:
          </p>
          <ul className="confirm-list">
            {deletion.lessonTitles.map((title, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: titles may be alike; they never move
              <li key={index}>{title}</li>
            ))}
            {more > 0 && <li>and {more.toLocaleString("en-US")} more</li>}
          </ul>
        </>
      )}
      <Students deletion={deletion} what="module" />
    </DeleteDialog>
  );
}

export function DeleteLessonDialog({
  lesson,
  closeHref,
}: {
  lesson: LessonDeletionPreview;
  closeHref: string;
}) {
  const { courseTitle, moduleTitle, completions, hasVideo, hasAudio } = lesson;
  const media = [hasVideo && "video", hasAudio && "audio"].filter(Boolean).join(" and ");
  return (
    <DeleteDialog deletion={lesson} closeHref={closeHref} what="lesson">
      <p>
        The lesson leaves {courseTitle}, {moduleTitle}
        {media && `, with its ${media}`}, at once and for everybody.
      </p>
      {completions === 0 ? (
        <p>No student has completed it.</p>
      ) : (
        <p>
          <strong>{countedNoun(completions, "student").replace(/^m/, "M")}</strong>{" "}
          {completions === 1 ? "has" : "have"} completed it. What they did stays stored:{" "}
          <Journals {...lesson} />.
        </p>
      )}
    </DeleteDialog>
  );
}

function Students({ deletion, what }: { deletion: DeletionPreview; what: "course" | "module" }) {
  const { students, completions, journals } = deletion;
  if (students + completions === 0) return <p>No student is affected.</p>;
  return (
    <p>
      <strong>{countedNoun(students, "student").replace(/^m/, "M")}</strong>{" "}
      {students === 1 ? "is" : "are"} enrolled and{" "}
      {what === "course" ? "can no longer open it" : "can no longer open these lessons"}. What they
      did stays stored: <strong>{countedNoun(completions, "completed lesson")}</strong>,{" "}
      <Journals completions={completions} journals={journals} />.
    </p>
  );
}

/** Only the number of entries, never their text; above `mostCounted`, only that some exist. */
function Journals({ completions, journals }: Pick<DeletionPreview, "completions" | "journals">) {
  if (completions > mostCounted) return "and what they wrote in their journals";
  return <strong>{countedNoun(journals, "journal entry", "journal entries")}</strong>;
}

function DeleteDialog({
  deletion,
  closeHref,
  what,
  children,
}: {
  deletion: { id: string; title: string };
  closeHref: string;
  what: "course" | "module" | "lesson";
  children: ReactNode;
}) {
  const { state, formData } = useNavigation();
  const busy = state !== "idle" && formData?.get("intent") === "delete";
  return (
    <LinkedConfirmDialog
      id="delete"
      title={`Delete “${deletion.title}”?`}
      closeHref={closeHref}
      form={
        <Form method="post" action={closeHref}>
          <input type="hidden" name="intent" value="delete" />
          <input type="hidden" name="id" value={deletion.id} />
          <Button type="submit" variant="destructive" busy={busy} busyLabel="Deleting...">
            {`Delete ${what}`}
          </Button>
        </Form>
      }
    >
      {children}
      <p>
        You can bring it back for {restoreDays} days, under “Recently deleted” on the list of
        courses.
      </p>
    </LinkedConfirmDialog>
  );
}
