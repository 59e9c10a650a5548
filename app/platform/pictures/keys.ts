/** What of a stored picture its keys are made of. */
export type PictureName = { id: string; hash: string; lessonId: string | null };

/** JPEGs of a public picture: for pages that share it, and for emails. */
export type JpegName = "card" | "email";

/** The key of a picture's file in the bucket `pictures`: of a width, or of a JPEG of a public one.
 * A public key is written once, so that its address is cached for good. */
export function pictureKey({ id, hash, lessonId }: PictureName, which: number | JpegName): string {
  const name = lessonId === null ? `public/${hash}` : `lesson/${id}`;
  return typeof which === "string" ? `${name}-${which}.jpg` : `${name}-${which}.webp`;
}

/** The key of the share picture of a name; it is drawn, and no row of `pictures` names it. */
export function shareCardKey(name: string): string {
  return `public/${name}-card.png`;
}

/** The id or the hash that a key is made of; null for a key of anything else. */
export function nameInKey(key: string): string | null {
  return (
    /^(?:public|lesson)\/([\da-f-]{32,36})-(?:\d+\.webp|(?:card|email)\.(?:jpg|png))$/.exec(
      key,
    )?.[1] ?? null
  );
}

export function pictureKeys(
  picture: PictureName & { widths: number[]; forEmail: boolean },
): string[] {
  const keys = picture.widths.map((width) => pictureKey(picture, width));
  if (picture.lessonId !== null) return keys;
  const forEmail = picture.forEmail ? [pictureKey(picture, "email")] : [];
  return [...keys, pictureKey(picture, "card"), ...forEmail];
}
