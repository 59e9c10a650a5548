import type { DetailedError, Upload } from "tus-js-client";
import { type Meaning, meaningOf, retryDelay } from "../../panel/rules.ts";
import { troubles } from "../../panel/texts.ts";
import { askPanel, postForm } from "./ask-site.ts";
import { forgetFile, isReadable, rememberFile } from "./known-files.ts";
import { Speedometer } from "./speedometer.ts";
import { makeUpload, type Order } from "./tus-upload.ts";
import { terminate, wordsOfRefusal } from "./upload-address.ts";
import { changeTransfer, dropTransfer, putTransfer, type Transfer } from "./upload-store.ts";

/** Without a byte for so long, in ms, the line is taken for dead; the checks at the end take longer. */
const patience = { word: 5000, sending: 60_000, checking: 300_000 };
/** The page hears of progress so often, in ms. */
const newsEvery = 250;

/**
 * One file on its way: sends it piece by piece, tries again for as long as it takes, and asks the
 * site to check it at the end. What it does is told to the store alone.
 */
export class Sending {
  readonly #order: Order;
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

  constructor(order: Order) {
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

  /** Goes on, after a pause or once she is signed in again; or tries again now. */
  resume() {
    this.#halt();
    this.#attempt = 0;
    this.#go();
  }

  /** Ends it, and takes away what has arrived. @returns whether the server has nothing of it any more */
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
    // What comes last is told too: after it the line may stand still.
    if (wait <= 0) tell();
    else this.#news = setTimeout(tell, wait);
  }

  async #failed(error: Error | DetailedError) {
    clearTimeout(this.#watch);
    const response = "originalResponse" in error ? error.originalResponse : null;
    const status = response?.getStatus() ?? 0;
    if (status === 0 && !(await isReadable(this.#order.file, this.#sent)))
      return this.#refuse(troubles.fileChanged);
    if (this.#halted) return;
    this.#react(meaningOf(status), wordsOfRefusal(response?.getBody() ?? ""));
  }

  #react(meaning: Meaning, message: string) {
    if (meaning === "again") this.#lost();
    else if (meaning === "signed-out") this.#tell({ status: "signed-out", left: null });
    else if (meaning === "gone" && this.#uploadId) void this.#lookFor(this.#uploadId, message);
    else this.#refuse(message);
  }

  /** The line is down, or the server busy: once more, and again. */
  #lost() {
    this.#speed.reset();
    this.#tell({ status: this.#isComplete ? "checking" : "waiting", left: null });
    clearTimeout(this.#retry);
    this.#retry = setTimeout(() => this.#go(), retryDelay(this.#attempt++));
  }

  /** It is no longer there: either refused meanwhile, and the answer was lost, or forgotten. */
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

  /** The server has forgotten the beginning: the file is here, so all of it is sent once more. */
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

  /** Nothing moves: what was said of the time left goes first, then the line is given up. */
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

  /** She comes back to this tab: perhaps she has signed in elsewhere. */
  #seen = () => {
    if (document.visibilityState === "visible" && this.#status === "signed-out") this.resume();
  };

  #tell(change: Partial<Transfer>) {
    clearTimeout(this.#news);
    if (change.status) this.#status = change.status;
    changeTransfer(this.#order, change);
  }

  /** Nothing is under way any more, and nothing comes by itself. */
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
