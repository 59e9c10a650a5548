import type { KnownFile } from "../rules.ts";

const prefix = "upload:";
const keptMs = 10 * 24 * 3600 * 1000;

/** Remembers a file. If storage is forbidden, full or edited, only name and size are compared. */
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

/** A file that changes while it is read becomes unreadable; the requests then only say 'failed'. */
export async function isReadable(file: File | null, offset: number): Promise<boolean> {
  try {
    await file?.slice(offset, offset + 1).arrayBuffer();
    return true;
  } catch {
    return false;
  }
}
