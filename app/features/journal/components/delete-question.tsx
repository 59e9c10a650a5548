import { Form, useNavigation } from "react-router";
import { Button } from "~/ui/button.tsx";
import { LinkedConfirmDialog } from "~/ui/confirm-dialog.tsx";
import { Notice } from "~/ui/notice.tsx";
import type { AskedDeletion } from "../journal-page.server.ts";
import { journalPath } from "../messages.ts";

const titles = {
  answer: "Delete this answer?",
  draft: "Delete this draft?",
  photograph: "Delete this photograph?",
  lesson: "Delete this entry?",
  all: "Delete everything you have written?",
};

type Props = {
  asking: AskedDeletion;
  page: number;
  /** Why it has not been deleted, when that was tried. */
  problem: string | null;
};

/** Asks before anything is deleted, and names what goes and what stays. */
export function DeleteQuestion({ asking, page, problem }: Props) {
  const { state, formData } = useNavigation();
  const busy = state !== "idle" && formData?.get("intent") === "delete";
  return (
    <LinkedConfirmDialog
      id="delete"
      title={titles[asking.kind]}
      closeHref={`${journalPath}?page=${page}`}
      form={
        <Form method="post" action={journalPath} preventScrollReset>
          <input type="hidden" name="intent" value="delete" />
          <input type="hidden" name="target" value={asking.key} />
          <input type="hidden" name="version" value={asking.version} />
          <Button type="submit" variant="destructive" busy={busy} busyLabel="Deleting...">
            {asking.kind === "all" ? "Delete everything" : "Delete it"}
          </Button>
        </Form>
      }
    >
      <What asking={asking} />
      <p>
        {asking.kind === "draft" || asking.kind === "photograph"
          ? "It cannot be brought back."
          : "It cannot be brought back. What you have completed stays completed."}
      </p>
      {problem && (
        <Notice tone="destructive" live>
          {problem}
        </Notice>
      )}
    </LinkedConfirmDialog>
  );
}

function What({ asking: { kind, what, title, titles: courses } }: Pick<Props, "asking">) {
  if (kind === "all")
    return (
      <>
        <p>
          <strong>{what}</strong> in {courses.length === 1 ? "this course" : "these courses"} go:
        </p>
        <ul className="list-disc ps-5">
          {courses.map((course) => (
            <li key={course}>{course}</li>
          ))}
        </ul>
        <p>You can download or print it first.</p>
      </>
    );
  if (kind === "answer")
    return (
      <p>
        Your answer to <strong>“{what}”</strong>, in “{title}”.
      </p>
    );
  return (
    <p>
      <strong>{what.charAt(0).toUpperCase() + what.slice(1)}</strong>, in “{title}”.
    </p>
  );
}
