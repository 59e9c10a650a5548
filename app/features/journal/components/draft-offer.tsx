import { Form, Link } from "react-router";
import { Button } from "~/ui/button.tsx";
import { buttonStyles } from "~/ui/button-styles.ts";
import type { Answer, OfferedDraft } from "../schema.ts";

/** What was typed into a lesson's boxes, to be read: each answer under its question. */
export function DraftText({ answers }: { answers: Answer[] }) {
  return answers
    .filter(({ answer }) => answer.trim() !== "")
    .map(({ question, answer }, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: two questions may be alike; they never move
      <div key={index} className="mt-4">
        <p className="text-sm text-ink-soft">{question}</p>
        <p dir="auto" className="written">
          {answer}
        </p>
      </div>
    ));
}

type Props = { draft: OfferedDraft; lessonKey: string; onRestore: (draft: OfferedDraft) => void };

/**
 * Offers words that were typed and not sent. With scripts they are laid beside what
 * stands in the boxes already; without, the address brings them into empty boxes.
 */
export function DraftOffer({ draft, lessonKey, onRestore }: Props) {
  const query = new URLSearchParams({ lesson: lessonKey, draft: draft.id });
  return (
    <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-ink-soft">
      <span>You have an unsent draft from {draft.when}.</span>
      <Link
        to={`?${query}`}
        className={buttonStyles({ variant: "link", size: "sm" })}
        onClick={(event) => {
          event.preventDefault();
          onRestore(draft);
        }}
      >
        Restore it?
      </Link>
    </p>
  );
}

/** Offers words that the server did not take: this browser has kept them. */
export function DeviceOffer({ onRestore }: { onRestore: () => void }) {
  return (
    <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-ink-soft">
      <span>Text of yours is saved only on this device.</span>
      <Button variant="link" size="sm" onClick={onRestore}>
        Restore them?
      </Button>
    </p>
  );
}

/** A draft beside a lesson that is completed: to be read, or deleted. */
export function SavedDraft({ draft, slug }: { draft: OfferedDraft; slug: string }) {
  return (
    <details className="rounded-card border border-line p-4">
      <summary>You have an unsent draft from {draft.when}. Read it</summary>
      <DraftText answers={draft.answers} />
      <Form method="post" action={`/courses/${slug}/learn/draft`} reloadDocument className="mt-4">
        <input type="hidden" name="draftId" value={draft.id} />
        <input type="hidden" name="revision" value={draft.revision} />
        <Button type="submit" variant="outline" size="sm">
          Delete this draft
        </Button>
      </Form>
    </details>
  );
}
