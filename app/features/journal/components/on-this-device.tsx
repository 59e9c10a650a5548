import { useState } from "react";
import { Button } from "~/ui/button.tsx";
import { DraftText } from "./draft-offer.tsx";
import { journalDevice, type LocalDraft } from "./use-journal-draft.ts";

/** Words that the server did not take, to be read and copied: this browser alone has them. */
export function OnThisDevice({ drafts, userId }: { drafts: LocalDraft[]; userId: string }) {
  const [gone, setGone] = useState<string[]>([]);
  function forget({ draftId, revision }: LocalDraft) {
    journalDevice.drop(userId, draftId, revision);
    setGone((ids) => [...ids, draftId]);
  }
  return drafts
    .filter(({ draftId }) => !gone.includes(draftId))
    .map((draft) => (
      <div key={draft.draftId} className="mt-8 rounded-card border border-line p-4 print:hidden">
        <p className="text-sm text-clay">
          These words are kept only on this device. The site has not taken them.
        </p>
        <DraftText answers={draft.answers} />
        <details className="mt-4">
          <summary className="text-sm text-ink-soft">Delete them from this device</summary>
          <Button variant="outline" size="sm" className="mt-3" onClick={() => forget(draft)}>
            Yes, delete these words
          </Button>
        </details>
      </div>
    ));
}
