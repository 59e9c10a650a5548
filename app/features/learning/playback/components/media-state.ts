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
  /** What fills the screen: the video with its controls. */
  frame: RefObject<HTMLElement | null>;
  defaultDuration: number | undefined;
};

/**
 * The state of a video or an audio as media-chrome sees it, with what differs between browsers
 * (full screen, picture-in-picture, volume) taken care of. Null before there is any.
 */
export function useMediaState({ media, frame, defaultDuration }: Refs) {
  const [store, setStore] = useState<MediaStore | null>(null);
  const [state, setState] = useState<Partial<MediaState> | null>(null);
  useEffect(() => {
    if (!media.current) return;
    const made = createMediaStore({
      media: media.current,
      fullscreenElement: frame.current ?? undefined,
      documentElement: document,
      // What is remembered, preferences.ts does: for native controls as well.
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
