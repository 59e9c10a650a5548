import { AbstractTokenizer, EndOfStreamError, type IReadChunkOptions } from "strtok3";
import type { OpenFile } from "../storage/storage.ts";

/** Bytes per read. */
const pieceSizes = { outline: 4 * 1024, usual: 64 * 1024, all: 1024 * 1024 } as const;
/** No useful part of an index is larger. */
const largestPart = 32 * 1024 * 1024;

export class ReadFailed extends Error {}

/** What may still be read, in bytes, and until when (performance.now()). Libraries take read errors
 * for the end of the file, so the cause is here: `spent` (over the limits) or `failed` (store). */
export type Limits = {
  left: number;
  until: number;
  spent: boolean;
  failed: ReadFailed | null;
};

/** A file for libraries that read a few bytes here and there. Reads beyond the limits fail. */
export class Pieces extends AbstractTokenizer {
  override readonly fileInfo: { size: number; mimeType?: string };
  readonly #file: OpenFile;
  readonly #limits: Limits;
  readonly #pieceBytes: number;
  #piece: { start: number; data: Uint8Array } = { start: 0, data: new Uint8Array() };

  constructor(file: OpenFile, limits: Limits, piece: keyof typeof pieceSizes, mimeType?: string) {
    super({ maxBufferSize: largestPart });
    this.#pieceBytes = pieceSizes[piece];
    this.#file = file;
    this.#limits = limits;
    this.fileInfo = { size: file.size, ...(mimeType && { mimeType }) };
  }

  override supportsRandomAccess(): boolean {
    return true;
  }

  setPosition(position: number): void {
    this.position = position;
  }

  override async readBuffer(target: Uint8Array, options?: IReadChunkOptions): Promise<number> {
    const read = await this.peekBuffer(target, options);
    this.position = (options?.position ?? this.position) + read;
    return read;
  }

  override async peekBuffer(target: Uint8Array, options?: IReadChunkOptions): Promise<number> {
    const { length, position, mayBeLess } = this.normalizeOptions(target, options);
    const wanted = Math.min(length, Math.max(0, this.fileInfo.size - position));
    if (wanted < length && !mayBeLess) throw new EndOfStreamError();
    if (wanted > 0) target.set(await this.#bytes(position, wanted));
    return wanted;
  }

  async #bytes(position: number, length: number): Promise<Uint8Array> {
    const { start, data } = this.#piece;
    if (position < start || position + length > start + data.length) {
      const asked = Math.min(Math.max(length, this.#pieceBytes), this.fileInfo.size - position);
      this.#piece = { start: position, data: await this.#read(position, asked) };
    }
    const from = position - this.#piece.start;
    return this.#piece.data.subarray(from, from + length);
  }

  async #read(position: number, asked: number): Promise<Uint8Array> {
    const limits = this.#limits;
    limits.left -= asked;
    limits.spent ||= limits.left < 0 || performance.now() > limits.until;
    if (limits.failed) throw limits.failed;
    if (limits.spent) throw new Error("the file asks for too much of itself to be read");
    try {
      const data = await this.#file.read(position, asked);
      if (data.length === asked) return data;
      throw new Error(`${data.length} bytes came of ${asked}`);
    } catch (cause) {
      limits.failed = new ReadFailed("a stored file could not be read", { cause });
      throw limits.failed;
    }
  }
}
