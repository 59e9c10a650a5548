import { MediaUIEvents as requests } from "media-chrome/dist/constants.js";
import {
  createMediaStore,
  type MediaState,
  type MediaStore,
} from "media-chrome/dist/media-store/media-store.js";
import { type RefObject, useEffect, useState } from "react";

export { requests };

type Refs = {
  media: RefObject<HTMLMediaElement | null>;
  /** What goes full screen: the video with its controls. */
  frame: RefObject<HTMLElement | null>;
  defaultDuration: number | undefined;
};

/** The state of a media element, with browser differences evened out; null at first. */
export function useMediaState({ media, frame, defaultDuration }: Refs) {
  const [store, setStore] = useState<MediaStore | null>(null);
  const [state, setState] = useState<Partial<MediaState> | null>(null);
  useEffect(() => {
    if (!media.current) return;
    const made = createMediaStore({
      media: media.current,
      fullscreenElement: frame.current ?? undefined,
      documentElement: document,
      // media-preferences.ts saves preferences instead, for native controls as well.
      options: {
        defaultDuration,
        noVolumePref: true,
        noMutedPref: true,
        noSubtitlesLangPref: true,
      },
    });
    setStore(made);
    return made.subscribe((next) => setState(next));
  }, [media, frame, defaultDuration]);
  return { state, ask: (type: string, detail?: unknown) => store?.dispatch({ type, detail }) };
}
