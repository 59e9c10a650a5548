import type { Keeper } from "./keeper.ts";

/**
 * Lets a keeper hear of what happens to its form: typing, a line that may be back, a page that may
 * be going away.
 * @returns ends it; the last save happens then
 */
export function listen(
  form: HTMLElement | null,
  { changed, retry, flush, close }: Pick<Keeper, "changed" | "retry" | "flush" | "close">,
): () => void {
  const hidden = () => document.visibilityState === "hidden" && flush();
  form?.addEventListener("input", changed);
  addEventListener("online", retry);
  addEventListener("focus", retry);
  addEventListener("pagehide", flush);
  document.addEventListener("visibilitychange", hidden);
  return () => {
    close();
    form?.removeEventListener("input", changed);
    removeEventListener("online", retry);
    removeEventListener("focus", retry);
    removeEventListener("pagehide", flush);
    document.removeEventListener("visibilitychange", hidden);
  };
}
