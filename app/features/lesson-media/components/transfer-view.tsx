import { Button } from "~/ui/button.tsx";
import { Notice } from "~/ui/notice.tsx";
import { Progress } from "~/ui/progress.tsx";
import type { UploadState } from "../media-panel.server.ts";
import { mediaProblems, renditionNames } from "../messages.ts";
import { percentOf, sizeInWords } from "../rules.ts";
import { useAsk } from "./ask-dialog.tsx";
import { discardUpload } from "./ask-site.ts";
import { isMoving, type Transfer, type TransferStatus } from "./upload-store.ts";

type RefusedProps = { fileName: string; reason: string | null; onDismiss: () => void };

export function RefusedNotice({ fileName, reason, onDismiss }: RefusedProps) {
  return (
    <Notice tone="destructive" title={`${fileName} was not taken`} live>
      <p>{reason}</p>
      <Button variant="link" size="sm" onClick={onDismiss}>
        Dismiss
      </Button>
    </Notice>
  );
}

type StoppedProps = { upload: UploadState; refresh: () => Promise<boolean> };

/** An upload that stopped: its tab was closed, or the computer never woke from sleep. */
export function StoppedNotice({ upload, refresh }: StoppedProps) {
  const [dialog, ask] = useAsk();
  const { id, fileName, received, size } = upload;
  const percent = percentOf(received, size);
  const discard = () =>
    ask({
      title: `Delete what has arrived of ${fileName}?`,
      text: `The ${percent} % that have arrived are deleted. The file on your computer stays as it is.`,
      yes: "Delete",
      onYes: () => discardUpload(id).then(refresh),
    });
  return (
    <Notice title={`${fileName} stopped at ${percent} %`}>
      <p>Choose the same file again and it goes on from there.</p>
      <Button variant="link" size="sm" onClick={discard}>
        Delete what has arrived
      </Button>
      {dialog}
    </Notice>
  );
}

const words: Record<TransferStatus, string> = {
  converting: "Converting in this browser",
  queued: "Waits for the others",
  starting: "Starting",
  uploading: "Uploading",
  waiting: "The connection is lost. Trying again by itself.",
  paused: "Paused",
  "signed-out": mediaProblems.signedOut,
  checking: "All of it has arrived. The site is checking it.",
  refused: "",
  ready: "Ready",
};

/** An upload that had arrived before, and that the site is checking. */
export function ArrivedView({ fileName }: { fileName: string }) {
  return (
    <div className="transfer">
      <p className="media-file">{fileName}</p>
      <p className="transfer-status" role="status">
        {words.checking}
      </p>
    </div>
  );
}

type TransferProps = { transfer: Transfer; refresh: () => Promise<boolean> };

/** An upload of this tab on its way. */
export function TransferView({ transfer, refresh }: TransferProps) {
  const { fileName, size, sent, status, left, pause, resume, rendition } = transfer;
  const isConverting = status === "converting";
  const [dialog, ask] = useAsk();
  const percent = percentOf(sent, size);
  const of = isConverting ? "" : ` of ${sizeInWords(size)}`;
  const amount = [`${percent} %${of}`, left].filter(Boolean).join(", ");
  const isHalted = status === "paused" || status === "signed-out";
  const cancel = () =>
    ask({
      title: `Stop ${isConverting ? "converting" : "uploading"} ${fileName}?`,
      text: isConverting
        ? "What is converted so far is deleted. The film on your computer stays as it is."
        : `The ${percent} % that have arrived are deleted.`,
      yes: `Stop ${isConverting ? "converting" : "uploading"}`,
      onYes: () => transfer.cancel().then(refresh),
    });
  return (
    <div className="transfer">
      <p className="media-file">{rendition ? renditionNames[rendition] : fileName}</p>
      <Progress value={percent} label={amount} />
      <p className="transfer-status" role="status">
        {words[status]}
      </p>
      {status !== "ready" && status !== "checking" && (
        <div className="media-actions">
          {!isConverting && (
            <Button variant="outline" size="sm" onClick={isHalted ? resume : pause}>
              {isHalted ? "Resume" : "Pause"}
            </Button>
          )}
          <Button variant="ghost" size="sm" onClick={cancel}>
            Stop
          </Button>
        </div>
      )}
      {isMoving(transfer) && (
        <p className="media-hint">
          You can save the lesson and go on elsewhere in the admin. Only this tab has to stay open.
        </p>
      )}
      {dialog}
    </div>
  );
}
