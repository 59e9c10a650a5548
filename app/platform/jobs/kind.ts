/** A kind of background work, as it is spoken of. */
export type WorkKind = {
  kind: string;
  /** In plain words, for the coach. */
  label: string;
  /** Whether it ends in a letter to somebody. */
  isLetter: boolean;
  /** What the coach can do where its letter came too late to be sent. */
  instead: string | null;
};
