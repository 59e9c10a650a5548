import { type SubmitEvent, useRef, useState } from "react";
import { Button } from "~/ui/button.tsx";
import { Dialog, DialogButton } from "~/ui/dialog.tsx";
import { lengthInWords } from "../../panel/rules.ts";
import type { StoredMedia } from "../../panel/schema.ts";
import { kindWords } from "../../panel/texts.ts";
import { sizeInWords } from "../rules.ts";
import { keptDays } from "../texts.ts";
import { postForm } from "./ask-site.ts";
import { MediaPreview } from "./media-preview.tsx";
import type { OfKind } from "./use-panel-state.ts";

type Props = OfKind & {
  stored: StoredMedia;
  isBeingReplaced: boolean;
  onReplace: (() => void) | null;
  onRemoved: (words: string) => Promise<boolean>;
};

/** The file that students see: its name, length and size, a small player, and ways to be rid of it. */
export function StoredFile({ stored, isBeingReplaced, onReplace, onRemoved, ...of }: Props) {
  const { lessonId, kind } = of;
  const { fileName, durationMs, size } = stored;
  const facts = [
    durationMs === null ? null : lengthInWords(durationMs),
    size === null ? null : sizeInWords(size),
  ].filter(Boolean);
  const dialogId = `remove-${kind}`;
  return (
    <div className="stored">
      <p className="media-file">{fileName}</p>
      {facts.length > 0 && <p className="media-facts">{facts.join(" · ")}</p>}
      {isBeingReplaced && (
        <p className="media-hint">Students see this one until the new one is ready.</p>
      )}
      <MediaPreview key={stored.key} lessonId={lessonId} kind={kind} fileName={fileName} />
      <div className="media-actions">
        {onReplace && (
          <Button variant="outline" size="sm" className="needs-scripts" onClick={onReplace}>
            Replace
          </Button>
        )}
        <DialogButton dialog={dialogId} variant="ghost" size="sm">
          Remove
        </DialogButton>
      </div>
      {/* Another file is another question: one that is open is not put over to it. */}
      <RemoveDialog
        key={`remove ${stored.key}`}
        id={dialogId}
        stored={stored}
        onRemoved={onRemoved}
        {...of}
      />
    </div>
  );
}

type RemoveProps = Pick<OfKind, "lessonId" | "kind" | "refresh"> & {
  id: string;
  stored: StoredMedia;
  onRemoved: (words: string) => Promise<boolean>;
};

function RemoveDialog({ id, stored, lessonId, kind, refresh, onRemoved }: RemoveProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  async function remove(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    if (busy) return;
    setBusy(true);
    const answer = await postForm(event.currentTarget.action, new FormData(event.currentTarget));
    setBusy(false);
    setError(answer.ok ? null : answer.message);
    if (!answer.ok) return;
    dialog.current?.close();
    await onRemoved(`${kindWords[kind].title} removed`);
  }
  // Not while it is open: what is asked about stands still.
  function lookAgain() {
    if (!error) return;
    setError(null);
    void refresh();
  }
  return (
    <Dialog
      ref={dialog}
      id={id}
      title={`Remove ${kindWords[kind].the}?`}
      description={`Students no longer see ${stored.fileName}. The file is kept for ${keptDays} days, then it is deleted.`}
      onClose={lookAgain}
    >
      <form method="post" action={`/admin/lessons/${lessonId}/media`} onSubmit={remove}>
        <input type="hidden" name="intent" value="remove" />
        <input type="hidden" name="kind" value={kind} />
        <input type="hidden" name="key" value={stored.key} />
        {error && (
          <p className="field-error" role="alert">
            {error}
          </p>
        )}
        <div className="media-actions">
          <Button type="submit" variant="destructive" busy={busy} busyLabel="Removing">
            Remove
          </Button>
          <Button
            variant="outline"
            command="close"
            commandfor={id}
            onClick={(event) => {
              // The browser may know `command`, and would close it once more.
              event.preventDefault();
              dialog.current?.close();
            }}
          >
            Keep
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
