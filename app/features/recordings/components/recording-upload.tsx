import { type RefObject, useRef, useState } from "react";
import { v7 } from "uuid";
import { replaceIn } from "~/features/pictures/components/use-picture-uploads.ts";
import { Button } from "~/ui/button.tsx";
import { block } from "~/ui/markdown-format.ts";
import { applyEdit, selectedIn } from "~/ui/markdown-toolbar.tsx";
import {
  maxRecordingBytes,
  recordingMessages,
  recordingsPath,
  recordingTypes,
} from "../messages.ts";
import { type AddedRecording, recordingLine, waitingRecordingLine } from "../rules.ts";

type Status =
  | { is: "none" }
  | { is: "uploading" | "arrived"; name: string }
  | { is: "failed"; name: string; problem: string };

/** The recordings of a Markdown field: each has a line in its place while it is uploaded. */
export function useRecordingUpload(field: RefObject<HTMLTextAreaElement | null>) {
  const chooser = useRef<HTMLInputElement>(null);
  const [status, setStatus] = useState<Status>({ is: "none" });
  const isUploading = status.is === "uploading";

  async function add(file: File) {
    if (!field.current || isUploading) return;
    const { name } = file;
    if (file.size > maxRecordingBytes)
      return setStatus({ is: "failed", name, problem: recordingMessages.tooLarge });
    const waiting = waitingRecordingLine(v7(), name);
    applyEdit(field.current, block(waiting, selectedIn(field.current)));
    setStatus({ is: "uploading", name });
    const answer = await sendRecording(file);
    const line = "id" in answer ? recordingLine(answer.id, name) : "";
    replaceIn(field.current, waiting, line);
    setStatus("id" in answer ? { is: "arrived", name } : { is: "failed", name, ...answer });
  }

  const choose = () => !isUploading && chooser.current?.click();
  return { chooser, status, isUploading, add, choose, dismiss: () => setStatus({ is: "none" }) };
}

async function sendRecording(file: File): Promise<AddedRecording | { problem: string }> {
  try {
    const response = await fetch(recordingsPath, {
      method: "POST",
      body: file,
      headers: { accept: "application/json", "content-type": "application/octet-stream" },
    });
    const answer = await response.json().catch(() => null);
    if (response.ok && answer) return answer as AddedRecording;
    return { problem: answer?.error?.message ?? recordingMessages.failed };
  } catch {
    return { problem: recordingMessages.offline };
  }
}

/** Below a text: what becomes of a recording that was chosen. */
export function RecordingUpload({ of }: { of: ReturnType<typeof useRecordingUpload> }) {
  const { chooser, status, add, dismiss } = of;
  return (
    <div className="content-recording">
      <input
        ref={chooser}
        type="file"
        accept={recordingTypes}
        hidden
        onChange={({ currentTarget }) => {
          const [file] = currentTarget.files ?? [];
          if (file) void add(file);
          currentTarget.value = "";
        }}
      />
      <div role="status">
        {status.is === "uploading" && <p>Uploading {status.name}...</p>}
        {status.is === "arrived" && (
          <p>
            {status.name} is in the text. Write below it what is said, for those who cannot hear it.
          </p>
        )}
      </div>
      {status.is === "failed" && (
        <div className="content-picture-problem">
          <p role="alert">
            <strong>{status.name}</strong>: {status.problem}
          </p>
          <Button variant="ghost" size="sm" onClick={dismiss}>
            Dismiss
          </Button>
        </div>
      )}
    </div>
  );
}
