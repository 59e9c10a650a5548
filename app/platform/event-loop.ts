/**
 * Makes a gate for work that comes in bursts and keeps the event loop: in one turn of it, so many
 * milliseconds of it pass, and the rest waits, in order, for the turns that follow. In between,
 * everything else is heard.
 * @param shareMs how long a turn goes on before the next ones wait, in milliseconds
 */
export function turnsOf(shareMs: number): () => Promise<void> {
  let began: number | null = null;
  function isSpent(): boolean {
    const now = performance.now();
    if (began !== null) return now - began >= shareMs;
    began = now;
    setImmediate(() => {
      began = null;
    });
    return false;
  }
  return async () => {
    while (isSpent())
      await new Promise<void>((resolve) => {
        setImmediate(resolve);
      });
  };
}
