import { useEffect, useRef, useState } from "react";
import type { KindState } from "../../panel/schema.ts";
import { kindWords, panelWords } from "../../panel/texts.ts";
import { CaptionsForm } from "./captions-form.tsx";
import { FileChooser } from "./file-chooser.tsx";
import { RefusedNotice } from "./refused-notice.tsx";
import { StoppedNotice } from "./stopped-notice.tsx";
import { StoredFile } from "./stored-file.tsx";
import { TranscriptForm } from "./transcript-form.tsx";
import { TransferView } from "./transfer-view.tsx";
import { useTransfers } from "./upload-store.ts";
import { forgetUpload } from "./uploads.ts";
import type { OfKind } from "./use-panel-state.ts";

type Props = OfKind & { state: KindState; captions: number | null; captionsVersion: string };

/** A lesson's video, or its audio: what there is, what is on its way, and what can be done. */
export function MediaOfKind({ state, captions, captionsVersion, ...of }: Props) {
  const { lessonId, kind, isSaved } = of;
  const { stored, uploads, transcript } = state;
  const transfer = useTransfers().find((one) => one.lessonId === lessonId && one.kind === kind);
  const isOver = !transfer || transfer.status === "refused";
  const others = uploads.filter(({ id }) => id !== transfer?.uploadId);
  const stopped = others.find((one) => one.state === "open" && one.received > 0);
  const refused = transfer ? undefined : others.find((one) => one.state === "refused");
  const [replacing, setReplacing] = useState(false);
  const [said, setSaid] = useState("");
  const hasWords = captions !== null || transcript.text !== "";
  const status = transfer?.status ?? (stored ? "stored" : "none");
  const { heading, watch } = useFocusKept(`${status} ${stored?.key}`);
  useEffect(() => {
    if (transfer) setReplacing(false);
  }, [transfer]);
  const choosing = isOver && (!stored || replacing || stopped);
  return (
    <section aria-labelledby={`media-${kind}`} className="card media-kind" {...watch}>
      <h3 ref={heading} tabIndex={-1} id={`media-${kind}`}>
        {kindWords[kind].title}
      </h3>
      <p role="status" className="sr-only">
        {said}
      </p>
      {stored && (
        <StoredFile
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
      {transfer && <TransferView transfer={transfer} refresh={of.refresh} />}
      {refused && (
        <RefusedNotice
          fileName={refused.fileName}
          reason={refused.reason}
          onDismiss={() => forgetUpload(refused.id).then(of.refresh)}
        />
      )}
      {isOver && stopped && <StoppedNotice upload={stopped} refresh={of.refresh} />}
      {choosing && (
        <FileChooser
          {...of}
          stopped={stopped ?? null}
          refused={refused ?? null}
          onGiveUp={replacing && !stopped ? () => setReplacing(false) : null}
        />
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
          <p className="media-hint">{panelWords.saveFirst}</p>
        ))}
    </section>
  );
}

/** Where the button that was pressed is gone with its state, focus goes to the heading above. */
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
