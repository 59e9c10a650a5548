import { Form, useSearchParams } from "react-router";
import { Button } from "~/ui/button.tsx";
import { Field } from "~/ui/field.tsx";
import { JournalBox } from "~/ui/journal-box.tsx";
import { Notice } from "~/ui/notice.tsx";
import type { SentJournal } from "../answers-form.server.ts";
import { asNewAnswer } from "../journal-page-messages.ts";
import type { Unsaved } from "./answer-form.tsx";

type Props = { unsaved: Unsaved & { journal: SentJournal | null }; userId: string };

/** Words for an answer that is not in the journal any more, and whose form is therefore nowhere below. */
export function UnplacedAnswer({ unsaved: { problem, journal }, userId }: Props) {
  const key = useSearchParams()[0].get("edit") ?? "";
  const [sent] = journal?.answers ?? [];
  if (!journal || !sent) return null;
  return (
    <Form
      method="post"
      action={`?edit=${key}&version=${asNewAnswer}`}
      encType="multipart/form-data"
      className="notebook-form mt-8"
    >
      <input type="hidden" name="userId" value={userId} />
      <input type="hidden" name="lessonId" value={journal.lessonId} />
      {journal.drafts.map(({ id, revision }) => (
        <input key={id} type="hidden" name="draft" value={`${id}:${revision}`} />
      ))}
      <input type="hidden" name="question" value={sent.question} />
      <Notice tone="warning" live>
        <p>{problem.message}</p>
      </Notice>
      <Field label={sent.question} prominent>
        <JournalBox name="answer" defaultValue={problem.texts[0]} />
      </Field>
      <p className="notebook-buttons">
        <Button type="submit">Save</Button>
      </p>
    </Form>
  );
}
