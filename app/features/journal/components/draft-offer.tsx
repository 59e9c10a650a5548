import type { ReactNode } from "react";
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

type OfferProps = { draft: OfferedDraft; lessonKey: string; onRestore: () => void };

/** Offers text that was typed and not sent. With scripts it is put beside what stands in the boxes
 * already; without, the address brings it into empty boxes. */
export function DraftOffer({ draft, lessonKey, onRestore }: OfferProps) {
  const query = new URLSearchParams({ lesson: lessonKey, draft: draft.id });
  return (
    <Offer text={unsent(draft)}>
      <Link
        to={`?${query}`}
        className={buttonStyles({ variant: "link", size: "sm" })}
        onClick={(event) => {
          event.preventDefault();
          onRestore();
        }}
      >
        Restore it?
      </Link>
    </Offer>
  );
}

/** Offers text that the server did not take: this browser has it. */
export function DeviceOffer({ onRestore }: Pick<OfferProps, "onRestore">) {
  return (
    <Offer text="Some of your text is saved only on this device.">
      <Button variant="link" size="sm" onClick={onRestore}>
        Restore it?
      </Button>
    </Offer>
  );
}

function Offer({ text, children }: { text: string; children: ReactNode }) {
  return (
    <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-ink-soft">
      <span>{text}</span>
      {children}
    </p>
  );
}

const unsent = ({ when }: OfferedDraft) => `You have an unsent draft from ${when}.`;

/** A draft beside a lesson that is completed: to be read, or deleted. */
export function SavedDraft({ draft, slug }: { draft: OfferedDraft; slug: string }) {
  return (
    <details className="rounded-card border border-line p-4">
      <summary>{unsent(draft)} Read it</summary>
      <DraftText answers={draft.answers} />
      <Form method="post" action={`/courses/${slug}/learn/draft`} reloadDocument className="mt-4">
        <input type="hidden" name="draft" value={`${draft.id}:${draft.revision}`} />
        <Button type="submit" variant="outline" size="sm">
          Delete this draft
        </Button>
      </Form>
    </details>
  );
}
