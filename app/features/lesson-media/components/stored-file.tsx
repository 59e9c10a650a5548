import { type SubmitEvent, useRef, useState } from "react";
import { Button } from "~/ui/button.tsx";
import { Dialog, DialogButton } from "~/ui/dialog.tsx";
import { type MediaKind, mediaKindMessages, unusedMediaDays } from "../messages.ts";
import { lengthInWords, sizeInWords } from "../rules.ts";
import type { StoredMedia } from "../schema.ts";
import { postForm } from "./ask-site.ts";
import type { OfKind } from "./use-panel-state.ts";

type Props = { lessonId: string; kind: MediaKind; fileName: string };

/** A small collapsed player: nothing is loaded before it is opened. */
export function MediaPreview({ lessonId, kind, fileName }: Props) {
  const [isOpen, setIsOpen] = useState(false);
  const player = {
    controls: true,
    preload: isOpen ? "metadata" : "none",
    src: `/admin/lessons/${lessonId}/media?play=${kind}`,
    "aria-label": fileName,
  };
  return (
    <details className="media-preview" onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary>{kind === "video" ? "Watch it here" : "Listen to it here"}</summary>
      {kind === "video" ? <video playsInline {...player} /> : <audio {...player} />}
    </details>
  );
}

type StoredFileProps = OfKind & {
  stored: StoredMedia;
  isBeingReplaced: boolean;
  onReplace: (() => void) | null;
  onRemoved: (words: string) => Promise<boolean>;
};

/** The file that students see: name, length, size, a small player, and actions. */
export function StoredFileView({
  stored,
  isBeingReplaced,
  onReplace,
  onRemoved,
  ...of
}: StoredFileProps) {
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
      {/* A key for each file, so that an open dialog is never about another file. */}
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
    await onRemoved(`${mediaKindMessages[kind].title} removed`);
  }
  // Not while it is open: the file it asks about must not change.
  function lookAgain() {
    if (!error) return;
    setError(null);
    void refresh();
  }
  return (
    <Dialog
      ref={dialog}
      id={id}
      title={`Remove ${mediaKindMessages[kind].the}?`}
      description={`Students no longer see ${stored.fileName}. The file is kept for ${unusedMediaDays} days, then it is deleted.`}
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
              // A browser that supports `command` would close it a second time.
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
