/** What of a stored picture its keys are made of. */
export type PictureName = { id: string; hash: string; lessonId: string | null };

/** The key of a picture's file in the bucket `pictures`: of a width, or of the card of a public one.
 * A public key is written once, so that its address is cached for good. */
export function pictureKey({ id, hash, lessonId }: PictureName, which: number | "card"): string {
  const name = lessonId === null ? `public/${hash}` : `lesson/${id}`;
  return which === "card" ? `${name}-card.jpg` : `${name}-${which}.webp`;
}

/** The key of the share picture of a name; it is drawn, and no row of `pictures` names it. */
export function shareCardKey(name: string): string {
  return `public/${name}-card.png`;
}

/** The id or the hash that a key is made of; null for a key of anything else. */
export function nameInKey(key: string): string | null {
  return (
    /^(?:public|lesson)\/([\da-f-]{32,36})-(?:\d+\.webp|card\.(?:jpg|png))$/.exec(key)?.[1] ?? null
  );
}

export function pictureKeys(picture: PictureName & { widths: number[] }): string[] {
  const keys = picture.widths.map((width) => pictureKey(picture, width));
  return picture.lessonId === null ? [...keys, pictureKey(picture, "card")] : keys;
}
