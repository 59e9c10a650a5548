import { Button } from "~/ui/button.tsx";
import { buttonStyles } from "~/ui/button-styles.ts";
import { Notice } from "~/ui/notice.tsx";
import type { Writing } from "../../writing/queries.server.ts";

type Props = {
  draft: Writing;
  lessonId: string;
  /** The address of this page with the draft in its form, where scripts are off. */
  href: string;
  /** The lesson was saved since, by somebody else or in another tab. */
  isOlder: boolean;
  onContinue: (draft: Writing) => void;
  onDiscard: (draft: Writing) => void;
};

/** Offers words that were typed and not saved. */
export function WritingOffer({ draft, lessonId, href, isOlder, onContinue, onDiscard }: Props) {
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
          <input type="hidden" name="draft" value={`${draft.id}:${draft.saves}`} />
          <Button type="submit" variant="outline" size="sm">
            Discard
          </Button>
        </form>
      </div>
    </Notice>
  );
}
