import { type RefObject, useEffect } from "react";

const idleAfterMs = 3000;

/** On a whole screen what is around the picture is dark, whatever the page is. */
export function useWholeScreen(frame: RefObject<HTMLElement | null>, isWhole: boolean): void {
  useEffect(() => {
    frame.current?.classList.toggle("on-deep", isWhole);
  }, [frame, isWhole]);
}

/** Marks an element with `data-idle` while nobody has moved or pressed anything in it for a while. */
export function useIdle(element: RefObject<HTMLElement | null>, isWatched: boolean): void {
  useEffect(() => {
    const frame = element.current;
    if (!frame || !isWatched) return;
    const own = new AbortController();
    let timer: number | undefined;
    const wake = () => {
      clearTimeout(timer);
      delete frame.dataset.idle;
      timer = window.setTimeout(() => {
        frame.dataset.idle = "";
      }, idleAfterMs);
    };
    for (const event of ["pointermove", "pointerdown", "keydown", "focusin"])
      frame.addEventListener(event, wake, { signal: own.signal });
    wake();
    return () => {
      own.abort();
      clearTimeout(timer);
      delete frame.dataset.idle;
    };
  }, [element, isWatched]);
}
