import type { ReactNode } from "react";
import { Form, useNavigate, useNavigation } from "react-router";
import { Button } from "~/ui/button.tsx";
import { ConfirmDialog } from "~/ui/confirm-dialog.tsx";
import type { Going } from "../queries.server.ts";
import { counted, mostCounted, restoreDays } from "../rules.ts";

type Props = { going: Going; closeHref: string };

/** Asks before a course is deleted, and names what goes (spec 2, Admin dashboard). */
export function DeleteCourseDialog(props: Props) {
  const { going } = props;
  return (
    <DeleteDialog {...props} what="course">
      <p>
        Its <strong>{counted(going.modules, "module")}</strong> and{" "}
        <strong>{counted(going.lessons, "lesson")}</strong> are deleted too.
      </p>
      <Students going={going} what="course" />
    </DeleteDialog>
  );
}

/** Asks before a module is deleted, and names its lessons. */
export function DeleteModuleDialog(props: Props) {
  const { going } = props;
  const more = going.lessons - going.lessonTitles.length;
  return (
    <DeleteDialog {...props} what="module">
      {going.lessons === 0 ? (
        <p>It has no lessons.</p>
      ) : (
        <>
          <p>
            Its <strong>{counted(going.lessons, "lesson")}</strong>{" "}
            {going.lessons === 1 ? "is" : "are"} deleted too:
          </p>
          <ul className="confirm-list">
            {going.lessonTitles.map((title, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: titles may be alike; they never move
              <li key={index}>{title}</li>
            ))}
            {more > 0 && <li>and {more.toLocaleString("en-US")} more</li>}
          </ul>
        </>
      )}
      <Students going={going} what="module" />
    </DeleteDialog>
  );
}

function Students({ going, what }: { going: Going; what: "course" | "module" }) {
  const { students, completions, journals } = going;
  if (students + completions === 0) return <p>No student is affected.</p>;
  return (
    <p>
      <strong>{counted(students, "student").replace(/^m/, "M")}</strong>{" "}
      {students === 1 ? "is" : "are"} enrolled and{" "}
      {what === "course" ? "can no longer open it" : "can no longer open these lessons"}. What they
      did stays stored: <strong>{counted(completions, "completed lesson")}</strong>,{" "}
      {completions > mostCounted ? (
        "and what they wrote in their journals"
      ) : (
        <strong>{counted(journals, "journal entry", "journal entries")}</strong>
      )}
      .
    </p>
  );
}

function DeleteDialog({
  going,
  closeHref,
  what,
  children,
}: Props & { what: "course" | "module"; children: ReactNode }) {
  const navigate = useNavigate();
  const { state, formData } = useNavigation();
  const busy = state !== "idle" && formData?.get("intent") === "delete";
  return (
    <ConfirmDialog
      id="delete"
      title={`Delete “${going.title}”?`}
      closeHref={closeHref}
      onClose={() => void navigate(closeHref, { replace: true, preventScrollReset: true })}
      form={
        <Form method="post" action={closeHref}>
          <input type="hidden" name="intent" value="delete" />
          <input type="hidden" name="id" value={going.id} />
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
    </ConfirmDialog>
  );
}
