import { useState } from "react";
import type { MediaKind } from "../texts.ts";

type Props = { lessonId: string; kind: MediaKind; fileName: string };

/** A small player behind a line: not a byte is loaded before it is opened. */
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
