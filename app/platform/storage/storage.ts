/** The two buckets of the spec. */
export const buckets = ["course-videos", "course-audio"] as const;
export type Bucket = (typeof buckets)[number];

export type StoredFile = { path: string; size: number; modifiedAt: Date };

/** Where lesson media lives. */
export type Storage = {
  /** Keeps a copy of a local file under the key. Whole or not at all. */
  putFile(bucket: Bucket, key: string, source: string): Promise<void>;
  /** The file behind a key, or null. */
  find(bucket: Bucket, key: string): Promise<StoredFile | null>;
  /** An address that gives the file to whoever has it, until it expires. */
  signedUrl(bucket: Bucket, key: string, now: Date): string;
};
