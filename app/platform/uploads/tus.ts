import { ERRORS, Server } from "@tus/server";
import { newId } from "../db/ids.ts";
import { Refused, statusOf } from "../utils/errors.ts";
import { NoRoom } from "./bytes.ts";
import { UploadLocker } from "./locker.ts";
import type { UploadServices } from "./rows.ts";
import { RowStore } from "./store.ts";

export type AskedUpload = {
  id: string;
  userId: string;
  size: number;
  metadata: Record<string, string | null>;
};

export type UploadPolicy<S> = {
  limit: number;
  /** Writes the upload's row. @throws {Refused} with a sentence for the uploader */
  admit(services: S, asked: AskedUpload): Promise<void>;
  /** All bytes are there. May be called again for the same upload. @throws {Refused} */
  finish(services: S, done: { uploadId: string; userId: string }): Promise<unknown>;
  texts: {
    tooLarge(bytes: number): string;
    diskFull: string;
    gone: string;
    /** For an upload without a length, or in parts that are joined later. */
    notOffered: string;
    failed: string;
  };
};

export type Tus = (request: Request, userId: string) => Promise<Response>;

const mostLeftBytes = 256e6;
const patienceMs = 15_000;

type Said = { status_code: number; body: string };

export function createTus<S extends UploadServices>(services: S, policy: UploadPolicy<S>): Tus {
  const { config, log } = services;
  const users = new WeakMap<object, string>();
  const userOf = (request: object) => users.get(request) ?? "";
  const server = new Server({
    path: "/uploads",
    datastore: new RowStore(services),
    locker: new UploadLocker(services),
    // Correct behind any proxy, whatever it says of itself.
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
    if (error instanceof NoRoom) return { status_code: 507, body: policy.texts.diskFull };
    const { status_code: status } = error as Partial<Said>;
    if (status === 404 || status === 410) return { status_code: status, body: policy.texts.gone };
    // Extensions of tus that are not offered: Upload-Defer-Length, Upload-Concat.
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
    const { request: asked, drainBody } = withPartialBody(request);
    users.set(asked, userId);
    const answer = (await server.handleWeb(asked)) as Response;
    if (answer.status >= 400) await drainBody();
    return answer;
  };
}

/** The same request, but a broken connection ends its body instead of failing it, so that all bytes
 * that arrived are stored. `drainBody` drops the rest of the body: a client that is answered while
 * sending may find the connection closed before it reads the answer. */
function withPartialBody(request: Request): {
  request: Request;
  drainBody(): Promise<void>;
} {
  const body = request.body;
  if (!body) return { request, drainBody: async () => {} };
  const reader = body.getReader();
  const next = () => reader.read().catch(() => ({ done: true, value: undefined }) as const);
  const quiet = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
  });
  const { url, method, headers } = request;
  const init: RequestInit & { duplex: "half" } = { method, headers, body: quiet, duplex: "half" };
  return {
    request: new Request(url, init),
    async drainBody() {
      const { promise: enough, resolve } = Promise.withResolvers<{
        done: true;
        value: undefined;
      }>();
      const timer = setTimeout(resolve, patienceMs, { done: true, value: undefined });
      for (let left = mostLeftBytes; left > 0; ) {
        const { done, value } = await Promise.race([next(), enough]);
        if (done) break;
        left -= value.length;
      }
      clearTimeout(timer);
    },
  };
}
