import { useEffect, useRef, useState } from "react";
import { PicturePanel } from "~/features/pictures/components/picture-panel.tsx";
import type { KindState, PanelState } from "../media-panel.server.ts";
import { mediaKindMessages, mediaPanelMessages } from "../messages.ts";
import { hasArrived } from "../rules.ts";
import { discardUpload } from "./ask-site.ts";
import { CaptionsForm } from "./captions-form.tsx";
import { FileChooser } from "./file-chooser.tsx";
import { FilesPanel } from "./files-panel.tsx";
import { StoredFileView } from "./stored-file.tsx";
import { TranscriptForm } from "./transcript-form.tsx";
import { ArrivedView, RefusedNotice, StoppedNotice, TransferView } from "./transfer-view.tsx";
import { dropTransfer, type Transfer, useTransfers } from "./upload-store.ts";
import { type OfKind, usePanelState } from "./use-panel-state.ts";

type Props = OfKind & {
  state: KindState;
  captions: number | null;
  captionsVersion: string;
  poster: PanelState["poster"];
};

function MediaOfKind({ state, captions, captionsVersion, poster, ...of }: Props) {
  const { lessonId, kind, isSaved } = of;
  const { stored, uploads, transcript } = state;
  const transfers = useTransfers().filter((one) => one.lessonId === lessonId);
  const transfer = transfers.find((one) => one.kind === kind && !one.rendition);
  const others = uploads.filter(({ id }) => id !== transfer?.uploadId);
  const arrived = others.find(hasArrived);
  const stopped = others.find((upload) => upload.received > 0 && !hasArrived(upload));
  const isOver = transfer ? transfer.status === "refused" : !arrived;
  // Now, or before the page was opened.
  const refusedNow = transfer && isOver ? { ...transfer, id: transfer.uploadId } : undefined;
  const refused = transfer ? refusedNow : others.find(({ reason }) => reason !== null);
  const [replacing, setReplacing] = useState(false);
  const [said, setSaid] = useState("");
  const hasWords = captions !== null || transcript.text !== "";
  const status = transfer?.status ?? (stored ? "stored" : "none");
  const { heading, watch } = useFocusKept(`${status} ${stored?.key}`);
  useEffect(() => {
    if (transfer) setReplacing(false);
  }, [transfer]);
  async function dismiss() {
    dropTransfer(of);
    if (refused?.id) await discardUpload(refused.id);
    await of.refresh();
  }
  const choosing = isOver && (!stored || replacing || stopped);
  return (
    <section aria-labelledby={`media-${kind}`} className="card media-kind" {...watch}>
      <h3 ref={heading} tabIndex={-1} id={`media-${kind}`}>
        {mediaKindMessages[kind].title}
      </h3>
      <p role="status" className="sr-only">
        {said}
      </p>
      {stored && (
        <StoredFileView
          {...of}
          stored={stored}
          isBeingReplaced={!isOver}
          onReplace={isOver && !choosing ? () => setReplacing(true) : null}
          onRemoved={(words) => {
            setSaid(words);
            return of.refresh();
          }}
        />
      )}
      {transfer && !isOver && <TransferView transfer={transfer} refresh={of.refresh} />}
      {kind === "video" &&
        transfers.map(
          (one) => one.rendition && <RenditionView key={one.rendition} {...{ one, ...of }} />,
        )}
      {!transfer && arrived && <ArrivedView fileName={arrived.fileName} />}
      {refused && (
        <RefusedNotice fileName={refused.fileName} reason={refused.reason} onDismiss={dismiss} />
      )}
      {isOver && stopped && <StoppedNotice upload={stopped} refresh={of.refresh} />}
      {choosing && (
        <FileChooser
          {...of}
          stopped={stopped ?? null}
          refusedId={refused?.id ?? null}
          onGiveUp={replacing && !stopped ? () => setReplacing(false) : null}
        />
      )}
      {kind === "video" && (stored || poster) && (
        <PicturePanel
          use="poster"
          id={lessonId}
          picture={poster}
          title="Poster"
          level="h4"
          onChanged={of.refresh}
        >
          The picture that stands there before the video plays.
        </PicturePanel>
      )}
      {(stored || !isOver || hasWords) &&
        (isSaved ? (
          <>
            {kind === "video" && (
              <CaptionsForm
                lessonId={lessonId}
                captions={captions}
                version={captionsVersion}
                refresh={of.refresh}
              />
            )}
            <TranscriptForm
              lessonId={lessonId}
              kind={kind}
              stored={transcript}
              hasCaptions={captions !== null}
              refresh={of.refresh}
            />
          </>
        ) : (
          <p className="media-hint">{mediaPanelMessages.saveFirst}</p>
        ))}
    </section>
  );
}

/** What was made of the film, on its way. */
function RenditionView({ one, refresh }: { one: Transfer } & Pick<OfKind, "refresh">) {
  return one.status === "refused" ? (
    <RefusedNotice {...one} onDismiss={() => dropTransfer(one)} />
  ) : (
    <TransferView transfer={one} refresh={refresh} />
  );
}

function useFocusKept(state: string) {
  const heading = useRef<HTMLHeadingElement>(null);
  const before = useRef(state);
  const hadFocus = useRef(false);
  useEffect(() => {
    if (before.current === state) return;
    before.current = state;
    if (hadFocus.current && document.activeElement === document.body)
      heading.current?.focus({ preventScroll: true });
  }, [state]);
  const watch = {
    onFocus: () => {
      hadFocus.current = true;
    },
    onBlur: () => {
      hadFocus.current = false;
    },
  };
  return { heading, watch };
}

type MediaPanelProps = {
  lessonId: string;
  moduleId: string | null;
  /** Captions and transcripts need a stored lesson. */
  isSaved: boolean;
  media: PanelState;
};

/** A lesson's video and audio, with captions and transcripts. Outside of the lesson's form: changes
 * here are saved at once and leave that form's text alone. */
export function MediaPanel({ lessonId, moduleId, isSaved, media }: MediaPanelProps) {
  const { state, refresh } = usePanelState(lessonId, media);
  useKeepPageOnDrop();
  const { captions, captionsVersion, limit, poster, siteConverts } = state;
  const of = { lessonId, moduleId, isSaved, limit, siteConverts, refresh };
  const shared = { ...of, captionsVersion, poster };
  return (
    <>
      <section id="media" aria-labelledby="media-title" className="media-panel">
        <div className="media-head">
          <h2 id="media-title">Video and audio</h2>
          <p className="media-lead">Changes here are saved at once, without saving the lesson.</p>
          <p className="media-no-scripts">{mediaPanelMessages.needsScripts}</p>
        </div>
        <div className="media-kinds">
          <MediaOfKind kind="video" state={state.video} captions={captions} {...shared} />
          <MediaOfKind kind="audio" state={state.audio} captions={null} {...shared} />
        </div>
      </section>
      <FilesPanel {...{ lessonId, moduleId, refresh }} state={state.files} />
    </>
  );
}

/** The browser would open a file dropped elsewhere, and leave the page. */
function useKeepPageOnDrop() {
  useEffect(() => {
    const keep = (event: DragEvent) => {
      if (event.dataTransfer?.types.includes("Files")) event.preventDefault();
    };
    addEventListener("dragover", keep);
    addEventListener("drop", keep);
    return () => {
      removeEventListener("dragover", keep);
      removeEventListener("drop", keep);
    };
  }, []);
}
