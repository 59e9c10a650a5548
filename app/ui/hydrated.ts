import { useSyncExternalStore } from "react";

const never = () => () => {};

/** Whether React has taken the page over: before that, and without scripts, what only it can do is not shown. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
}
