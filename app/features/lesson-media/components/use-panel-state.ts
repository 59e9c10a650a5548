import { useCallback, useEffect, useState } from "react";
import { type MediaKind, mediaKinds } from "../messages.ts";
import type { PanelState } from "../schema.ts";
import { askPanel } from "./ask-site.ts";
import { changeTransfer, dropTransfer, useTransfers } from "./upload-store.ts";
import { beginUpload } from "./uploads.ts";

export type OfKind = {
  lessonId: string;
  kind: MediaKind;
  moduleId: string | null;
  isSaved: boolean;
  /** The largest accepted file, in bytes. */
  limit: number;
  refresh: () => Promise<boolean>;
};

/** A lesson's media as loaded, and as refreshed since. Refreshes after each upload. A complete
 * upload that was never checked, because its tab was closed, is checked now. */
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
