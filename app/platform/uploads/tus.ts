import { ERRORS, Server } from "@tus/server";
import { newId } from "../db/ids.ts";
import { Refused, statusOf } from "../http/errors.ts";
import type { Services } from "../services.ts";
import { NoRoom } from "./bytes.ts";
import { UploadLocker } from "./locker.ts";
import { endingQuietly } from "./quiet-end.ts";
import { RowStore } from "./store.ts";

/** An upload as it asks to begin. */
export type AskedUpload = {
  id: string;
  userId: string;
  /** In bytes, as announced. */
  size: number;
  metadata: Record<string, string | null>;
};

/** What the product says to uploads: which may come, and what becomes of them. */
export type UploadPolicy = {
  /** The largest file, in bytes. */
  limit: number;
  /** Writes the upload's row. @throws {Refused} with a sentence for whoever uploads */
  admit(services: Services, asked: AskedUpload): Promise<void>;
  /** All bytes are there. May be called again for the same upload. @throws {Refused} */
  finish(services: Services, done: { uploadId: string; userId: string }): Promise<unknown>;
  texts: {
    tooLarge(bytes: number): string;
    noRoom: string;
    gone: string;
    /** An upload wants to begin without its length, or in parts that are joined later. */
    notOffered: string;
    /** What is said when something failed here, which may be tried again. */
    failed: string;
  };
};

/** Answers one request of a tus client who may upload. */
export type Tus = (request: Request, userId: string) => Promise<Response>;

type Said = { status_code: number; body: string };

export function createTus(services: Services, policy: UploadPolicy): Tus {
  const { config, log } = services;
  const users = new WeakMap<object, string>();
  const userOf = (request: object) => users.get(request) ?? "";
  const server = new Server({
    path: "/uploads",
    datastore: new RowStore(services),
    locker: new UploadLocker(services),
    // Right behind any proxy, whatever it says of itself.
    relativeLocation: true,
    allowedOrigins: [config.appUrl],
    maxSize: policy.limit,
    namingFunction: () => newId(),
    onUploadCreate: async (request, { id, size = 0, metadata = {} }) => {
      await policy.admit(services, { id, size, metadata, userId: userOf(request) });
      return {};
    },
    onUploadFinish: async (request, { id }) => {
      await policy.finish(services, { uploadId: id, userId: userOf(request) });
      return {};
    },
    onResponseError: (request, error) => inWords(request.headers, error),
  });

  function inWords(headers: Headers, error: unknown): Said | undefined {
    if (error instanceof Refused) return { status_code: statusOf[error.code], body: error.message };
    if (error instanceof NoRoom) return { status_code: 507, body: policy.texts.noRoom };
    const { status_code: status } = error as Partial<Said>;
    if (status === 404 || status === 410) return { status_code: status, body: policy.texts.gone };
    // Extensions of tus that are not offered here: Upload-Defer-Length, Upload-Concat.
    if (status === 501) return { status_code: 400, body: policy.texts.notOffered };
    if (error === ERRORS.ERR_MAX_SIZE_EXCEEDED) {
      const announced = Number(headers.get("upload-length"));
      return { status_code: 413, body: policy.texts.tooLarge(announced) };
    }
    if (status && status < 500) return undefined;
    log.error({ err: error }, "an upload failed");
    return { status_code: 500, body: policy.texts.failed };
  }

  return async (request, userId) => {
    const { request: asked, readAway } = endingQuietly(request);
    users.set(asked, userId);
    const answer = (await server.handleWeb(asked)) as Response;
    if (answer.status >= 400) await readAway();
    return answer;
  };
}
