export const unreachable = { unreachable: true } as const;

export function wasUnreachable(actionResult: unknown): boolean {
  return typeof actionResult === "object" && actionResult !== null && "unreachable" in actionResult;
}

/** For `shouldRevalidate`: without a connection, an error would replace the page and its text. */
export function unlessUnreachable(args: {
  actionResult?: unknown;
  defaultShouldRevalidate: boolean;
}): boolean {
  return !wasUnreachable(args.actionResult) && args.defaultShouldRevalidate;
}

/** For `shouldRevalidate`: also after a refused form, as what the page shows has changed by then. */
export const reloadAlways = () => true;
