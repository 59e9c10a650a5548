import type { KnownFile } from "../../panel/rules.ts";

/** What this browser remembers of the files that it began to send, by the name of the upload. */
const prefix = "upload:";
/** Longer than the site keeps what was begun. */
const keptMs = 10 * 24 * 3600 * 1000;

/** Storage may be forbidden, full or altered by hand: then a file is known by name and size alone. */
export function rememberFile(uploadId: string, { name, size, lastModified }: KnownFile): void {
  try {
    forgetOld();
    const known = { name, size, lastModified, at: Date.now() };
    localStorage.setItem(prefix + uploadId, JSON.stringify(known));
  } catch {
    // See above.
  }
}

export function rememberedFile(uploadId: string): KnownFile | null {
  return read(prefix + uploadId);
}

export function forgetFile(uploadId: string): void {
  try {
    localStorage.removeItem(prefix + uploadId);
  } catch {
    // What cannot be reached cannot be there.
  }
}

function read(key: string): (KnownFile & { at: number }) | null {
  try {
    const known = JSON.parse(localStorage.getItem(key) ?? "null");
    return typeof known?.lastModified === "number" ? known : null;
  } catch {
    return null;
  }
}

function forgetOld() {
  for (const key of Object.keys(localStorage))
    if (key.startsWith(prefix) && Date.now() - (read(key)?.at ?? 0) > keptMs)
      localStorage.removeItem(key);
}

/** A file that is changed while it is read cannot be read any more; requests then only say 'failed'. */
export async function isReadable(file: File | null, offset: number): Promise<boolean> {
  try {
    await file?.slice(offset, offset + 1).arrayBuffer();
    return true;
  } catch {
    return false;
  }
}
