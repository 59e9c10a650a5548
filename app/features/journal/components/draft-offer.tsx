import type { ReactNode } from "react";
import { Form, Link } from "react-router";
import { draftsText } from "~/features/drafts/rules.ts";
import { Button } from "~/ui/button.tsx";
import { buttonStyles } from "~/ui/button-styles.ts";
import { firstWords } from "../place-answers.ts";
import type { Answer, ShownDraft } from "../schema.ts";

const row = "flex flex-wrap items-baseline gap-x-4 gap-y-1";

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

type DraftProps = { draft: ShownDraft; onDiscard: () => void };

/** Above the boxes: where the text in them comes from. */
export function RestoredDraft({ draft, onDiscard }: DraftProps) {
  return (
    <div className={`${row} text-ink-soft`}>
      <p>
        {draft.when
          ? `Your words from ${draft.when} are here again.`
          : "Your words are here again. They are saved only on this device, for about a week."}
      </p>
      <Discard draft={draft} onDiscard={onDiscard}>
        This empties the boxes, and cannot be undone.
      </Discard>
    </div>
  );
}

type OtherDraftsProps = {
  drafts: ShownDraft[];
  lessonKey: string;
  onOpen: (draft: ShownDraft) => void;
  onDiscard: (draft: ShownDraft) => void;
};

/** The drafts of a lesson that are not in its boxes. Without scripts, the address of one brings it
 * there instead of the newest. */
export function OtherDrafts({ drafts, lessonKey, onOpen, onDiscard }: OtherDraftsProps) {
  if (drafts.length === 0) return null;
  return (
    <section aria-labelledby="other-drafts" className="text-sm">
      <h3 id="other-drafts" className="font-sans text-sm font-normal text-ink-soft">
        Other drafts of this lesson
      </h3>
      <ul className="mt-2 border-b border-line">
        {drafts.map((draft) => (
          <li key={draft.id} className={`${row} justify-end border-t border-line py-3 text-end`}>
            <span className="inline-block min-w-32 text-start text-ink-soft first-letter:uppercase max-sm:basis-full">
              {draft.when ?? "only on this device"}
            </span>
            <span dir="auto" className="min-w-0 grow basis-48 truncate text-start">
              {firstWords(draft.answers)}
            </span>
            <Link
              to={`?${new URLSearchParams({ lesson: lessonKey, draft: draft.id })}`}
              className={buttonStyles({ variant: "link", size: "sm" })}
              onClick={(event) => {
                event.preventDefault();
                onOpen(draft);
              }}
            >
              Open
              <span className="sr-only">: {firstWords(draft.answers)}</span>
            </Link>
            <Discard draft={draft} onDiscard={() => onDiscard(draft)}>
              This cannot be undone.
            </Discard>
          </li>
        ))}
      </ul>
    </section>
  );
}

const discardForm = "discard-draft";

/** Sends the buttons of {@link Discard} where no script does: a form cannot stand in another one. */
export function DiscardForm({ slug }: { slug: string }) {
  return <form id={discardForm} method="post" action={`/courses/${slug}/learn/draft`} />;
}

function Discard({ draft, onDiscard, children }: DraftProps & { children: ReactNode }) {
  return (
    <details className="open:basis-full print:hidden">
      <summary className={buttonStyles({ variant: "link", size: "sm", className: "list-none" })}>
        Discard<span className="sr-only">: {firstWords(draft.answers)}</span>
      </summary>
      <p className={`${row} mt-2 [li_&]:justify-end text-sm`}>
        <span>{children}</span>
        <Button
          type="submit"
          form={discardForm}
          name="draft"
          value={draftsText([draft])}
          variant="outline"
          size="sm"
          onClick={(event) => {
            event.preventDefault();
            onDiscard();
          }}
        >
          Yes, discard it
        </Button>
      </p>
    </details>
  );
}

type SavedProps = { draft: ShownDraft; slug: string; isOpen: boolean };

/** A draft beside a lesson that is completed: to be read, or deleted. */
export function SavedDraft({ draft, slug, isOpen }: SavedProps) {
  return (
    <details className="rounded-card border border-line p-4" open={isOpen}>
      <summary>You have an unsent draft from {draft.when}. Read it</summary>
      <DraftText answers={draft.answers} />
      <Form method="post" action={`/courses/${slug}/learn/draft`} reloadDocument className="mt-4">
        <input type="hidden" name="draft" value={draftsText([draft])} />
        <Button type="submit" variant="outline" size="sm">
          Delete this draft
        </Button>
      </Form>
    </details>
  );
}
