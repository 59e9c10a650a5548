import { Form, Link } from "react-router";
import { Button } from "~/ui/button.tsx";
import { buttonStyles } from "~/ui/button-styles.ts";
import type { OpenLesson } from "../player/queries.server.ts";
import { DraftWords } from "./draft-words.tsx";

type Draft = OpenLesson["drafts"][number];

type Props = { draft: Draft; lessonKey: string; onRestore: (draft: Draft) => void };

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
      <span>Words of yours are kept only on this device.</span>
      <Button variant="link" size="sm" onClick={onRestore}>
        Restore them?
      </Button>
    </p>
  );
}

/** A draft beside a lesson that is completed: to be read, or deleted. */
export function KeptDraft({ draft, slug }: { draft: Draft; slug: string }) {
  return (
    <details className="rounded-card border border-line p-4">
      <summary>You have an unsent draft from {draft.when}. Read it</summary>
      <DraftWords answers={draft.answers} />
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
