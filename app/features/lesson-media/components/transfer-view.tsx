import { Button } from "~/ui/button.tsx";
import { Notice } from "~/ui/notice.tsx";
import { Progress } from "~/ui/progress.tsx";
import { mediaProblems } from "../messages.ts";
import { percentOf, sizeInWords } from "../rules.ts";
import type { StoppedUpload } from "../schema.ts";
import { isMoving, type Transfer, type TransferStatus } from "./upload-store.ts";
import {
  cancelUpload,
  discardUpload,
  dismissUpload,
  pauseUpload,
  resumeUpload,
} from "./uploads.ts";
import { useAsk } from "./use-ask.tsx";

type Props = { fileName: string; reason: string | null; onDismiss: () => void };

export function RefusedNotice({ fileName, reason, onDismiss }: Props) {
  return (
    <Notice tone="destructive" title={`${fileName} was not taken`} live>
      <p>{reason}</p>
      <Button variant="link" size="sm" onClick={onDismiss}>
        Dismiss
      </Button>
    </Notice>
  );
}

type StoppedNoticeProps = { upload: StoppedUpload; refresh: () => Promise<boolean> };

/** An upload that stopped: its tab was closed, or the computer never woke from sleep. */
export function StoppedNotice({ upload, refresh }: StoppedNoticeProps) {
  const [dialog, ask] = useAsk();
  const { id, fileName, received, size } = upload;
  const percent = percentOf(received, size);
  const forget = () =>
    ask({
      title: `Delete what has arrived of ${fileName}?`,
      text: `The ${percent} % that have arrived are deleted. The file on your computer stays as it is.`,
      yes: "Delete",
      no: "Keep",
      onYes: async () => {
        await discardUpload(id);
        await refresh();
      },
    });
  return (
    <Notice title={`${fileName} stopped at ${percent} %`}>
      <p>Choose the same file again and it goes on from there.</p>
      <Button variant="link" size="sm" onClick={forget}>
        Delete what has arrived
      </Button>
      {dialog}
    </Notice>
  );
}

const words: Record<TransferStatus, string> = {
  starting: "Starting",
  uploading: "Uploading",
  waiting: "The connection is lost. Trying again by itself.",
  paused: "Paused",
  "signed-out": mediaProblems.signedOut,
  checking: "All of it has arrived. The site is checking it.",
  refused: "",
  ready: "Ready",
};

type TransferViewProps = { transfer: Transfer; refresh: () => Promise<boolean> };

export function TransferView({ transfer, refresh }: TransferViewProps) {
  const { fileName, size, sent, status, left } = transfer;
  const [dialog, ask] = useAsk();
  if (status === "refused")
    return (
      <RefusedNotice
        fileName={fileName}
        reason={transfer.reason}
        onDismiss={() => dismissUpload(transfer).then(refresh)}
      />
    );
  const percent = percentOf(sent, size);
  const amount = [`${percent} % of ${sizeInWords(size)}`, left].filter(Boolean).join(", ");
  const cancel = () =>
    ask({
      title: `Cancel the upload of ${fileName}?`,
      text: `The ${percent} % that have arrived are deleted.`,
      yes: "Cancel the upload",
      no: "Keep uploading",
      onYes: async () => {
        await cancelUpload(transfer);
        await refresh();
      },
    });
  return (
    <div className="transfer">
      <p className="media-file">{fileName}</p>
      <Progress value={percent} label={amount} />
      <p className="transfer-status" role="status">
        {words[status]}
      </p>
      {status !== "ready" && status !== "checking" && (
        <div className="media-actions">
          {status === "paused" || status === "signed-out" ? (
            <Button variant="outline" size="sm" onClick={() => resumeUpload(transfer)}>
              Resume
            </Button>
          ) : (
            <Button variant="outline" size="sm" onClick={() => pauseUpload(transfer)}>
              Pause
            </Button>
          )}
          <Button variant="ghost" size="sm" onClick={cancel}>
            Cancel
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
