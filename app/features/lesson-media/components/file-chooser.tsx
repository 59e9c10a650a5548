import { type ChangeEvent, type DragEvent, useState } from "react";
import { Button } from "~/ui/button.tsx";
import { Field } from "~/ui/field.tsx";
import { Input } from "~/ui/inputs.tsx";
import type { UploadState } from "../media-panel.server.ts";
import { mediaKindMessages, mediaPanelMessages, mediaProblems } from "../messages.ts";
import { acceptOf, endingsInWords, fileRefusal, percentOf } from "../rules.ts";
import { useAsk } from "./ask-dialog.tsx";
import { discardUpload } from "./ask-site.ts";
import type { OfKind } from "./use-panel-state.ts";

type Props = OfKind & {
  stopped: UploadState | null;
  /** A refused upload that the next one replaces. */
  refusedId: string | null;
  onGiveUp: (() => void) | null;
};

/** Chooses a file, or takes one that is dropped, and starts its upload. */
export function FileChooser({ stopped, refusedId, onGiveUp, ...of }: Props) {
  const { kind, limit, lessonId, moduleId } = of;
  const [error, setError] = useState<string | null>(null);
  const [isAbove, setIsAbove] = useState(false);
  const [dialog, ask] = useAsk();

  async function take(file: File, resumed: UploadState | null) {
    if (!moduleId) return;
    const fault = fileRefusal(kind, file, limit);
    setError(fault);
    if (fault) return;
    const href = location.pathname + location.search;
    try {
      const { startUpload } = await import("./tus-upload.ts");
      const isTaken = await startUpload({ lessonId, moduleId, kind, file, href }, resumed);
      if (resumed && !isTaken) askInstead(file, resumed);
      else if (refusedId) await discardUpload(refusedId);
    } catch {
      setError(mediaProblems.failed);
    }
  }
  const askInstead = (file: File, { id, fileName, received, size }: UploadState) =>
    ask({
      title: `Upload ${file.name} instead?`,
      text: `This is another file than ${fileName}, which stopped at ${percentOf(received, size)} %. What has arrived of that is deleted.`,
      yes: `Upload ${file.name}`,
      onYes: async () => {
        await discardUpload(id);
        await take(file, null);
      },
    });
  const choose = ({ currentTarget: input }: ChangeEvent<HTMLInputElement>) => {
    const file = input.files?.[0];
    // Otherwise, choosing the same file again would not count as a change.
    input.value = "";
    if (file) void take(file, stopped);
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setIsAbove(false);
    const file = event.dataTransfer.files[0];
    if (file) void take(file, stopped);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is one way more; the input inside does the same
    <div
      className="media-drop"
      data-over={isAbove && moduleId ? "" : undefined}
      onDragOver={(event) => {
        event.preventDefault();
        setIsAbove(true);
      }}
      onDragLeave={() => setIsAbove(false)}
      onDrop={drop}
    >
      <Field
        label={mediaKindMessages[kind].choose}
        hint={moduleId ? endingsInWords(kind, limit) : mediaPanelMessages.moduleFirst}
        error={error}
      >
        <Input type="file" accept={acceptOf(kind)} disabled={!moduleId} onChange={choose} />
      </Field>
      {onGiveUp && (
        <Button variant="link" size="sm" onClick={onGiveUp}>
          Keep the file that is there
        </Button>
      )}
      {dialog}
    </div>
  );
}
