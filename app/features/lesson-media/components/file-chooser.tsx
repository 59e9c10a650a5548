import { type ChangeEvent, type DragEvent, useState } from "react";
import { Button } from "~/ui/button.tsx";
import { Field } from "~/ui/field.tsx";
import { Input } from "~/ui/inputs.tsx";
import {
  type MediaKind,
  mediaKindMessages,
  mediaPanelMessages,
  mediaTypes,
  uploadRefusals,
} from "../messages.ts";
import { acceptOf, isSameFile, percentOf, sizeInWords, tooLarge, typeByName } from "../rules.ts";
import type { StoppedUpload } from "../schema.ts";
import { rememberedFile } from "./known-files.ts";
import { beginUpload, discardUpload, dismissUpload } from "./uploads.ts";
import { useAsk } from "./use-ask.tsx";
import type { OfKind } from "./use-panel-state.ts";

type Props = OfKind & {
  stopped: StoppedUpload | null;
  refused: StoppedUpload | null;
  onGiveUp: (() => void) | null;
};

export function FileChooser({ stopped, refused, onGiveUp, ...of }: Props) {
  const { kind, limit, lessonId, moduleId } = of;
  const [error, setError] = useState<string | null>(null);
  const [isAbove, setIsAbove] = useState(false);
  const [dialog, ask] = useAsk();
  const isClosed = !moduleId;

  async function send(file: File, uploadId: string | null) {
    await dismissUpload(of);
    if (refused) void discardUpload(refused.id);
    const href = location.pathname + location.search;
    const { name: fileName, size } = file;
    beginUpload({ lessonId, moduleId: moduleId ?? "", kind, fileName, size, href, file, uploadId });
  }

  function take(file: File) {
    const fault = faultOf(kind, file, limit);
    setError(fault);
    if (fault) return;
    if (!stopped) return void send(file, null);
    if (isSameFile(file, stopped, rememberedFile(stopped.id))) return void send(file, stopped.id);
    const percent = percentOf(stopped.received, stopped.size);
    ask({
      title: `Upload ${file.name} instead?`,
      text: `This is another file than ${stopped.fileName}, which stopped at ${percent} %. What has arrived of that is deleted.`,
      yes: `Upload ${file.name}`,
      no: "Choose again",
      onYes: async () => {
        await discardUpload(stopped.id);
        await send(file, null);
      },
    });
  }

  const choose = ({ currentTarget: input }: ChangeEvent<HTMLInputElement>) => {
    const file = input.files?.[0];
    // Otherwise, choosing the same file again would not count as a change.
    input.value = "";
    if (file) take(file);
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setIsAbove(false);
    const file = event.dataTransfer.files[0];
    if (file && !isClosed) take(file);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is one way more; the input inside does the same
    <div
      className="media-drop"
      data-over={isAbove && !isClosed ? "" : undefined}
      onDragOver={(event) => {
        event.preventDefault();
        setIsAbove(true);
      }}
      onDragLeave={() => setIsAbove(false)}
      onDrop={drop}
    >
      <Field
        label={mediaKindMessages[kind].choose}
        hint={isClosed ? mediaPanelMessages.moduleFirst : hintOf(kind, limit)}
        error={error}
      >
        <Input type="file" accept={acceptOf(kind)} disabled={isClosed} onChange={choose} />
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

/** Client-side checks only; the server inspects the bytes. */
function faultOf(kind: MediaKind, { name, size }: File, limit: number): string | null {
  if (!typeByName(kind, name)) return uploadRefusals.ending[kind];
  if (size === 0) return uploadRefusals.empty;
  return size > limit ? tooLarge(size, limit) : null;
}

function hintOf(kind: MediaKind, limit: number): string {
  const endings = Object.keys(mediaTypes[kind]).map((ending) =>
    ending === "webm" ? "WebM" : ending.toUpperCase(),
  );
  const list = `${endings.slice(0, -1).join(", ")} or ${endings.at(-1)}`;
  return `${list}, up to ${sizeInWords(limit)}. You can also drag it here.`;
}
