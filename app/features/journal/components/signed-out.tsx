import { Form } from "react-router";
import { Button } from "~/ui/button.tsx";
import { Field } from "~/ui/field.tsx";
import { JournalBox } from "~/ui/inputs.tsx";
import { Page, Section } from "~/ui/page.tsx";
import { pageTitle } from "~content/site.ts";
import { useSite } from "~content/use-site.ts";
import type { RefusedJournal, SentJournal } from "../answers-form.server.ts";
import { JournalFields, JournalProblem } from "./journal-autosave.tsx";

/** The session expired while a student without scripts was writing: this page returns the
 * answers that were sent, ready to be sent again after signing in. */
export function SignedOut({ problem, journal }: Pick<RefusedJournal, "problem" | "journal">) {
  const site = useSite();
  return (
    <Page width="text">
      <Section>
        <title>{pageTitle(site, "You have been signed out")}</title>
        <meta name="robots" content="noindex" />
        <h1 className="mb-8 text-3xl">You have been signed out</h1>
        <JournalProblem problem={problem} tone="warning" />
        {journal && (
          <Form
            method="post"
            encType="multipart/form-data"
            reloadDocument
            className="mt-8 grid gap-6"
          >
            <SentAnswers journal={journal} />
            <Button type="submit">I am signed in: save it now</Button>
          </Form>
        )}
      </Section>
    </Page>
  );
}

/** The fields of a refused form, to be sent again. */
export function SentAnswers({ journal }: { journal: SentJournal }) {
  return (
    <>
      <JournalFields {...journal} />
      {journal.answers.map(({ question, answer }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two questions may be alike; they never move
        <Field key={index} prominent label={question}>
          <input type="hidden" name="question" value={question} />
          <JournalBox name="answer" defaultValue={answer} autoFocus={index === 0} />
        </Field>
      ))}
    </>
  );
}
