import { type ChangeEvent, type DragEvent, useState } from "react";
import { Field } from "~/ui/field.tsx";
import { Input } from "~/ui/inputs.tsx";
import { fileMessages, mostFiles } from "../file-messages.ts";
import { acceptedFiles, lessonFileRefusal, typesInWords } from "../files.ts";
import type { FilesState, UploadState } from "../media-panel.server.ts";
import { mediaPanelMessages, mediaProblems } from "../messages.ts";
import { hasArrived, isNamedAlike, sizeInWords } from "../rules.ts";
import { discardUpload } from "./ask-site.ts";
import { FileList } from "./file-list.tsx";
import { ArrivedView, RefusedNotice, StoppedNotice, TransferView } from "./transfer-view.tsx";
import { dropTransfer, type Transfer, useTransfers } from "./upload-store.ts";

type Props = {
  lessonId: string;
  moduleId: string | null;
  state: FilesState;
  refresh: () => Promise<boolean>;
};

/** A lesson's downloads: their list, those on their way, and the input that adds some. */
export function FilesPanel({ lessonId, moduleId, state, refresh }: Props) {
  const { list, uploads } = state;
  const own = useTransfers().filter((one) => one.lessonId === lessonId && one.kind === "file");
  const rest = uploads.filter(({ id }) => own.every(({ uploadId }) => uploadId !== id));
  const stopped = rest.filter((upload) => upload.received > 0 && !hasArrived(upload));
  const dismiss = async (id: string | null) => {
    if (id) await discardUpload(id);
    await refresh();
  };
  const here = { lessonId, refresh };
  return (
    <section id="files" aria-labelledby="files-title" className="media-panel">
      <div className="media-head">
        <h2 id="files-title">Files to download</h2>
        <p className="media-lead">{fileMessages.lead}</p>
      </div>
      <div className="card media-kind">
        <FileList {...here} files={list} />
        {own.map((transfer) =>
          transfer.status === "refused" ? (
            <RefusedNotice
              key={transfer.slot}
              {...transfer}
              onDismiss={() => {
                dropTransfer(transfer);
                void dismiss(transfer.uploadId);
              }}
            />
          ) : (
            <TransferView key={transfer.slot} transfer={transfer} refresh={refresh} />
          ),
        )}
        {rest.filter(hasArrived).map(({ id, fileName }) => (
          <ArrivedView key={id} fileName={fileName} />
        ))}
        {rest
          .filter(({ reason }) => reason !== null)
          .map((one) => (
            <RefusedNotice key={one.id} {...one} onDismiss={() => void dismiss(one.id)} />
          ))}
        {stopped.map((upload) => (
          <StoppedNotice key={upload.id} upload={upload} refresh={refresh} />
        ))}
        <FilesChooser {...here} moduleId={moduleId} state={state} stopped={stopped} own={own} />
      </div>
    </section>
  );
}

type ChooserProps = Props & { stopped: UploadState[]; own: Transfer[] };

let slots = 0;

/** Takes any number of files, chosen or dropped. One that stopped before goes on. */
function FilesChooser({ lessonId, moduleId, state, stopped, own, refresh }: ChooserProps) {
  const { list, types, limit } = state;
  const [errors, setErrors] = useState<string[]>([]);
  const [isAbove, setIsAbove] = useState(false);
  const coming = own.filter(({ status }) => status !== "refused").length + stopped.length;

  async function take(files: File[]) {
    if (!moduleId) return;
    const { startUpload } = await import("./tus-upload.ts").catch(() => ({ startUpload: null }));
    if (!startUpload) return setErrors([mediaProblems.failed]);
    const faults: string[] = [];
    let room = mostFiles - list.length - coming;
    const waiting = [...stopped];
    const href = location.pathname + location.search;
    for (const file of files) {
      const fault = lessonFileRefusal(file, { types, limit });
      const place = waiting.findIndex((upload) => isNamedAlike(file, upload));
      const [resumed = null] = place < 0 ? [] : waiting.splice(place, 1);
      if (fault) faults.push(`${file.name}: ${fault}`);
      else if (!resumed && room <= 0) faults.push(`${file.name}: ${fileMessages.tooMany}`);
      else {
        if (!resumed) room -= 1;
        slots += 1;
        const input = { lessonId, moduleId, kind: "file", slot: slots, file, href } as const;
        if (!(await startUpload(input, resumed))) await startUpload(input, null);
      }
    }
    setErrors(faults);
    void refresh();
  }
  const choose = ({ currentTarget: input }: ChangeEvent<HTMLInputElement>) => {
    const files = [...(input.files ?? [])];
    // Otherwise, choosing the same file again would not count as a change.
    input.value = "";
    void take(files);
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setIsAbove(false);
    void take([...event.dataTransfer.files]);
  };
  const hint = `${typesInWords(types)}, up to ${sizeInWords(limit)} each. You can also drag them here.`;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is one way more; the input inside does the same
    <div
      className="media-drop"
      data-over={isAbove && moduleId ? "" : undefined}
      onDragOver={(event) => {
        event.preventDefault();
        setIsAbove(event.dataTransfer.types.includes("Files"));
      }}
      onDragLeave={() => setIsAbove(false)}
      onDrop={drop}
    >
      <Field
        label="Add files"
        hint={moduleId ? hint : mediaPanelMessages.moduleFirst}
        error={errors.length > 0 ? errors.join(" ") : null}
      >
        <Input
          type="file"
          multiple
          accept={acceptedFiles(types)}
          disabled={!moduleId}
          onChange={choose}
        />
      </Field>
    </div>
  );
}
