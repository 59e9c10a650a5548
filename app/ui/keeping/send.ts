/** It was sent or deleted meanwhile, so its name takes no more words; `next` is one that does. */
export type Gone = { next: string };
/** 'full': there is no room for more of this person's words. */
export type SendResult = "kept" | Gone | "signed-out" | "full" | "refused" | "unreachable";

/** Browsers refuse to finish larger requests for a page that is leaving. */
const leavingBytes = 60_000;

/** Hands a draft to the server (PUT, JSON). Never throws: every outcome is one of these. */
export async function sendDraft(
  address: string,
  draft: object,
  isLeaving: boolean,
): Promise<SendResult> {
  const body = new Blob([JSON.stringify(draft)], { type: "application/json" });
  try {
    const response = await fetch(address, {
      method: "PUT",
      body,
      keepalive: isLeaving && body.size < leavingBytes,
      // Whoever is not signed in is sent to the door: that is an answer too.
      redirect: "manual",
    });
    if (response.status === 204) return "kept";
    // A network that wants to be paid first answers with a page of its own.
    if (response.ok) {
      const { gone, next } = await response.json();
      return gone === true && next ? { next } : "unreachable";
    }
    if (response.type === "opaqueredirect" || response.status === 401) return "signed-out";
    if (response.status === 507) return "full";
    // What comes too fast is taken a little later.
    const isRefusal = response.status < 500 && response.status !== 429;
    return isRefusal ? "refused" : "unreachable";
  } catch {
    return "unreachable";
  }
}
