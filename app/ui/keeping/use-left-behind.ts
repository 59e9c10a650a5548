import { useEffect } from "react";
import type { Device } from "./device.ts";
import { isBeingWritten } from "./keeper.ts";
import type { SendResult } from "./send.ts";

type LeftBehind<Draft> = {
  userId: string;
  device: Device<Draft>;
  /** The same function as long as it does the same. */
  send: (draft: Draft) => Promise<SendResult>;
  /** Loads anew what the page offers; the same function each time. */
  onArrived: () => Promise<void>;
};

/**
 * Hands over what earlier pages could not: drafts that this device still holds, but for those that
 * this page is writing. Those that were sent or given up meanwhile are forgotten; the others are
 * then offered back.
 */
export function useLeftBehind<Draft>({ userId, device, send, onArrived }: LeftBehind<Draft>): void {
  useEffect(() => {
    async function handOver() {
      let arrived = false;
      for (const draft of device.all(userId)) {
        if (isBeingWritten(device.idOf(draft))) continue;
        const result = await send(draft);
        if (result === "kept") arrived = true;
        if (result === "kept" || typeof result === "object")
          device.drop(userId, device.idOf(draft), device.countOf(draft));
      }
      if (arrived) await onArrived();
    }
    void handOver();
    addEventListener("online", handOver);
    return () => removeEventListener("online", handOver);
  }, [userId, device, send, onArrived]);
}
