/** Part of what an action in the browser returns when the server could not be asked. */
export const unreachable = { unreachable: true } as const;

/** Whether an action ended with {@link unreachable}: then there is nothing new to load either. */
export function wasUnreachable(actionResult: unknown): boolean {
  return typeof actionResult === "object" && actionResult !== null && "unreachable" in actionResult;
}
