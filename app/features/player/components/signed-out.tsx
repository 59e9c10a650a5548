import { Form } from "react-router";
import type { JournalFormError, SentJournal } from "~/features/journal/answers-form.server.ts";
import { SignInAgain } from "~/ui/autosave-status.tsx";
import { Button } from "~/ui/button.tsx";
import { Field } from "~/ui/field.tsx";
import { JournalBox } from "~/ui/journal-box.tsx";
import { Notice } from "~/ui/notice.tsx";
import { Page, Section } from "~/ui/page.tsx";
import { pageTitle } from "~content/site.ts";
import { playerMessages } from "../messages.ts";

/** The session expired while a student without scripts was writing: this page returns the
 * answers that were sent, ready to be sent again after signing in. */
export function SignedOut(props: {
  problem: JournalFormError | undefined;
  journal: SentJournal | null;
}) {
  const { userId = "", lessonId = "", drafts = [], answers = [] } = props.journal ?? {};
  return (
    <Page width="text">
      <Section>
        <title>{pageTitle("You have been signed out")}</title>
        <meta name="robots" content="noindex" />
        <h1 className="mb-8 text-3xl">You have been signed out</h1>
        <Notice tone="warning" live>
          <p>{props.problem?.message ?? playerMessages.signedOut}</p>
          <p className="mt-2">
            <SignInAgain />
          </p>
        </Notice>
        <Form
          method="post"
          encType="multipart/form-data"
          reloadDocument
          className="mt-8 grid gap-6"
        >
          <input type="hidden" name="lessonId" value={lessonId} />
          <input type="hidden" name="userId" value={userId} />
          {drafts.map(({ id, revision }) => (
            <input key={id} type="hidden" name="draft" value={`${id}:${revision}`} />
          ))}
          {answers.map(({ question, answer }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two questions may be alike; they never move
            <Field key={index} prominent label={question}>
              <input type="hidden" name="question" value={question} />
              <JournalBox name="answer" defaultValue={answer} autoFocus={index === 0} />
            </Field>
          ))}
          <Button type="submit">I am signed in: save it now</Button>
        </Form>
      </Section>
    </Page>
  );
}
