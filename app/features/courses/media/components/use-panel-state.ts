import { useCallback, useEffect, useState } from "react";
import type { PanelState } from "../../panel/schema.ts";
import { mediaKinds } from "../../panel/texts.ts";
import type { MediaKind } from "../texts.ts";
import { askPanel } from "./ask-site.ts";
import { changeTransfer, dropTransfer, useTransfers } from "./upload-store.ts";
import { beginUpload } from "./uploads.ts";

/** What the parts of the panel need to know of the lesson and the kind they are about. */
export type OfKind = {
  lessonId: string;
  kind: MediaKind;
  moduleId: string | null;
  isSaved: boolean;
  /** The largest file that is taken, in bytes. */
  limit: number;
  refresh: () => Promise<boolean>;
};

/**
 * What the site has of a lesson's media: as the page came, and as it was asked for since. A file
 * that has just arrived is asked for by itself; one that arrived whole but was never checked, as
 * its tab was closed at the wrong moment, is checked now.
 */
export function usePanelState(lessonId: string, loaded: PanelState) {
  const [asked, setAsked] = useState<{ instead: PanelState; state: PanelState } | null>(null);
  const state = asked?.instead === loaded ? asked.state : loaded;
  const refresh = useCallback(async () => {
    const answer = await askPanel(lessonId);
    if (answer.ok) setAsked({ instead: loaded, state: answer.value });
    return answer.ok;
  }, [lessonId, loaded]);

  const transfers = useTransfers().filter((transfer) => transfer.lessonId === lessonId);
  const arrived = transfers.find(({ status }) => status === "ready")?.kind;
  useEffect(() => {
    if (!arrived) return;
    let isStale = false;
    void refresh().then((isFresh) => {
      if (isFresh && !isStale) dropTransfer({ lessonId, kind: arrived });
    });
    return () => {
      isStale = true;
    };
  }, [arrived, lessonId, refresh]);

  const here = transfers.map(({ kind }) => kind).join();
  useEffect(() => {
    const href = location.pathname + location.search;
    for (const kind of mediaKinds) {
      if (here.includes(kind)) changeTransfer({ lessonId, kind }, { href });
      const waiting = state[kind].uploads.find((upload) => upload.state === "complete");
      if (!waiting || here.includes(kind)) continue;
      const { id: uploadId, fileName, size } = waiting;
      beginUpload({ lessonId, moduleId: "", kind, fileName, size, href, uploadId, file: null });
    }
  }, [here, lessonId, state]);

  return { state, refresh };
}
