import { useCallback, useEffect, useState } from "react";
import type { PanelState } from "../media-panel.server.ts";
import type { MediaKind } from "../messages.ts";
import { hasArrived } from "../rules.ts";
import { askPanel } from "./ask-site.ts";
import { changeTransfer, dropTransfer, useTransfers } from "./upload-store.ts";

/** How far the site is with a conversion. */
const lookEveryMs = 5000;

export type OfKind = {
  lessonId: string;
  kind: MediaKind;
  moduleId: string | null;
  isSaved: boolean;
  /** The largest accepted file, in bytes. */
  limit: number;
  /** Whether the site converts films by itself. */
  siteConverts: boolean;
  refresh: () => Promise<boolean>;
};

/** A lesson's media as loaded, and as refreshed since. Refreshes after each upload. */
export function usePanelState(lessonId: string, loaded: PanelState) {
  const [asked, setAsked] = useState<{ instead: PanelState; state: PanelState } | null>(null);
  const state = asked?.instead === loaded ? asked.state : loaded;
  const refresh = useCallback(async () => {
    const answer = await askPanel(lessonId);
    if (answer.ok) setAsked({ instead: loaded, state: answer.value });
    return answer.ok;
  }, [lessonId, loaded]);

  const transfers = useTransfers().filter((transfer) => transfer.lessonId === lessonId);
  const arrived = transfers.find(({ status }) => status === "ready");
  useEffect(() => {
    if (!arrived) return;
    let isStale = false;
    void refresh().then((isFresh) => {
      if (isFresh && !isStale) dropTransfer(arrived);
    });
    return () => {
      isStale = true;
    };
  }, [arrived, refresh]);

  // Asking the site has it check what arrived before; the page did not wait for that.
  const { video, audio, files } = loaded;
  const isUnchecked = [video, audio, files].some(({ uploads }) => uploads.some(hasArrived));
  useEffect(() => {
    if (isUnchecked) void refresh();
  }, [isUnchecked, refresh]);

  const isConverting = state.video.stored?.convertedPercent != null;
  useEffect(() => {
    if (!isConverting) return;
    const timer = setInterval(() => void refresh(), lookEveryMs);
    return () => clearInterval(timer);
  }, [isConverting, refresh]);

  // The address of a lesson changes when it is saved for the first time.
  useEffect(() => {
    const href = location.pathname + location.search;
    for (const transfer of transfers)
      if (transfer.href !== href) changeTransfer(transfer, { href });
  });

  return { state, refresh };
}
