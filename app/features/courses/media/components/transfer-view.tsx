import { Button } from "~/ui/button.tsx";
import { Progress } from "~/ui/progress.tsx";
import { percentOf } from "../../panel/rules.ts";
import { troubles } from "../../panel/texts.ts";
import { sizeInWords } from "../rules.ts";
import { RefusedNotice } from "./refused-notice.tsx";
import { isMoving, type Transfer, type TransferStatus } from "./upload-store.ts";
import { cancelUpload, dismissUpload, pauseUpload, resumeUpload } from "./uploads.ts";
import { useAsk } from "./use-ask.tsx";

const words: Record<TransferStatus, string> = {
  starting: "Starting",
  uploading: "Uploading",
  waiting: "The connection is lost. Trying again by itself.",
  paused: "Paused",
  "signed-out": troubles.signedOut,
  checking: "All of it has arrived. The site is checking it.",
  refused: "",
  ready: "Ready",
};

type Props = { transfer: Transfer; refresh: () => Promise<boolean> };

/** A file on its way, and what can be done about it. */
export function TransferView({ transfer, refresh }: Props) {
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
