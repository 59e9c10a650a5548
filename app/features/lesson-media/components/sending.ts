import type { DetailedError, Upload } from "tus-js-client";
import { mediaProblems } from "../messages.ts";
import {
  type Meaning,
  nextPace,
  nextTimeLeft,
  retryDelay,
  type TimeLeft,
  timeLeftInWords,
  type UploadPace,
  uploadResponse,
} from "../rules.ts";
import { askPanel, postForm } from "./ask-site.ts";
import { forgetFile, isReadable, rememberFile } from "./known-files.ts";
import { makeUpload, terminate, type UploadInput, uploadRefusalMessage } from "./tus-upload.ts";
import { changeTransfer, dropTransfer, putTransfer, type Transfer } from "./upload-store.ts";

/** Estimates the time left of an upload from its progress so far. */
export class Speedometer {
  #pace: UploadPace | null = null;
  #left: TimeLeft | null = null;

  read(sent: number, size: number): string | null {
    const now = performance.now();
    this.#pace = nextPace(this.#pace, now, sent);
    this.#left = nextTimeLeft(this.#left, this.#pace, size - sent);
    return this.#left && timeLeftInWords(this.#left, now);
  }

  /** Earlier speeds mean nothing after a lost connection or a pause. */
  reset() {
    this.#pace = null;
    this.#left = null;
  }
}

/** In ms without a byte, until a connection counts as dead; the final checks take longer. */
const patience = { word: 5000, sending: 60_000, checking: 300_000 };
const newsEvery = 250;

/** Uploads a file in pieces, retries forever, then has it checked. Reports only to the store. */
export class Sending {
  readonly #order: UploadInput;
  #uploadId: string | null;
  #upload: Upload | null = null;
  #halted = false;
  #attempt = 0;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #watch: ReturnType<typeof setTimeout> | undefined;
  #news: ReturnType<typeof setTimeout> | undefined;
  #sent = 0;
  readonly #speed = new Speedometer();
  #toldAt = 0;
  #isComplete: boolean;
  #status: Transfer["status"] = "starting";

  constructor(order: UploadInput) {
    this.#order = order;
    this.#uploadId = order.uploadId;
    this.#isComplete = order.file === null;
    const { lessonId, kind, fileName, size, href, uploadId } = order;
    const sent = this.#isComplete ? size : 0;
    const status = this.#isComplete ? "checking" : "starting";
    const said = { reason: null, left: null };
    putTransfer({ lessonId, kind, fileName, size, href, uploadId, sent, status, ...said });
    addEventListener("online", this.#online);
    addEventListener("offline", this.#offline);
    document.addEventListener("visibilitychange", this.#seen);
    this.#go();
  }

  pause() {
    this.#halt();
    this.#tell({ status: "paused", left: null });
  }

  resume() {
    this.#halt();
    this.#attempt = 0;
    this.#go();
  }

  /** Aborts the upload and deletes its bytes. @returns whether nothing is left on the server */
  async cancel(): Promise<boolean> {
    this.#halt();
    this.#end();
    dropTransfer(this.#order);
    return this.#uploadId === null || terminate(this.#uploadId);
  }

  #go() {
    this.#halted = false;
    this.#retry = undefined;
    void (this.#isComplete ? this.#finish() : this.#send());
  }

  async #send() {
    this.#tell({ status: this.#sent > 0 ? "uploading" : "starting", reason: null });
    try {
      const { Upload } = await import("tus-js-client");
      if (this.#halted) return;
      this.#upload ??= this.#make(Upload);
      this.#keepWatch();
      this.#upload.start();
    } catch {
      this.#lost();
    }
  }

  #make(Maker: typeof Upload): Upload {
    return makeUpload(Maker, this.#order, this.#uploadId, {
      onNamed: (uploadId) => this.#named(uploadId),
      onProgress: (sent) => this.#progress(sent),
      onError: (error) => void this.#failed(error),
      onSuccess: () => {
        this.#isComplete = true;
        this.#attempt = 0;
        clearTimeout(this.#watch);
        void this.#finish();
      },
    });
  }

  #named(uploadId: string | null) {
    this.#uploadId = uploadId;
    if (uploadId && this.#order.file) rememberFile(uploadId, this.#order.file);
    this.#tell({ uploadId });
  }

  #progress(sent: number) {
    const now = performance.now();
    if (sent > this.#sent) this.#attempt = 0;
    this.#sent = sent;
    this.#keepWatch();
    const left = this.#speed.read(sent, this.#order.size);
    const isAll = sent >= this.#order.size;
    const tell = () => {
      this.#toldAt = performance.now();
      this.#tell({ status: isAll ? "checking" : "uploading", sent, left: isAll ? null : left });
    };
    const wait = isAll ? 0 : this.#toldAt + newsEvery - now;
    clearTimeout(this.#news);
    // The last progress is reported too: the connection may stall after it.
    if (wait <= 0) tell();
    else this.#news = setTimeout(tell, wait);
  }

  async #failed(error: Error | DetailedError) {
    clearTimeout(this.#watch);
    const response = "originalResponse" in error ? error.originalResponse : null;
    const status = response?.getStatus() ?? 0;
    if (status === 0 && !(await isReadable(this.#order.file, this.#sent)))
      return this.#refuse(mediaProblems.fileChanged);
    if (this.#halted) return;
    this.#react(uploadResponse(status), uploadRefusalMessage(response?.getBody() ?? ""));
  }

  #react(meaning: Meaning, message: string) {
    if (meaning === "again") this.#lost();
    else if (meaning === "signed-out") this.#tell({ status: "signed-out", left: null });
    else if (meaning === "gone" && this.#uploadId) void this.#lookFor(this.#uploadId, message);
    else this.#refuse(message);
  }

  #lost() {
    this.#speed.reset();
    this.#tell({ status: this.#isComplete ? "checking" : "waiting", left: null });
    clearTimeout(this.#retry);
    this.#retry = setTimeout(() => this.#go(), retryDelay(this.#attempt++));
  }

  /** The upload is gone: rejected (and that answer was lost), or deleted by the server. */
  async #lookFor(uploadId: string, message: string) {
    const { lessonId, kind, file } = this.#order;
    const answer = await askPanel(lessonId);
    if (this.#halted) return;
    if (!answer.ok) return this.#react(answer.meaning, answer.message);
    const found = answer.value[kind].uploads.find(({ id }) => id === uploadId);
    if (found?.reason) this.#refuse(found.reason);
    else if (file) this.#startOver(uploadId);
    else this.#refuse(message);
  }

  #startOver(forgotten: string) {
    forgetFile(forgotten);
    this.#upload = null;
    this.#isComplete = false;
    this.#sent = 0;
    this.#speed.reset();
    this.#named(null);
    void this.#send();
  }

  #refuse(reason: string) {
    this.#end();
    this.#tell({ status: "refused", reason, left: null });
  }

  async #finish() {
    const { lessonId, size } = this.#order;
    this.#tell({ status: "checking", sent: size, left: null });
    const form = { intent: "finish", uploadId: this.#uploadId ?? "" };
    const answer = await postForm(`/admin/lessons/${lessonId}/media`, form);
    if (this.#halted) return;
    if (!answer.ok) return this.#react(answer.meaning, answer.message);
    this.#end();
    if (this.#uploadId) forgetFile(this.#uploadId);
    this.#tell({ status: "ready" });
  }

  /** Without progress, first hides the time left, then gives up the connection. */
  #keepWatch() {
    clearTimeout(this.#watch);
    const wait = this.#sent < this.#order.size ? patience.sending : patience.checking;
    this.#watch = setTimeout(() => {
      this.#speed.reset();
      this.#tell({ left: null });
      this.#watch = setTimeout(() => {
        void this.#upload?.abort();
        this.#lost();
      }, wait);
    }, patience.word);
  }

  #online = () => {
    if (this.#retry !== undefined && !this.#halted) this.resume();
  };

  #offline = () => {
    if (this.#status !== "starting" && this.#status !== "uploading") return;
    void this.#upload?.abort();
    clearTimeout(this.#watch);
    this.#lost();
  };

  /** The user comes back to this tab, perhaps signed in again elsewhere. */
  #seen = () => {
    if (document.visibilityState === "visible" && this.#status === "signed-out") this.resume();
  };

  #tell(change: Partial<Transfer>) {
    clearTimeout(this.#news);
    if (change.status) this.#status = change.status;
    changeTransfer(this.#order, change);
  }

  #halt() {
    this.#halted = true;
    void this.#upload?.abort();
    clearTimeout(this.#retry);
    this.#retry = undefined;
    clearTimeout(this.#watch);
    clearTimeout(this.#news);
    this.#speed.reset();
  }

  #end() {
    clearTimeout(this.#news);
    clearTimeout(this.#retry);
    clearTimeout(this.#watch);
    removeEventListener("online", this.#online);
    removeEventListener("offline", this.#offline);
    document.removeEventListener("visibilitychange", this.#seen);
  }
}
