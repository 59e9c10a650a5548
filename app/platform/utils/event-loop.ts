/** Lets `shareMs` of blocking work pass per turn of the event loop; the rest waits, in order. */
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
