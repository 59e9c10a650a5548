import { useEffect } from "react";
import type { PanelState } from "../../panel/schema.ts";
import { panelWords } from "../../panel/texts.ts";
import { MediaOfKind } from "./media-of-kind.tsx";
import { usePanelState } from "./use-panel-state.ts";

type Props = {
  lessonId: string;
  /** Empty until one is chosen. */
  moduleId: string | null;
  /** Captions and transcripts belong to a lesson that is there. */
  isSaved: boolean;
  media: PanelState;
};

/**
 * A lesson's video and audio, with captions and transcripts. Beside the lesson's form, never
 * inside it: what is done here is done at once, and leaves alone what is typed there.
 */
export function MediaPanel({ lessonId, moduleId, isSaved, media }: Props) {
  const { state, refresh } = usePanelState(lessonId, media);
  useKeepPageOnDrop();
  const { captions, captionsVersion, limit } = state;
  const shared = { lessonId, moduleId, isSaved, limit, captionsVersion, refresh };
  return (
    <section id="media" aria-labelledby="media-title" className="media-panel">
      <div className="media-head">
        <h2 id="media-title">Video and audio</h2>
        <p className="media-lead">What you do here is kept at once, without saving the lesson.</p>
        <p className="media-no-scripts">{panelWords.needsScripts}</p>
      </div>
      <div className="media-kinds">
        <MediaOfKind kind="video" state={state.video} captions={captions} {...shared} />
        <MediaOfKind kind="audio" state={state.audio} captions={null} {...shared} />
      </div>
    </section>
  );
}

/** A file that is dropped beside its place would be opened by the browser, and the page be gone. */
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
