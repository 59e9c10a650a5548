const tags = /(?:W\/)?("[^"]*")/g;

/**
 * Whether an If-None-Match header names this entity tag, or any (RFC 9110, 13.1.2). A cache in
 * between may have made it weak; for reading that is as good.
 */
export function matchesTag(ifNoneMatch: string | null | undefined, tag: string): boolean {
  if (!ifNoneMatch) return false;
  if (ifNoneMatch === tag || ifNoneMatch.trim() === "*") return true;
  for (const [, named] of ifNoneMatch.matchAll(tags)) if (named === tag) return true;
  return false;
}
