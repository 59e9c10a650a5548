import { useState } from "react";
import { Button } from "~/ui/button.tsx";
import { DialogButton } from "~/ui/dialog.tsx";
import { Notice } from "~/ui/notice.tsx";
import { lengthInWords } from "../length.ts";
import type { StoredMedia } from "../media-panel.server.ts";
import {
  conversionMessages,
  mediaKindMessages,
  mediaPanelMessages,
  renditionNames,
  unusedMediaDays,
} from "../messages.ts";
import { sizeInWords } from "../rules.ts";
import { RemoveDialog } from "./ask-dialog.tsx";
import type { OfKind } from "./use-panel-state.ts";

type Props = OfKind & {
  stored: StoredMedia;
  isBeingReplaced: boolean;
  onReplace: (() => void) | null;
  onRemoved: (words: string) => unknown;
};

/** The file that students see: name, length, size, a small player, and actions. */
export function StoredFileView({ stored, isBeingReplaced, onReplace, onRemoved, ...of }: Props) {
  const { lessonId, kind } = of;
  const { key, fileName, durationMs, size, film, warning, convertedPercent, renditions } = stored;
  const facts = [
    film,
    durationMs === null ? null : lengthInWords(durationMs),
    size === null ? null : sizeInWords(size),
  ].filter(Boolean);
  const dialogId = `remove-${kind}`;
  return (
    <div className="stored">
      <p className="media-file">{fileName}</p>
      {facts.length > 0 && <p className="media-facts">{facts.join(" · ")}</p>}
      {warning && !isBeingReplaced && (
        <Notice tone="warning" title={warning.title}>
          <p>{warning.text}</p>
        </Notice>
      )}
      {convertedPercent !== null && !isBeingReplaced && (
        <p className="media-hint">{conversionMessages.converting(convertedPercent)}</p>
      )}
      {renditions.length > 0 && !isBeingReplaced && (
        <p className="media-hint">
          {conversionMessages.made(renditions.map((name) => renditionNames[name]))}
        </p>
      )}
      {isBeingReplaced && (
        <p className="media-hint">Students see this one until the new one is ready.</p>
      )}
      <MediaPreview key={key} lessonId={lessonId} kind={kind} fileName={fileName} />
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
        key={`remove ${key}`}
        id={dialogId}
        title={`Remove ${mediaKindMessages[kind].the}?`}
        text={`Students no longer see ${fileName}. The file is kept for ${unusedMediaDays} days, then it is deleted.`}
        action={`/admin/lessons/${lessonId}/media`}
        fields={{ intent: "remove", kind, key }}
        yes="Remove"
        onRemoved={() => onRemoved(mediaPanelMessages.removed[kind].title)}
        refresh={of.refresh}
      />
    </div>
  );
}

type PreviewProps = Pick<OfKind, "lessonId" | "kind"> & { fileName: string };

/** A small collapsed player: nothing is loaded before it is opened. */
function MediaPreview({ lessonId, kind, fileName }: PreviewProps) {
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
