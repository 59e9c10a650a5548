import type { Device } from "./device.ts";
import { isBeingWritten } from "./keeper.ts";
import type { SendResult } from "./send.ts";

type LeftBehind<Draft> = {
  userId: string;
  device: Device<Draft>;
  send: (draft: Draft) => Promise<SendResult>;
  /** The server has drafts that this page does not show yet. */
  onArrived: () => Promise<void>;
  /** These the server did not take: this device alone has them. */
  onLeft?: (drafts: Draft[]) => void;
};

/**
 * Hands over what earlier pages could not, now and whenever the line comes back: drafts that this
 * device still holds, but for those that this page is writing. Those that were sent or given up
 * meanwhile are forgotten.
 * @returns ends it
 */
export function handOver<Draft>({ userId, device, send, onArrived, onLeft }: LeftBehind<Draft>) {
  async function work() {
    let arrived = false;
    const left: Draft[] = [];
    for (const draft of device.all(userId)) {
      if (isBeingWritten(device.idOf(draft))) continue;
      const result = await send(draft);
      if (result === "kept") arrived = true;
      if (result === "kept" || typeof result === "object")
        device.drop(userId, device.idOf(draft), device.countOf(draft));
      else left.push(draft);
    }
    onLeft?.(left);
    if (arrived) await onArrived();
  }
  void work();
  addEventListener("online", work);
  return () => removeEventListener("online", work);
}
