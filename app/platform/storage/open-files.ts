import { type FileHandle, open } from "node:fs/promises";

const idleMs = 2000;

export type LentFile = { fd: number; size: number; giveBack(): void };

type Entry = {
  file: Promise<{ handle: FileHandle; size: number } | null>;
  users: number;
  closing: NodeJS.Timeout | null;
};

/** Files that are being read, or were a moment ago: each is opened once for all its readers.
 * Opening, stat and closing cost as much as sending a small range, and players ask for many. */
export class OpenFiles {
  readonly #entries = new Map<string, Entry>();

  async lend(path: string): Promise<LentFile | null> {
    const entry = this.#entries.get(path) ?? this.#open(path);
    entry.users++;
    if (entry.closing) clearTimeout(entry.closing);
    entry.closing = null;
    const file = await entry.file.catch((error) => {
      this.forget(path, entry);
      throw error;
    });
    if (!file) this.forget(path, entry);
    if (!file) return null;
    let given = false;
    const giveBack = () => {
      if (!given) this.#returned(path, entry);
      given = true;
    };
    return { fd: file.handle.fd, size: file.size, giveBack };
  }

  /** The file was replaced or deleted; current readers read the old one to its end. */
  forget(path: string, entry = this.#entries.get(path)) {
    if (entry && this.#entries.get(path) === entry) this.#entries.delete(path);
    if (entry?.closing) {
      clearTimeout(entry.closing);
      entry.closing = null;
      shut(entry);
    }
  }

  #open(path: string): Entry {
    const entry: Entry = { file: openAt(path), users: 0, closing: null };
    this.#entries.set(path, entry);
    return entry;
  }

  #returned(path: string, entry: Entry) {
    entry.users--;
    if (entry.users > 0) return;
    if (this.#entries.get(path) !== entry) return shut(entry);
    entry.closing = setTimeout(() => this.forget(path, entry), idleMs);
    entry.closing.unref();
  }
}

async function openAt(path: string) {
  const handle = await open(path, "r");
  const found = await handle.stat();
  if (found.isFile()) return { handle, size: found.size };
  await handle.close();
  return null;
}

function shut(entry: Entry) {
  void entry.file.then((file) => file?.handle.close());
}
