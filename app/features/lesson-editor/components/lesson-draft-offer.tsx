import { Button } from "~/ui/button.tsx";
import { buttonStyles } from "~/ui/button-styles.ts";
import { Notice } from "~/ui/notice.tsx";
import type { LessonDraft } from "../drafts.server.ts";

type Props = {
  draft: LessonDraft;
  lessonId: string;
  /** This page with the draft in its form, for browsers without scripts. */
  href: string;
  /** The lesson was saved since, by another user or in another tab. */
  isOlder: boolean;
  onContinue: (draft: LessonDraft) => void;
  onDiscard: (draft: LessonDraft) => void;
};

/** Offers a draft that was typed and not saved. */
export function LessonDraftOffer({ draft, lessonId, href, isOlder, onContinue, onDiscard }: Props) {
  const name = draft.fields.title.trim();
  return (
    <Notice className="writing-offer">
      <p>
        You were writing this on {draft.when}
        {name && <>: “{name}”</>}.{" "}
        {isOlder && "The lesson was saved elsewhere since; both versions will be shown."}
      </p>
      <div className="writing-offer-buttons">
        <a
          href={href}
          className={buttonStyles({ variant: "default", size: "sm" })}
          onClick={(event) => {
            event.preventDefault();
            onContinue(draft);
          }}
        >
          Continue
        </a>
        <form
          method="post"
          action={`/admin/lessons/${lessonId}/draft`}
          onSubmit={(event) => {
            event.preventDefault();
            onDiscard(draft);
          }}
        >
          <input type="hidden" name="draft" value={`${draft.id}:${draft.revision}`} />
          <Button type="submit" variant="outline" size="sm">
            Discard
          </Button>
        </form>
      </div>
    </Notice>
  );
}
