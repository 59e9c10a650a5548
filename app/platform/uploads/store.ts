import type { Readable } from "node:stream";
import { DataStore, ERRORS, Upload } from "@tus/server";
import { NoRoom, type UploadBytes } from "./bytes.ts";
import { findUpload, forgetUpload, type UploadRow, type UploadServices } from "./rows.ts";

const notedEveryMs = 60_000;

/** What tus knows of an upload is its row and its bytes, so that a crash leaves nothing else to
 * agree with them. The row is written before, on admission. */
export class RowStore extends DataStore {
  readonly #services: UploadServices;
  readonly #bytes: UploadBytes;

  constructor(services: UploadServices) {
    super();
    this.#services = services;
    this.#bytes = services.uploads;
    this.extensions = ["creation", "creation-with-upload", "termination"];
  }

  override async create(upload: Upload): Promise<Upload> {
    const row = await this.#row(upload.id);
    try {
      const multipartId = await this.#bytes.begin(row);
      if (multipartId) await this.#update(row.id, { multipartId });
    } catch (error) {
      await forgetUpload(this.#services, row.id);
      throw error;
    }
    return upload;
  }

  override async write(source: Readable, id: string, offset: number): Promise<number> {
    const row = await this.#row(id);
    // Before the first piece, so that the cleanup of idle uploads cannot delete it from here on. An
    // upload without a byte is recorded with its first byte.
    const begun = row.receivedAt?.getTime();
    const notedAt = begun === undefined ? 0 : await this.#noteAt(id, begun);
    try {
      return await this.#bytes.append(row, offset, this.#noted(id, source, notedAt));
    } catch (error) {
      if (!(error instanceof NoRoom)) throw error;
      // The bytes first: without them the database has room to record it.
      await this.#bytes.discard(row);
      await forgetUpload(this.#services, id);
      throw error;
    }
  }

  override async getUpload(id: string): Promise<Upload> {
    const row = await this.#row(id);
    const offset = row.finishedAt ? row.size : await this.#bytes.received(row);
    if (row.refusedAt || offset === null) throw ERRORS.FILE_NO_LONGER_EXISTS;
    return new Upload({ id, offset, size: row.size, creation_date: row.createdAt.toISOString() });
  }

  override async remove(id: string): Promise<void> {
    const row = await this.#row(id);
    // The row first: a request that is checking the bytes at this moment then deletes them as well.
    if (!(await forgetUpload(this.#services, id))) throw ERRORS.INVALID_TERMINATION;
    await this.#bytes.discard(row);
  }

  async *#noted(id: string, source: Readable, begun: number): AsyncGenerator<Uint8Array> {
    let notedAt = begun;
    // Not destroyed by its reader: its end would be answered before what follows is done.
    for await (const piece of source.iterator({ destroyOnReturn: false })) {
      notedAt = await this.#noteAt(id, notedAt);
      yield piece;
    }
  }

  /** Records activity (ms) only at intervals: a large film comes in a thousand requests. */
  async #noteAt(id: string, notedAt: number): Promise<number> {
    const now = this.#services.clock.now().getTime();
    if (now - notedAt < notedEveryMs) return notedAt;
    await this.#note(id);
    return now;
  }

  /** A failing database write does not stop the bytes: they report a full disk themselves. */
  async #note(id: string): Promise<void> {
    const { clock, log } = this.#services;
    const isThere = await this.#update(id, { receivedAt: clock.now() }).catch((err: unknown) => {
      log.warn({ err, upload: id }, "it is not noted that bytes come");
      return true;
    });
    if (!isThere) throw ERRORS.FILE_NO_LONGER_EXISTS;
  }

  /** @returns false if there is no such upload any more */
  async #update(id: string, values: { receivedAt: Date } | { multipartId: string }) {
    const { numUpdatedRows } = await this.#services.db.write
      .updateTable("uploads")
      .set(values)
      .where("id", "=", id)
      .executeTakeFirstOrThrow();
    return numUpdatedRows > 0n;
  }

  async #row(id: string): Promise<UploadRow> {
    const row = await findUpload(this.#services, id);
    if (!row) throw ERRORS.FILE_NOT_FOUND;
    return row;
  }
}
