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
  const ended = new AbortController();
  const { signal } = ended;
  const hidden = () => document.visibilityState === "hidden" && flush();
  form?.addEventListener("input", changed, { signal });
  addEventListener("online", retry, { signal });
  addEventListener("focus", retry, { signal });
  addEventListener("pagehide", flush, { signal });
  document.addEventListener("visibilitychange", hidden, { signal });
  return () => {
    close();
    ended.abort();
  };
}
