import { type DetailedError, defaultOptions, type PreviousUpload, Upload } from "tus-js-client";
import type { Rendition } from "../films.ts";
import type { UploadState } from "../media-panel.server.ts";
import { mediaProblems, type UploadKind } from "../messages.ts";
import { canRetryUpload, isNamedAlike, uploadRetryDelays } from "../rules.ts";
import { TimeLeft } from "../time-left.ts";
import { askPanel, siteMessage } from "./ask-site.ts";
import {
  changeTransfer,
  dropTransfer,
  isMoving,
  putTransfer,
  type Transfer,
} from "./upload-store.ts";

/** Proxies hold back or refuse larger bodies, and bytes that the browser reports as sent may still
 * be in buffers: only at the end of a piece is it known. The smaller ones are for proxies that refuse
 * the first: nginx takes 1 MiB unless it is told otherwise. */
const pieceSizes = [8 * 1024 * 1024, 512 * 1024, 64 * 1024];
/** In ms without a byte, until the time left is hidden, and then until the connection counts as
 * lost; the final checks take longer. */
const patience = { left: 5000, sending: 60_000, checking: 300_000 };
/** In ms, until a site that could not say why an upload is gone is asked again. */
const askAgain = 5000;
/** In ms: how long this device remembers a file whose upload has not ended. */
const memory = 10 * 24 * 3600_000;

const endpoint = `${location.origin}/uploads`;

/** Storage that is full must not stop an upload. */
const urlStorage: typeof defaultOptions.urlStorage = Object.create(defaultOptions.urlStorage, {
  addUpload: {
    async value(fingerprint: string, upload: PreviousUpload) {
      try {
        return await defaultOptions.urlStorage.addUpload(fingerprint, upload);
      } catch {
        return "";
      }
    },
  },
});

export type UploadInput = {
  lessonId: string;
  moduleId: string;
  kind: UploadKind;
  /** Tells the files of one lesson apart. */
  slot?: number;
  file: File;
  /** The page that shows the upload. */
  href: string;
  /** What it is of a film that is there already. */
  made?: { rendition: Rendition; renditionOf: string };
  /** Called with its id when it is the site's, with null when it never will be. */
  onEnd?: (uploadId: string | null) => void;
};

/** Uploads a file in pieces, or resumes the stopped upload of the same file. It retries by itself
 * and reports to the store. @returns false if the stopped upload is of another file */
export async function startUpload(
  input: UploadInput,
  stopped: UploadState | null,
): Promise<boolean> {
  const { file, lessonId, moduleId, kind, made } = input;
  const upload = new Upload(file, {
    endpoint,
    metadata: { filename: file.name, kind, lessonId, moduleId, ...made },
    chunkSize: pieceSizes[0],
    retryDelays: uploadRetryDelays,
    fingerprint: async () => [file.name, file.size, file.lastModified].join("-"),
    urlStorage,
    removeFingerprintOnSuccess: true,
  });
  for (const { creationTime, urlStorageKey } of await urlStorage.findAllUploads())
    if (Date.now() - Date.parse(creationTime) > memory)
      await urlStorage.removeUpload(urlStorageKey);
  if (stopped && !(await resumes(upload, file, stopped))) return false;
  send(upload, input);
  return true;
}

/** This device knows a file by its name, size and last change; another one by name and size. */
async function resumes(upload: Upload, file: File, stopped: UploadState): Promise<boolean> {
  const url = `${endpoint}/${stopped.id}`;
  const isIt = ({ uploadUrl }: PreviousUpload) => uploadUrl === url;
  const same = (await upload.findPreviousUploads()).find(isIt);
  const isKnown = (await urlStorage.findAllUploads()).some(isIt);
  if (!same && (isKnown || !isNamedAlike(file, stopped))) return false;
  if (same) upload.resumeFromPreviousUpload(same);
  else upload.url = url;
  return true;
}

/** How many files are sent at a time: the page needs connections of its own. */
const mostAtOnce = 3;
let sending = 0;
const queue: (() => void)[] = [];

function send(upload: Upload, input: UploadInput): void {
  const { file, lessonId, kind, slot, href, made, onEnd } = input;
  const of = { lessonId, kind, rendition: made?.rendition ?? null, slot };
  const timeLeft = new TimeLeft();
  const life = new AbortController();
  let status: Transfer["status"] = "starting";
  let watch: ReturnType<typeof setTimeout> | undefined;
  let isAll = false;

  function tell(change: Partial<Transfer>) {
    if (life.signal.aborted) return;
    if (change.status) status = change.status;
    changeTransfer(of, change);
  }
  let hasTurn = kind !== "file";
  const takeTurn = () => {
    hasTurn = true;
    sending += 1;
    start("starting");
  };
  function endTurn() {
    const place = queue.indexOf(takeTurn);
    if (place >= 0) queue.splice(place, 1);
    if (!hasTurn || kind !== "file") return;
    hasTurn = false;
    sending -= 1;
    queue.shift()?.();
  }
  function waitForTurn() {
    if (hasTurn) return start("starting");
    if (sending < mostAtOnce) return takeTurn();
    if (!queue.includes(takeTurn)) queue.push(takeTurn);
    tell({ status: "queued", left: null });
  }
  function stop(next: Transfer["status"], reason: string | null = null) {
    if (next !== "starting" && next !== "waiting") endTurn();
    clearTimeout(watch);
    void upload.abort();
    timeLeft.reset();
    tell({ status: next, reason, left: null });
  }
  function end(next: Transfer["status"], reason: string | null = null) {
    stop(next, reason);
    life.abort();
    onEnd?.(next === "ready" ? idNow() : null);
  }
  function start(as: "starting" | "waiting") {
    stop(as);
    watchProgress(patience.sending);
    // A known upload is continued: without an endpoint, the library cannot silently start another.
    upload.options.endpoint = upload.url ? null : endpoint;
    upload.start();
  }
  function watchProgress(ms: number) {
    clearTimeout(watch);
    watch = setTimeout(() => {
      timeLeft.reset();
      tell({ left: null });
      watch = setTimeout(reconnect, ms);
    }, patience.left);
  }
  const reconnect = () => isMoving({ status }) && hasTurn && start("waiting");
  // The user comes back to this tab, perhaps signed in again elsewhere.
  const seen = () =>
    document.visibilityState === "visible" && status === "signed-out" && waitForTurn();
  const idNow = () => upload.url?.split("/").at(-1) ?? null;

  function goOnSmaller() {
    const smaller = pieceSizes.find((size) => size < Number(upload.options.chunkSize));
    if (!smaller) return end("refused", mediaProblems.smallPieces);
    upload.options.chunkSize = smaller;
    start("starting");
  }

  async function fail(error: Error | DetailedError) {
    const failed = statusOf(error);
    if (failed === 401) return stop("signed-out");
    // The site itself refuses a size before there is an upload.
    if (failed === 413 && upload.url) return goOnSmaller();
    if (!upload.url || (failed !== 404 && failed !== 410)) return end("refused", messageOf(error));
    // It was refused, and that answer was lost; or it was deleted.
    const uploadId = idNow();
    const answer = await askPanel(lessonId);
    if (!isMoving({ status }) || idNow() !== uploadId) return;
    if (!answer.ok) {
      stop("waiting");
      watch = setTimeout(reconnect, askAgain);
      return;
    }
    const { uploads } = kind === "file" ? answer.value.files : answer.value[kind];
    const { reason } = uploads.find(({ id }) => id === uploadId) ?? {};
    if (reason) return end("refused", reason);
    upload.url = null;
    isAll = false;
    tell({ uploadId: null, sent: 0 });
    start("starting");
  }

  Object.assign(upload.options, {
    onUploadUrlAvailable() {
      upload.options.endpoint = null;
      tell({ uploadId: idNow() });
    },
    onProgress(sent: number, size: number) {
      if (!isMoving({ status })) return;
      isAll = sent >= size;
      watchProgress(isAll ? patience.checking : patience.sending);
      const left = timeLeft.read(performance.now(), sent, size);
      tell({ status: isAll ? "checking" : "uploading", sent, left: isAll ? null : left });
    },
    onShouldRetry(error: DetailedError) {
      const failed = statusOf(error);
      if (!canRetryUpload(failed)) return false;
      timeLeft.reset();
      // A site that answers is still busy with what has arrived.
      tell({ status: isAll && failed !== 0 ? "checking" : "waiting", left: null });
      // A file that was changed cannot be read; its requests only say 'failed'.
      const readable = file.slice(0, 1).arrayBuffer();
      readable.catch(() => end("refused", mediaProblems.fileChanged));
      return true;
    },
    onError: (error: Error | DetailedError) => void fail(error),
    onSuccess: () => end("ready"),
  });

  putTransfer({
    ...of,
    ...{ fileName: file.name, size: file.size, sent: 0, href, uploadId: idNow() },
    ...{ status, reason: null, left: null },
    pause: () => stop("paused"),
    resume: waitForTurn,
    async cancel() {
      end("refused");
      dropTransfer(of);
      await upload.abort(true).catch(() => {});
    },
  });
  const { signal } = life;
  addEventListener("online", reconnect, { signal });
  addEventListener("offline", reconnect, { signal });
  document.addEventListener("visibilitychange", seen, { signal });
  waitForTurn();
}

/** The status of the site's answer; 0 without one. */
const statusOf = (error: Partial<DetailedError>) => error.originalResponse?.getStatus() ?? 0;

/** The site's message, as JSON or plain text; else a general one. */
function messageOf(error: Partial<DetailedError>): string {
  const body = error.originalResponse?.getBody().trim() ?? "";
  try {
    return siteMessage(JSON.parse(body)) ?? mediaProblems.failed;
  } catch {
    return body !== "" && body.length < 500 && !body.includes("<") ? body : mediaProblems.failed;
  }
}
