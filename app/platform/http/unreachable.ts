export const unreachable = { unreachable: true } as const;

export function wasUnreachable(actionResult: unknown): boolean {
  return typeof actionResult === "object" && actionResult !== null && "unreachable" in actionResult;
}
